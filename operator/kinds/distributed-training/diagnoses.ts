import { conditionOf } from '../../engine/api/index.ts';
import type { Query, ObservedPod } from '../../engine/api/index.ts';
import { diagnosePod } from '../shared/diagnosis.ts';
import type { Diagnosis } from '../shared/diagnosis-text.ts';
import { nodeQueries, outlookOf } from '../shared/nodes.ts';
import { essentialFailures, otherFailures } from '../shared/trouble.ts';
import { missingPods, refusalQueries } from './missing-pods.ts';
import { currentRanks, isUp } from './ranks.ts';
import type { Observed } from './observed.ts';
import { closedHosts, extensionsOf, installedQueries, missingRequirements, secretQueries } from './requirements.ts';

/** Asks for what diagnoses are made from. */
export const diagnosisQueries = (observed: Observed, now: number): readonly Query[] => [
  ...installedQueries(observed),
  ...refusalQueries(observed, now),
  ...secretQueries(observed),
  ...nodeQueries(podsDown(observed)),
];

/** What keeps ranks from running, the gravest first. */
export function diagnosesOf(observed: Observed, now: number): readonly Diagnosis[] {
  const { spec, snapshot } = observed;
  const down = podsDown(observed);
  const outlook = outlookOf(snapshot, down);
  const diagnoses = [
    ...childFailures(observed),
    ...missingRequirements(observed),
    ...down.flatMap((pod) => diagnosePod(pod, spec.resources, { outlook }) ?? []),
    ...missingPods(observed, now),
    ...closedHosts(observed),
  ];
  return [...diagnoses.filter(({ stuck }) => stuck), ...diagnoses.filter(({ stuck }) => !stuck)];
}

/** The children that could not be made as the spec asks, those first without which ranks don't run. */
export function childFailures(observed: Observed): readonly Diagnosis[] {
  const { snapshot, roles } = observed;
  const essential = new Set([
    ...roles.all.map(({ name }) => name),
    'service-account',
    'network-policy',
    'service',
    'hosts',
  ]);
  return [...essentialFailures(snapshot, essential), ...otherFailures(snapshot, essential, extensionsOf(observed))];
}

/** Why ranks may not run while nothing is the matter with them. */
const PASSING: ReadonlySet<string> = new Set(['Starting', 'Queued', 'BackingOff', 'Stopping', 'Suspended']);

/**
 * What keeps ranks from running, in sentences, or did when they were last seen: a Job whose time is over stops its pods
 * before anybody may have looked at them.
 */
export function obstacleOf(observed: Observed, now: number): string | undefined {
  const [diagnosis] = diagnosesOf(observed, now);
  if (diagnosis) return diagnosis.message;
  const running = conditionOf(observed.status.conditions, 'Running');
  return running?.status === 'False' && !PASSING.has(running.reason) ? running.message : undefined;
}

const podsDown = (observed: Observed): readonly ObservedPod[] =>
  currentRanks(observed)
    .filter((rank) => !isUp(rank))
    .map(({ pod }) => pod);
