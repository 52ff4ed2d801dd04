import { matern52 } from './kernel.ts';
import type { Metric } from './kernel.ts';
import { minimise } from './minimise.ts';
import type { Slope } from './minimise.ts';
import { dot, times } from './numbers.ts';
import type { Vector } from './numbers.ts';
import { CholeskyDecomposition, Matrix } from 'ml-matrix';

/** What a Gaussian process takes for granted of a function: all as natural logarithms, in this order. */
export interface Beliefs {
  /** How far one must go along each coordinate until values have little to do with each other. */
  readonly scales: Vector;
  /** The variance of the function. */
  readonly signal: number;
  /** The variance of what is observed about the function. */
  readonly noise: number;
}

/** What was observed: points, and a value at each. */
export interface Observations {
  readonly points: readonly Vector[];
  readonly values: Vector;
}

/** A belief about the value at a point. */
export interface Prediction {
  readonly mean: number;
  /** Standard deviation. */
  readonly deviation: number;
}

/** A prediction, and how it changes where the squared distance to each observation does. */
export interface Prospect extends Prediction {
  /** Of each observation, how the mean and the variance change with the scaled squared distance from it. */
  readonly slopes: readonly { readonly mean: number; readonly variance: number }[];
}

/** The spread of a prior. Wide: it only keeps a few observations from proving something absurd. */
const SPREAD = { scale: 1, signal: 1, noise: 1.5 };
const PRIOR = { scale: Math.log(0.3), signal: 0, noise: Math.log(1e-4) };
const LOWEST = { scale: Math.log(0.03), signal: Math.log(0.05), noise: Math.log(1e-6) };
const HIGHEST = { scale: Math.log(20), signal: Math.log(50), noise: Math.log(0.3) };
/** Where the search for beliefs starts: values that change fast, slowly, or hardly. */
const STARTS = [0, -1, 1.5];

/** With so much noise, as a multiple of the most that a signal comes to, any covariance matrix can be inverted. */
const MOST_NOISE = 1e6;

/** A Gaussian process: what is believed of a function, given what was observed of it. */
export class GaussianProcess {
  readonly beliefs: Beliefs;
  readonly #points: readonly Vector[];
  readonly #metric: Metric;
  readonly #precisions: Vector;
  readonly #inverse: readonly Vector[];
  readonly #weights: Vector;

  constructor({ points, values }: Observations, beliefs: Beliefs, metric: Metric) {
    const { inverse } = invertible(points, beliefs, metric);
    this.beliefs = beliefs;
    this.#points = points;
    this.#metric = metric;
    this.#precisions = precisionsOf(beliefs);
    this.#inverse = inverse;
    this.#weights = times(inverse, values);
  }

  predict(x: Vector): Prediction {
    const { mean, deviation } = this.foresee(x);
    return { mean, deviation };
  }

  /** The mean of what is predicted, for which the deviation need not be reckoned. */
  mean(x: Vector): number {
    const signal = Math.exp(this.beliefs.signal);
    let sum = 0;
    for (let i = 0; i < this.#points.length; i++) {
      const { value } = matern52(this.#metric(x, this.#points[i] ?? []), this.#precisions);
      sum += value * (this.#weights[i] ?? 0);
    }
    return signal * sum;
  }

  /** Of each observation, by how much the mean that follows from all others misses it. */
  get misses(): Vector {
    return this.#weights.map((weight, i) => weight / (this.#inverse[i]?.[i] ?? 1));
  }

  foresee(x: Vector): Prospect {
    const signal = Math.exp(this.beliefs.signal);
    const near = this.#points.map((point) => matern52(this.#metric(x, point), this.#precisions));
    const covariances = near.map(({ value }) => signal * value);
    const solved = times(this.#inverse, covariances);
    const variance = Math.max(signal - dot(covariances, solved), signal * 1e-10);
    return {
      mean: dot(covariances, this.#weights),
      deviation: Math.sqrt(variance),
      slopes: near.map(({ slope }, i) => ({
        mean: signal * slope * (this.#weights[i] ?? 0),
        variance: -2 * signal * slope * (solved[i] ?? 0),
      })),
    };
  }

  /** One over the squared length scale of each coordinate. */
  get precisions(): Vector {
    return this.#precisions;
  }
}

/** The beliefs that make what was observed most likely, with a mild prejudice for smooth functions. */
export function fitBeliefs(observations: Observations, metric: Metric, dimensions: number): Beliefs {
  const vector = (of: Record<keyof typeof PRIOR, number>): Vector => [
    ...Array.from({ length: dimensions }, () => of.scale),
    of.signal,
    of.noise,
  ];
  const [prior, spread] = [vector(PRIOR), vector(SPREAD)];
  const squares = observations.points.map((a) => observations.points.map((b) => metric(a, b)));
  const cost = (parameters: Vector): Slope => {
    const { value, gradient } = surprise(observations.values, squares, parameters);
    const strays = parameters.map((parameter, i) => (parameter - (prior[i] ?? 0)) / (spread[i] ?? 1));
    return {
      value: value + dot(strays, strays) / 2,
      gradient: gradient.map((slope, i) => slope + (strays[i] ?? 0) / (spread[i] ?? 1)),
    };
  };
  const box = { lower: vector(LOWEST), upper: vector(HIGHEST) };
  const found = STARTS.map((shift) =>
    minimise(
      cost,
      prior.map((parameter, i) => parameter + (i < dimensions ? shift : 0)),
      box,
    ),
  );
  const best = found.reduce((a, b) => (b.value < a.value ? b : a));
  return beliefsOf(best.x);
}

const beliefsOf = (parameters: Vector): Beliefs => ({
  scales: parameters.slice(0, -2),
  signal: parameters.at(-2) ?? 0,
  noise: parameters.at(-1) ?? 0,
});

const precisionsOf = ({ scales }: Beliefs): Vector => scales.map((scale) => Math.exp(-2 * scale));

/** The negative logarithm of the likelihood of what was observed, and its slope along each belief. */
function surprise(values: Vector, squares: readonly (readonly Vector[])[], parameters: Vector): Slope {
  const beliefs = beliefsOf(parameters);
  const precisions = precisionsOf(beliefs);
  const signal = Math.exp(beliefs.signal);
  const noise = Math.exp(beliefs.noise);
  const similar = squares.map((row) => row.map((square) => matern52(square, precisions)));
  const covariances = similar.map((row, i) => row.map(({ value }, j) => signal * value + (i === j ? noise : 0)));
  const inverted = invert(covariances);
  if (inverted === undefined) return { value: Infinity, gradient: parameters.map(() => 0) };
  const weights = times(inverted.inverse, values);
  const gradient = parameters.map(() => 0);
  const last = parameters.length;
  for (let i = 0; i < values.length; i++) {
    for (let j = 0; j < values.length; j++) {
      const pull = ((inverted.inverse[i]?.[j] ?? 0) - (weights[i] ?? 0) * (weights[j] ?? 0)) / 2;
      const { value = 0, slope = 0 } = similar[i]?.[j] ?? {};
      const square = squares[i]?.[j] ?? [];
      for (let d = 0; d < last - 2; d++) {
        gradient[d] = (gradient[d] ?? 0) - 2 * pull * signal * slope * (square[d] ?? 0) * (precisions[d] ?? 0);
      }
      gradient[last - 2] = (gradient[last - 2] ?? 0) + pull * signal * value;
      if (i === j) gradient[last - 1] = (gradient[last - 1] ?? 0) + pull * noise;
    }
  }
  return { value: (dot(values, weights) + inverted.logDeterminant) / 2, gradient };
}

/** Points that lie close together need more noise than was believed, or nothing can be reckoned with. */
function invertible(points: readonly Vector[], beliefs: Beliefs, metric: Metric) {
  const precisions = precisionsOf(beliefs);
  const signal = Math.exp(beliefs.signal);
  const bare = points.map((a) => points.map((b) => signal * matern52(metric(a, b), precisions).value));
  for (let noise = Math.exp(beliefs.noise); noise < MOST_NOISE; noise *= 10) {
    const inverted = invert(bare.map((row, i) => row.map((value, j) => value + (i === j ? noise : 0))));
    if (inverted !== undefined) return inverted;
  }
  throw new Error('a covariance matrix with much noise is positive definite');
}

/** What a Gaussian process needs of a positive definite matrix. */
export interface Inverse {
  readonly inverse: readonly (readonly number[])[];
  /** The natural logarithm of the matrix's determinant. */
  readonly logDeterminant: number;
}

/**
 * Inverts a symmetric matrix by its Cholesky decomposition.
 *
 * @returns undefined where it is not positive definite, as far as its rounding errors tell
 */
export function invert(matrix: readonly (readonly number[])[]): Inverse | undefined {
  if (!matrix.every((row) => row.every(Number.isFinite))) return undefined;
  const decomposition = new CholeskyDecomposition(new Matrix(matrix.map((row) => [...row])));
  if (!decomposition.isPositiveDefinite()) return undefined;
  const diagonal = decomposition.lowerTriangularMatrix.diagonal();
  return {
    inverse: decomposition.solve(Matrix.eye(matrix.length)).to2DArray(),
    logDeterminant: 2 * diagonal.reduce((sum, value) => sum + Math.log(value), 0),
  };
}
