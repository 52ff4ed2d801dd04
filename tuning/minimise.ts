import { dot, plus, times } from './numbers.ts';
import type { Vector } from './numbers.ts';

/** A function's value and slope at a point. */
export interface Slope {
  readonly value: number;
  readonly gradient: Vector;
}

export interface Box {
  readonly lower: Vector;
  readonly upper: Vector;
}

const MOST_STEPS = 60;
const MOST_HALVINGS = 12;
/** The share of the promised descent that a step must keep: Armijo's usual constant. */
const ENOUGH_DESCENT = 1e-4;
const FLAT = 1e-6;

/**
 * A minimum of a smooth function within a box, by the method of Broyden, Fletcher, Goldfarb and Shanno; what would leave
 * the box is held at its border.
 *
 * @param from - where to begin
 * @returns the best point found, and its value
 */
export function minimise(
  of: (x: Vector) => Slope,
  from: Vector,
  box: Box,
): { readonly x: Vector; readonly value: number } {
  let x: Vector = clamp(from, box);
  let { value, gradient }: Slope = of(x);
  let curvature = identity(x.length);
  for (let step = 0; step < MOST_STEPS; step++) {
    const free = x.map((_, i) => !isHeld(x, gradient, box, i));
    const steepest = gradient.map((slope, i) => (free[i] ? -slope : 0));
    if (steepest.every((slope) => Math.abs(slope) < FLAT)) break;
    let direction = times(curvature, steepest).map((move, i) => (free[i] ? move : 0));
    if (dot(direction, steepest) <= 0) {
      curvature = identity(x.length);
      direction = steepest;
    }
    const next = descend(of, { x, value, gradient }, direction, box);
    if (next === undefined) break;
    curvature = updated(curvature, plus(next.x, x, -1), plus(next.gradient, gradient, -1));
    const gain = value - next.value;
    ({ x, value, gradient } = next);
    if (gain < FLAT * FLAT * (1 + Math.abs(value))) break;
  }
  return { x, value };
}

interface Place extends Slope {
  readonly x: Vector;
}

/** The first of ever shorter steps that goes down as far as the slope promises. */
function descend(of: (x: Vector) => Slope, from: Place, direction: Vector, box: Box): Place | undefined {
  let length = 1;
  for (let halving = 0; halving < MOST_HALVINGS; halving++, length /= 2) {
    const x = clamp(plus(from.x, direction, length), box);
    const promised = dot(from.gradient, plus(x, from.x, -1));
    const there = of(x);
    if (promised < 0 && there.value <= from.value + ENOUGH_DESCENT * promised) return { x, ...there };
  }
  return undefined;
}

/** The inverse of the curvature, by what a step has shown of it. */
function updated(inverse: readonly Vector[], step: Vector, bend: Vector): readonly Vector[] {
  const along = dot(step, bend);
  if (along <= 1e-12) return inverse;
  const bent = times(inverse, bend);
  const scale = (1 + dot(bend, bent) / along) / along;
  return inverse.map((row, i) =>
    row.map((value, j) => {
      const [si = 0, sj = 0, bi = 0, bj = 0] = [step[i], step[j], bent[i], bent[j]];
      return value + scale * si * sj - (bi * sj + si * bj) / along;
    }),
  );
}

/** Whether a coordinate is at a border beyond which it would descend. */
function isHeld(x: Vector, gradient: Vector, { lower, upper }: Box, i: number): boolean {
  const [at = 0, slope = 0, low = 0, high = 0] = [x[i], gradient[i], lower[i], upper[i]];
  return (at <= low && slope > 0) || (at >= high && slope < 0);
}

const clamp = (x: Vector, { lower, upper }: Box): Vector =>
  x.map((value, i) => Math.min(Math.max(value, lower[i] ?? value), upper[i] ?? value));

const identity = (size: number): readonly Vector[] =>
  Array.from({ length: size }, (_, i) => Array.from({ length: size }, (_, j) => Number(i === j)));
