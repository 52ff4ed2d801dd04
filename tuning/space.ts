import { axisOf } from './axis.ts';
import type { Axis, Parameter, Value } from './axis.ts';
import type { Metric } from './kernel.ts';
import type { Vector } from './numbers.ts';

/** A value for each parameter, by its name. */
export type Assignments = Readonly<Record<string, Value>>;

/** What is searched, as a unit cube. Axes are in order of their names, since maps have none. */
export class Space {
  readonly axes: readonly Axis[];
  /** How many points there are; Infinity where some axis is continuous, or they are more than can be counted. */
  readonly size: number;

  constructor(parameters: Readonly<Record<string, Parameter>>) {
    this.axes = Object.entries(parameters)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, parameter]) => axisOf(name, parameter));
    const counts = this.axes.map(({ values }) => values?.length ?? Infinity);
    this.size = counts.includes(0) ? 0 : counts.reduce((product, count) => product * count, 1);
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

  /** The points in a row, the last axis changing first: all of them, or, where an axis is continuous, some. */
  get row(): Row {
    return new Row(this.axes);
  }

  /** Texts are equally far from each other, as far as the ends of a scale. */
  readonly metric: Metric = (a, b) =>
    this.axes.map(({ unordered }, i) => {
      const difference = (a[i] ?? 0) - (b[i] ?? 0);
      return unordered ? Number(difference !== 0) : difference * difference;
    });
}

/** Points of a space, by their numbers: with sixteen axes there are more than a double counts. */
class Row {
  /** How many there are. */
  readonly length: bigint;
  readonly #axes: readonly { readonly values: readonly Value[]; readonly encode: Axis['encode'] }[];

  constructor(axes: readonly Axis[]) {
    this.#axes = axes.map(({ some, encode }) => ({ values: some(), encode }));
    this.length = this.#axes.reduce((product, { values }) => product * BigInt(values.length), 1n);
  }

  at(index: bigint): number[] {
    let rest = index;
    return this.#axes
      .toReversed()
      .map(({ values, encode }) => {
        const count = BigInt(values.length);
        const value = values[Number(rest % count)] ?? '';
        rest /= count;
        return encode(value);
      })
      .toReversed();
  }
}

/** Tells assignments apart. */
export const keyOf = (assignments: Assignments): string =>
  JSON.stringify(Object.entries(assignments).toSorted(([a], [b]) => (a < b ? -1 : 1)));
