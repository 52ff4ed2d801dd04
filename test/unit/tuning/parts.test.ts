import { describe, expect, it } from 'vitest';
import { fitBeliefs, GaussianProcess } from '../../../tuning/gaussian-process.ts';
import { minimise } from '../../../tuning/minimise.ts';
import { hope } from '../../../tuning/normal.ts';
import { MOST_COORDINATES, sobolPoints } from '../../../tuning/sobol.ts';
import { warp } from '../../../tuning/warp.ts';

const metric = (a: readonly number[], b: readonly number[]) => a.map((value, i) => (value - (b[i] ?? 0)) ** 2);

describe("Sobol's points", () => {
  it('are one in each of as many equal parts of every coordinate, whatever the seed', () => {
    for (const seed of ['0', '1']) {
      const points = sobolPoints(64, MOST_COORDINATES, seed);
      for (let coordinate = 0; coordinate < MOST_COORDINATES; coordinate++) {
        const parts = new Set(points.map((point) => Math.floor((point[coordinate] ?? 0) * 64)));
        expect(parts.size).toBe(64);
      }
    }
  });

  it('are one in each square of a chessboard, for the first two coordinates', () => {
    const squares = sobolPoints(64, 2, 'x').map(([x = 0, y = 0]) => `${Math.floor(x * 8)} ${Math.floor(y * 8)}`);
    expect(new Set(squares).size).toBe(64);
  });
});

describe('the expected improvement', () => {
  /** By adding up a fine grid. */
  function byHand(z: number): number {
    let sum = 0;
    const step = 1e-3;
    for (let x = -12; x < 12; x += step) sum += Math.max(0, z - x) * Math.exp((-x * x) / 2) * step;
    return sum / Math.sqrt(2 * Math.PI);
  }

  it.each([-6, -3, -2, -1, 0, 1, 2, 5])('is that of the normal distribution, %d deviations away', (z) => {
    expect(hope(z).log).toBeCloseTo(Math.log(byHand(z)), 4);
  });

  it('is reported however small it is', () => {
    expect(hope(-100).log).toBeCloseTo(-5000 - Math.log(Math.sqrt(2 * Math.PI)) - 2 * Math.log(100), 2);
    expect(hope(-1e4).log).toBeLessThan(-4e7);
  });
});

describe('a Gaussian process', () => {
  const points = [[0], [0.2], [0.5], [0.6], [1]];
  const values = warp(points.map(([x = 0]) => Math.sin(6 * x)));

  it('goes through what was observed, and doubts what lies far from it', () => {
    const process = new GaussianProcess({ points, values }, fitBeliefs({ points, values }, metric, 1), metric);
    for (const [i, point] of points.entries()) expect(process.predict(point).mean).toBeCloseTo(values[i] ?? 0, 1);
    expect(process.predict([0.8]).deviation).toBeGreaterThan(process.predict([0.55]).deviation);
  });

  it('learns which of its coordinates matter', () => {
    const square = sobolPoints(24, 2, 'ard');
    const slope = warp(square.map(([x = 0]) => Math.sin(5 * x)));
    const [first = 0, second = 0] = fitBeliefs({ points: square, values: slope }, metric, 2).scales;
    expect(second).toBeGreaterThan(first + 1);
  });

  it('reckons with points that are the same', () => {
    const twice = { points: [[0.5], [0.5], [0.5]], values: [1, -1, 0] };
    expect(new GaussianProcess(twice, fitBeliefs(twice, metric, 1), metric).predict([0.5]).mean).toBeCloseTo(0, 1);
  });
});

describe('minimising', () => {
  const valley = ([x = 0, y = 0]: readonly number[]) => ({
    value: (1 - x) ** 2 + 100 * (y - x * x) ** 2,
    gradient: [-2 * (1 - x) - 400 * x * (y - x * x), 200 * (y - x * x)],
  });

  it("goes down Rosenbrock's valley to its end", () => {
    const { x } = minimise(valley, [-1.2, 1], { lower: [-2, -2], upper: [2, 2] });
    expect(x[0]).toBeCloseTo(1, 2);
    expect(x[1]).toBeCloseTo(1, 2);
  });

  it('stops at the border of its box', () => {
    const { x } = minimise(valley, [-1.2, 1], { lower: [-2, -2], upper: [0.5, 2] });
    expect(x[0]).toBeCloseTo(0.5, 4);
    expect(x[1]).toBeCloseTo(0.25, 2);
  });
});

describe('warping', () => {
  it('keeps the order, and takes out long tails', () => {
    const warped = warp([1, 2, 3, 4, 1e6]);
    expect(warped).toEqual(warped.toSorted((a, b) => a - b));
    expect(Math.max(...warped)).toBeLessThan(3);
  });

  it('makes nothing of equal values', () => {
    expect(warp([7, 7, 7])).toEqual([0, 0, 0]);
  });
});
