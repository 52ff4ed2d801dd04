import type { Diagnosis } from '../shared/diagnosis-text.ts';
import { carriedOver } from '../shared/carried-over.ts';
import { essentialFailures, extensionQueries, missingExtensions, otherFailures } from '../shared/trouble.ts';
import { referenceQueries } from './references.ts';
import type { Observed } from './observed.ts';

/** Children without which the agent does not run; it runs without the others. */
const ESSENTIAL: ReadonlySet<string> = new Set([
  'service-account',
  'network-policy',
  'config',
  'deployment',
  'service',
]);

/** What keeps a child from being made that the agent does not run without. */
export const essentialFailuresOf = ({ snapshot }: Observed): readonly Diagnosis[] =>
  essentialFailures(snapshot, ESSENTIAL);

/** What the agent runs without, though it was asked for. */
export const lesserFailuresOf = ({ snapshot, extensions }: Observed): readonly Diagnosis[] => [
  ...otherFailures(snapshot, ESSENTIAL, extensions),
  ...missingExtensions(snapshot, extensions),
];

/** What a condition said before, where it is too soon to take it back. */
export function earlierDiagnoses(observed: Observed, type: string): readonly Diagnosis[] {
  const earlier = carriedOver(observed.snapshot, type, [
    ...referenceQueries(observed),
    ...extensionQueries(observed.extensions),
  ]);
  return earlier ? [earlier] : [];
}
