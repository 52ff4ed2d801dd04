import { fitBeliefs, GaussianProcess } from './gaussian-process.ts';
import type { Search, Trial } from './search.ts';
import { sobolPoints } from './sobol.ts';
import { Space } from './space.ts';
import type { Vector } from './numbers.ts';
import { middle, warp } from './warp.ts';
import { dot } from './numbers.ts';

/** What each parameter has to do with the results of a search, or why that is not known. */
export type Importance = {
  /** How many trials it follows from: those that have ended with a finite value. */
  readonly trials: number;
} & (
  | {
      readonly known: true;
      readonly parameters: readonly ParameterImportance[];
      /** The share of the variation of trials that follows from the other trials, from 0 to 1: how far to trust all this. */
      readonly explained: number;
    }
  /**
   * - `few`: there are fewer trials than `needed`
   * - `equal`: all trials have the same value
   * - `unclear`: the value of a trial does not follow from the others, as where results are mostly noise
   */
  | { readonly known: false; readonly reason: 'few' | 'equal' | 'unclear'; readonly needed: number }
);

/** How important one parameter is. */
export interface ParameterImportance {
  readonly name: string;
  /**
   * The share of the variation of the results, over all that is searched, in which this parameter has a part: what it
   * does alone, and together with others. From 0 to 1; where parameters act together, the shares add up to more than 1.
   */
  readonly share: number;
}

/** Fewer trials than these tell nothing, however few parameters there are. */
const FEWEST_TRIALS = 10;
const TRIALS_PER_PARAMETER = 3;
/** Takes a quarter of a second. */
const MOST_OBSERVED = 64;
/**
 * How much of the variation of trials must follow from the others. Of searches whose results are noise alone, fewer than
 * one in five reaches it with the fewest trials, and one in thirty with 32.
 */
const LEAST_EXPLAINED = 0.4;
/** A value that is further out tells no more about parameters: it is a training that diverged. */
const FURTHEST = 20;
/** So many make an error of a few hundredths. */
const SAMPLES = 1024;

/**
 * How important each parameter is, by a Gaussian process that has learned from the trials. As for suggestions, values are
 * warped; one that lies far out does not decide alone. Trials that failed or still run do not count.
 */
export function importanceOf(search: Search, trials: readonly Trial[]): Importance {
  const space = new Space(search.parameters);
  const ended = trials.flatMap(({ assignments, value }) =>
    value !== undefined && Number.isFinite(value) ? [{ point: space.encode(assignments), value }] : [],
  );
  const free = space.axes.filter(({ values }) => values?.length !== 1).length;
  const needed = Math.max(FEWEST_TRIALS, TRIALS_PER_PARAMETER * free);
  const unknown = (reason: 'few' | 'equal' | 'unclear') =>
    ({ trials: ended.length, known: false, reason, needed }) as const;
  if (ended.length < needed) return unknown('few');
  if (ended.every(({ value }) => value === ended[0]?.value)) return unknown('equal');
  const chosen = spread(ended);
  const points = chosen.map(({ point }) => point);
  const values = warp(limited(chosen.map(({ value }) => value)));
  const beliefs = fitBeliefs({ points, values }, space.metric, space.axes.length);
  const process = new GaussianProcess({ points, values }, beliefs, space.metric);
  const explained = explainedOf(process.misses, values);
  if (!(explained >= LEAST_EXPLAINED)) return unknown('unclear');
  const shares = totalEffects((point) => process.mean(point), space, `${search.seed}/importance`);
  if (shares === undefined) return unknown('unclear');
  const parameters = space.axes.map(({ name }, i) => ({ name, share: shares[i] ?? 0 }));
  return { trials: ended.length, known: true, parameters, explained };
}

/** Of many trials some, from the worst to the best: those of a search lie close together where it found the best. */
function spread<T extends { readonly value: number }>(trials: readonly T[]): readonly T[] {
  if (trials.length <= MOST_OBSERVED) return trials;
  const ranked = trials.toSorted((a, b) => a.value - b.value);
  const last = ranked.length - 1;
  return ranked.filter(
    (_, i) => Math.floor((i * MOST_OBSERVED) / last) !== Math.floor(((i - 1) * MOST_OBSERVED) / last),
  );
}

/** Values, of which none is further out than `FURTHEST` times as far as half of them are. */
function limited(values: Vector): Vector {
  const centre = middle(values);
  const reach = FURTHEST * middle(values.map((value) => Math.abs(value - centre)));
  if (!(reach > 0) || !Number.isFinite(reach)) return values;
  return values.map((value) => Math.min(Math.max(value, centre - reach), centre + reach));
}

/** 1 where nothing is missed, and 0 or less where the mean of all values, which is 0, misses no more. */
const explainedOf = (misses: Vector, values: Vector): number => 1 - dot(misses, misses) / dot(values, values);

/**
 * Of each axis, the share of a function's variance that is due to it, alone or together with others: Sobol's total index,
 * by the estimator of M. Jansen (1999).
 *
 * @returns undefined where the function is the same everywhere
 */
export function totalEffects(of: (point: Vector) => number, space: Space, seed: string): Vector | undefined {
  const { length } = space.axes;
  // One coordinate more than there are axes: another value for one of them at a time.
  const chances = sobolPoints(SAMPLES, length + 1, seed);
  const values = chances.map((chance) => of(space.draw(chance)));
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  if (!(variance > 0)) return undefined;
  return space.axes.map((_, axis) => {
    const moved = chances.map((chance) => of(space.draw(chance.with(axis, chance[length] ?? 0))));
    const change = moved.reduce((sum, value, i) => sum + (value - (values[i] ?? 0)) ** 2, 0) / values.length;
    return Math.min(1, change / 2 / variance);
  });
}
