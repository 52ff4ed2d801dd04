import { bayesianPoint } from './bayesian.ts';
import { gridPoint, randomPoint } from './plain.ts';
import { keyOf, Space } from './space.ts';
import type { Assignments, Parameter } from './space.ts';

/** What is searched, and how. */
export interface Search {
  readonly algorithm: 'bayesian' | 'random' | 'grid';
  readonly goal: 'maximize' | 'minimize';
  readonly parameters: Readonly<Record<string, Parameter>>;
  /** Another seed gives another search. */
  readonly seed: number;
  /** How many trials there are to be: a grid of more points is spread over them. */
  readonly maxTrials: number;
}

/** A trial so far. */
export interface Trial {
  readonly assignments: Assignments;
  /** What came of it; NaN where it failed; absent as long as it runs. */
  readonly value?: number;
}

/**
 * The next trial of a search: a function of the search and of the trials so far, in order of their numbers.
 *
 * @returns undefined where there is nothing left that has not been tried
 */
export function suggest(search: Search, trials: readonly Trial[]): Assignments | undefined {
  const space = new Space(search.parameters);
  const tried = new Set(trials.map(({ assignments }) => keyOf(assignments)));
  if (tried.size >= space.size) return undefined;
  const isNew = (point: readonly number[]) => !tried.has(keyOf(space.decode(point)));
  const point = { bayesian: bayesianPoint, random: randomPoint, grid: gridPoint }[search.algorithm];
  return space.decode(point({ search, space, trials, isNew }));
}
