import { bayesianPoint } from './bayesian.ts';
import { gridPoint, randomPoint } from './plain.ts';
import type { Search, Trial } from './search.ts';
import { keyOf, Space } from './space.ts';
import type { Assignments } from './space.ts';

/**
 * The next trial of a search: a function of the search and of the trials so far, in order of their numbers. What it takes
 * is bounded, whatever the parameters and the values are.
 *
 * @returns undefined where there is nothing left that has not been tried
 */
export function suggest(search: Search, trials: readonly Trial[]): Assignments | undefined {
  const space = new Space(search.parameters);
  const tried = new Set(trials.map(({ assignments }) => keyOf(assignments)));
  if (countIn(space, trials) >= space.size) return undefined;
  const isNew = (point: readonly number[]) => !tried.has(keyOf(space.decode(point)));
  const pointOf = { bayesian: bayesianPoint, random: randomPoint, grid: gridPoint }[search.algorithm];
  const point = pointOf({ search, space, trials, isNew });
  return point && space.decode(point);
}

/** How many points of a space have been tried. What was tried while its parameters were others may be none of them. */
function countIn(space: Space, trials: readonly Trial[]): number {
  if (space.size === Infinity) return 0;
  const keys = trials.map(({ assignments }) => ({ key: keyOf(assignments), point: space.encode(assignments) }));
  return new Set(keys.filter(({ key, point }) => keyOf(space.decode(point)) === key).map(({ key }) => key)).size;
}
