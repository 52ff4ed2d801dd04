import { median } from '../pool.ts';
import { suggest } from '../../tuning/index.ts';
import type { Search, Trial } from '../../tuning/index.ts';
import { largest, smallest } from '../../constructs/parts/values/index.ts';
import type { TestFunction } from './functions.ts';

/** How a function is searched. */
export interface Setting {
  readonly algorithm: Search['algorithm'];
  /** How many trials run at a time; they all end before the next ones begin. */
  readonly parallel: number;
  readonly trials: number;
}

/** What came of some searches. */
export interface Result {
  /** The median of the lowest values that were found. */
  readonly median: number;
  /** Seconds of the processor for the dearest of the searches. */
  readonly seconds: number;
}

/** The lowest value that a search finds. */
export function search(of: TestFunction, { algorithm, parallel, trials }: Setting, seed: number): number {
  const what: Search = { algorithm, goal: 'minimize', parameters: of.parameters, seed, maxTrials: trials };
  let done: readonly Trial[] = [];
  while (done.length < trials) {
    const running: Trial[] = [];
    while (running.length < Math.min(parallel, trials - done.length)) {
      const assignments = suggest(what, [...done, ...running]);
      if (assignments === undefined) throw new Error(`${of.name} has no points left`);
      running.push({ assignments });
    }
    done = [...done, ...running.map(({ assignments }) => ({ assignments, value: of.at(assignments) }))];
  }
  return smallest(done.map(({ value = Infinity }) => value));
}

/** Searches with each of some seeds. */
export function searchAll(of: TestFunction, setting: Setting, seeds: readonly number[]): Result {
  const found = seeds.map((seed) => {
    const before = process.cpuUsage();
    const value = search(of, setting, seed);
    const { user, system } = process.cpuUsage(before);
    return { value, seconds: (user + system) / 1e6 };
  });
  return {
    median: median(found.map(({ value }) => value)),
    seconds: largest(found.map(({ seconds }) => seconds)),
  };
}
