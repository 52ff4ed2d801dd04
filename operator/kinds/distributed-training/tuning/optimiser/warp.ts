import type { Vector } from './vectors.ts';

/**
 * Values as a Gaussian process takes them best: about 0, about 1 from it, and without long tails, in which one bad trial
 * would hide what tells good ones apart. The order stays.
 */
export function warp(values: Vector): number[] {
  const centre = middle(values);
  const spread = middle(values.map((value) => Math.abs(value - centre))) || deviation(values) || 1;
  return standardised(values.map((value) => Math.sign(value - centre) * Math.log1p(Math.abs(value - centre) / spread)));
}

/** The value in the middle; of two the higher. */
const middle = (values: Vector): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

const mean = (values: Vector): number => values.reduce((sum, value) => sum + value, 0) / values.length;

function deviation(values: Vector): number {
  const centre = mean(values);
  return Math.sqrt(mean(values.map((value) => (value - centre) ** 2)));
}

function standardised(values: Vector): number[] {
  const [centre, spread] = [mean(values), deviation(values) || 1];
  return values.map((value) => (value - centre) / spread);
}
