import { decimalRounding, scaleOf } from './scale.ts';
import type { Scale } from './scale.ts';
import type { Vector } from './numbers.ts';

const view = new DataView(new ArrayBuffer(8));

/** The rank of a number among all that a double can hold: the next greater one has a rank of one more. */
function rankOf(value: number): bigint {
  view.setFloat64(0, Math.abs(value));
  const bits = view.getBigInt64(0);
  return value < 0 ? -bits : bits;
}

function numberOf(rank: bigint): number {
  view.setBigInt64(0, rank < 0n ? -rank : rank);
  const size = view.getFloat64(0);
  return rank < 0n ? -size : size;
}

/**
 * All numbers of a range that a double can hold, in their order: 1 and 1.0000000000000002 have none between them.
 *
 * @returns undefined where there are more than `most`
 */
export function doublesOf(min: number, max: number, most: number): readonly number[] | undefined {
  const [first, last] = [rankOf(min), rankOf(max)];
  if (last - first >= BigInt(most)) return undefined;
  return Array.from({ length: Math.max(0, Number(last - first) + 1) }, (_, i) => numberOf(first + BigInt(i)));
}

/** The value of a parameter: a number, or one of several texts. */
export type Value = number | string;

/** Any number of a range; with `whole` any integer; with `steps` as many, evenly spaced on the scale. */
interface Range {
  readonly type: 'range';
  readonly min: number;
  readonly max: number;
  readonly scale: Scale;
  readonly whole: boolean;
  readonly steps?: number;
}

/** A parameter that is searched for. */
export type Parameter =
  | Range
  /** One of some numbers, of which each is as far from the next one as the others: they were chosen so. */
  | { readonly type: 'numbers'; readonly values: readonly number[] }
  /** One of some texts, of which none is nearer to another. */
  | { readonly type: 'choice'; readonly values: readonly string[] };

/** A parameter as a coordinate from 0 to 1. */
export interface Axis {
  readonly name: string;
  /** All values, where they are few; else they are as good as continuous. */
  readonly values?: readonly Value[];
  /** Whether no value is nearer to another. */
  readonly unordered: boolean;
  /** The value nearest to a place. */
  readonly decode: (u: number) => Value;
  /** The place of a value. What is not a value of the axis has the place of one that is. */
  readonly encode: (value: Value) => number;
  /** All values, where they are few; else more of them than a search has trials, spread over the axis. */
  readonly some: () => readonly Value[];
}

/** An axis of more values is taken for continuous. */
const MOST_VALUES = 1000;

/** Of the narrowest axis that is taken for continuous, so many places meet nearly every value. */
const SAMPLES = 4 * MOST_VALUES;

export function axisOf(name: string, parameter: Parameter): Axis {
  if (parameter.type === 'choice') return evenly(name, unique(parameter.values), true);
  if (parameter.type === 'numbers') {
    return evenly(
      name,
      unique(parameter.values).toSorted((a, b) => a - b),
      false,
    );
  }
  return rangeAxis(name, parameter);
}

function rangeAxis(name: string, range: Range): Axis {
  const { min, max, whole } = range;
  const scale = scaleOf(range);
  const round = whole ? Math.round : decimalRounding(range);
  const decode = (u: number) => Math.min(Math.max(round(scale.decode(u)), min), max);
  const values = valuesOf(range, decode);
  if (values) return listed(name, values, values.map(scale.encode), false);
  return {
    name,
    unordered: false,
    decode,
    encode: (value) => scale.encode(Number(value)),
    some: () => unique(Array.from({ length: SAMPLES }, (_, i) => decode(i / (SAMPLES - 1)))),
  };
}

/** All values of a range, in their order, where they are few. */
function valuesOf({ min, max, whole, steps }: Range, at: (u: number) => number): readonly number[] | undefined {
  if (!(min < max)) return [min];
  if (steps !== undefined) {
    const count = Math.min(Math.max(steps, 2), MOST_VALUES);
    return unique(Array.from({ length: count }, (_, i) => at(i / (count - 1))));
  }
  const doubles = doublesOf(min, max, MOST_VALUES);
  if (doubles) return whole ? atLeastOne(doubles.filter(Number.isInteger), min) : doubles;
  const first = Math.ceil(min);
  const count = whole ? Math.floor(max) - first + 1 : Infinity;
  return count <= MOST_VALUES
    ? atLeastOne(unique(Array.from({ length: Math.max(0, count) }, (_, i) => first + i)), min)
    : undefined;
}

const atLeastOne = (values: readonly number[], otherwise: number) => (values.length > 0 ? values : [otherwise]);

const unique = <T>(values: readonly T[]): readonly T[] => [...new Set(values)];

/** An axis of some values at their places: each takes what is nearest to it. */
function listed(name: string, values: readonly Value[], places: Vector, unordered: boolean): Axis {
  // Values that are too close to have places of their own.
  if (places.some((place, i) => i > 0 && !(place > (places[i - 1] ?? 0)))) return evenly(name, values, unordered);
  const placeOf = new Map(values.map((value, i) => [value, places[i] ?? 0]));
  return {
    name,
    values,
    unordered,
    decode: (u) => values[nearest(places, u)] ?? '',
    encode: (value) => placeOf.get(value) ?? 0,
    some: () => values,
  };
}

/** The index of the place that is nearest; of two the lower one. Places ascend. */
function nearest(places: Vector, u: number): number {
  let [low, high] = [0, places.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((places[middle] ?? 0) <= u) low = middle;
    else high = middle;
  }
  return u - (places[low] ?? 0) <= (places[high] ?? 0) - u ? low : high;
}

const evenly = (name: string, values: readonly Value[], unordered: boolean): Axis =>
  listed(
    name,
    values,
    values.map((_, i) => (values.length === 1 ? 0 : i / (values.length - 1))),
    unordered,
  );
