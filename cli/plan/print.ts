import { plainText } from '../../constructs/parts/values/index.ts';
import type { ObjectChange, ResourcePlan } from './types.ts';

const SIGNS = { create: '+', change: '~', replace: '±', delete: '-' } as const;

/** A plan as lines for a person. */
export function describePlan({ resource, now, later, restarts, obstacles, notes, isPartial }: ResourcePlan): string {
  const changes = [
    ...now.flatMap(changeLines),
    ...(later.length === 0 ? [] : ['Later, once what they wait for is ready:', ...later.flatMap(changeLines)]),
    ...(restarts.length === 0 ? [] : [`Pods that restart or stop: ${restarts.join(', ')}`]),
    ...obstacles.map(({ object, message }) => `! ${object}: ${message}`),
  ];
  // Where not all may be seen, a note says so: that nothing is to be done would be more than is known.
  const nothing = isPartial ? [] : [NOTHING];
  return block(resource, [...(changes.length === 0 ? nothing : changes), ...notes]);
}

const NOTHING = 'Nothing to do.';

/** Lines below what they are about; a line of others' text stays one line. */
export const block = (title: string, lines: readonly string[]): string =>
  [`${title}:`, ...(lines.length === 0 ? [NOTHING] : lines).map((line) => `  ${line}`)]
    .map((line) => `${plainText(line.replaceAll('\n', '⏎'))}\n`)
    .join('');

/** A change as lines: what happens to the object, then its fields. */
export function changeLines({ action, object, fields = [] }: ObjectChange): string[] {
  return [
    `${SIGNS[action]} ${action} ${object}`,
    ...fields.map(({ path, from, to }) => `    ${path}: ${shown(from)} → ${shown(to)}`),
  ];
}

/** Longer values are cut: the whole is in `-o yaml`. */
const LONGEST = 80;

function shown(value: unknown): string {
  if (value === undefined) return '(none)';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
