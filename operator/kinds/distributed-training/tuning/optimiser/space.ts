import type { Metric } from './kernel.ts';
import type { Vector } from './vectors.ts';

/** The value of a parameter: a number, or one of several texts. */
export type Value = number | string;

/** A value for each parameter, by its name. */
export type Assignments = Readonly<Record<string, Value>>;

type Scale = 'linear' | 'log';

/** A parameter that is searched for. */
export type Parameter =
  /** Any number of a range; with `whole` any integer; with `steps` as many, evenly spaced on the scale. */
  | {
      readonly type: 'range';
      readonly min: number;
      readonly max: number;
      readonly scale: Scale;
      readonly whole: boolean;
      readonly steps?: number;
    }
  /** One of some numbers, of which each is as far from the next one as the others: they were chosen so. */
  | { readonly type: 'numbers'; readonly values: readonly number[] }
  /** One of some texts, of which none is nearer to another. */
  | { readonly type: 'choice'; readonly values: readonly string[] };

/** A parameter as a coordinate from 0 to 1. */
interface Axis {
  readonly name: string;
  /** All values, where they are few; else they are as good as continuous. */
  readonly values?: readonly Value[];
  /** Whether no value is nearer to another. */
  readonly unordered: boolean;
  /** The value nearest to a place. */
  readonly decode: (u: number) => Value;
  readonly encode: (value: Value) => number;
}

/** An axis of more values is taken for continuous. */
const MOST_VALUES = 1000;

/** Significant digits of values: more than any training tells apart, and few enough to be read. */
const DIGITS = 7;

/** What is searched, as a unit cube. Axes are in order of their names, since maps have none. */
export class Space {
  readonly axes: readonly Axis[];
  /** How many points there are; Infinity where some axis is continuous. */
  readonly size: number;

  constructor(parameters: Readonly<Record<string, Parameter>>) {
    this.axes = Object.entries(parameters)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, parameter]) => axisOf(name, parameter));
    this.size = this.axes.reduce((product, { values }) => product * (values?.length ?? Infinity), 1);
  }

  decode(point: Vector): Assignments {
    return Object.fromEntries(this.axes.map(({ name, decode }, i) => [name, decode(point[i] ?? 0)]));
  }

  encode(assignments: Assignments): number[] {
    return this.axes.map(({ name, encode }) => encode(assignments[name] ?? Number.NaN));
  }

  /** The point that stands for the values that a point gives. */
  snap(point: Vector): number[] {
    return this.encode(this.decode(point));
  }

  /** The point that chance means: of few values each is as likely as the others, those at the ends too. */
  draw(chances: Vector): number[] {
    return this.axes.map(({ values, encode, decode }, i) => {
      const u = chances[i] ?? 0;
      return encode(values?.[Math.floor(u * values.length)] ?? decode(u));
    });
  }

  /** The point of a number from 0 to `size`, the last axis changing first. Only where all axes have few values. */
  at(index: number): number[] {
    let rest = index;
    return this.axes
      .toReversed()
      .map(({ values = [], encode }) => {
        const value = values[rest % values.length] ?? '';
        rest = Math.floor(rest / values.length);
        return encode(value);
      })
      .toReversed();
  }

  /** Texts are equally far from each other, as far as the ends of a scale. */
  readonly metric: Metric = (a, b) =>
    this.axes.map(({ unordered }, i) => {
      const difference = (a[i] ?? 0) - (b[i] ?? 0);
      return unordered ? Number(difference !== 0) : difference * difference;
    });
}

/** Tells assignments apart. */
export const keyOf = (assignments: Assignments): string =>
  JSON.stringify(Object.entries(assignments).toSorted(([a], [b]) => (a < b ? -1 : 1)));

function axisOf(name: string, parameter: Parameter): Axis {
  if (parameter.type === 'choice') return evenly(name, [...new Set(parameter.values)], true);
  if (parameter.type === 'numbers') {
    return evenly(
      name,
      [...new Set(parameter.values)].toSorted((a, b) => a - b),
      false,
    );
  }
  const { min, max, whole } = parameter;
  const scale = scaleOf(min, max, parameter.scale);
  const round = rounding(min, max, parameter.scale, whole);
  const values = valuesOf(parameter, (u) => round(scale.decode(u)));
  if (values) return listed(name, values, values.map(scale.encode), false);
  return {
    name,
    unordered: false,
    decode: (u) => round(scale.decode(u)),
    encode: (value) => scale.encode(Number(value)),
  };
}

/** All values of a range, where they are few. */
function valuesOf(
  { min, max, whole, steps }: Parameter & { readonly type: 'range' },
  at: (u: number) => number,
): readonly number[] | undefined {
  if (steps !== undefined) return [...new Set(Array.from({ length: steps }, (_, i) => at(i / (steps - 1))))];
  const count = whole ? max - min + 1 : Infinity;
  return count <= MOST_VALUES ? Array.from({ length: count }, (_, i) => min + i) : undefined;
}

/** An axis of some values at their places: each takes what is nearest to it. */
function listed(name: string, values: readonly Value[], places: Vector, unordered: boolean): Axis {
  return {
    name,
    values,
    unordered,
    decode: (u) => values[nearest(places, u)] ?? '',
    encode: (value) => places[values.indexOf(value)] ?? 0,
  };
}

function nearest(places: Vector, u: number): number {
  let best = 0;
  for (let i = 1; i < places.length; i++) {
    if (Math.abs((places[i] ?? 0) - u) < Math.abs((places[best] ?? 0) - u)) best = i;
  }
  return best;
}

const evenly = (name: string, values: readonly Value[], unordered: boolean): Axis =>
  listed(
    name,
    values,
    values.map((_, i) => (values.length === 1 ? 0 : i / (values.length - 1))),
    unordered,
  );

/** Numbers as coordinates. Both ends of a logarithmic scale are above 0, or both are below. */
function scaleOf(min: number, max: number, scale: Scale) {
  const bend = (value: number) => (scale === 'log' ? Math.sign(min) * Math.log(Math.abs(value)) : value);
  const unbend = (value: number) => (scale === 'log' ? Math.sign(min) * Math.exp(Math.sign(min) * value) : value);
  const [low, high] = [bend(min), bend(max)];
  return {
    encode: (value: number) => (high === low ? 0 : (bend(value) - low) / (high - low)),
    decode: (u: number) => unbend(low + u * (high - low)),
  };
}

/** Rounds to what is worth telling apart, within the range. */
function rounding(min: number, max: number, scale: Scale, whole: boolean): (value: number) => number {
  const decimals = Math.min(100, Math.max(0, DIGITS - 1 - Math.floor(Math.log10(max - min))));
  const round = (value: number) => {
    if (whole) return Math.round(value);
    return Number(scale === 'log' ? value.toPrecision(DIGITS) : value.toFixed(decimals));
  };
  return (value) => Math.min(Math.max(round(value), min), max);
}
