import type { Vector } from './numbers.ts';

/** Beyond so many spreads, on a logarithmic scale, values are taken for what lies far out. */
const FAR = 8;

/**
 * Values as a Gaussian process takes them best: about 0, about 1 from it, and without long tails, in which one bad trial
 * would hide what tells good ones apart. The order stays. Any finite values will do, up to the ends of what a double holds.
 */
export function warp(values: Vector): number[] {
  const near = scaled(values);
  const centre = middle(near);
  const spread = middle(near.map((value) => Math.abs(value - centre))) || deviation(near) || 1;
  return standardised(near.map((value) => Math.sign(value - centre) * squashed(Math.abs(value - centre) / spread)));
}

/** By a power of two, which is exact: so that neither a difference nor a square of them overflows. */
function scaled(values: Vector): Vector {
  const largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  if (largest === 0) return values;
  const half = Math.floor(Math.log2(largest)) / 2;
  // In two steps, since 2 to the power of 1074 is more than a double holds.
  return values.map((value) => value * 2 ** -Math.floor(half) * 2 ** -Math.ceil(half));
}

function squashed(distance: number): number {
  const log = Math.log1p(Math.min(distance, Number.MAX_VALUE));
  return log <= FAR ? log : FAR + Math.log1p(log - FAR);
}

/** The value in the middle; of two the higher. */
export const middle = (values: Vector): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

const mean = (values: Vector): number => values.reduce((sum, value) => sum + value, 0) / values.length;

function deviation(values: Vector): number {
  const centre = mean(values);
  return Math.sqrt(mean(values.map((value) => (value - centre) ** 2)));
}

function standardised(values: Vector): number[] {
  const [centre, spread] = [mean(values), deviation(values) || 1];
  return values.map((value) => (value - centre) / spread);
}
