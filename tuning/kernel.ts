import type { Vector } from './numbers.ts';

/** The squared distance of two points along each of their coordinates. */
export type Metric = (a: Vector, b: Vector) => Vector;

const ROOT_5 = Math.sqrt(5);

/** Matérn's kernel of smoothness 5/2 with a length scale a coordinate. */
export interface Similarity {
  /** 1 where two points are the same, towards 0 where they are far apart. */
  readonly value: number;
  /** By how much `value` changes for each unit of a squared, scaled distance. Never above 0. */
  readonly slope: number;
}

/**
 * How much the values at two points have to do with each other.
 *
 * @param squares - the squared distance along each coordinate
 * @param precisions - one over the squared length scale of each coordinate
 */
export function matern52(squares: Vector, precisions: Vector): Similarity {
  let square = 0;
  for (let i = 0; i < squares.length; i++) square += (squares[i] ?? 0) * (precisions[i] ?? 0);
  const distance = ROOT_5 * Math.sqrt(square);
  const decay = Math.exp(-distance);
  return { value: (1 + distance + (distance * distance) / 3) * decay, slope: (-5 / 6) * (1 + distance) * decay };
}
