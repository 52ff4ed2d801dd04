import { describe, expect, test } from 'vitest';
import { metricScale, parameterScale, trialScale, within } from '../../../cli/tuning/plots/scales.ts';
import type { Point } from '../../../cli/tuning/search.ts';

const points = (values: readonly number[]): readonly Point[] =>
  values.map((value, i) => ({ number: i + 1, value, best: value, assignments: {} }));

const scaleOf = (goal: 'maximize' | 'minimize', values: readonly number[], target?: number) =>
  metricScale({ goal, points: points(values), ...(target !== undefined && { target }) });

/** Numbers at the ticks that are given, as they are shown. */
const labels = ({ ticks, label }: ReturnType<typeof trialScale>) =>
  typeof ticks === 'number' ? ticks : ticks.map(label);

describe('the axis of the metric', () => {
  test.each([
    ['minimize', [10, 1, 0.1, 0.01], 'log'],
    ['minimize', [10, 1, 0.2], 'linear'],
    ['minimize', [10, 1, 0], 'linear'],
    ['minimize', [10, 1, -0.01], 'linear'],
    ['maximize', [0.001, 0.9, 0.91, 0.92, 0.93], 'linear'],
    ['maximize', [1, 10, 100, 1000, 10_000], 'log'],
    ['maximize', [0.5, 0.5], 'linear'],
  ] as const)('of a search to %s, with the values %j, is %s', (goal, values, type) => {
    expect(scaleOf(goal, values).type).toBe(type);
  });

  test('is linear where its target is no number of a logarithmic one', () => {
    expect(scaleOf('minimize', [10, 0.01], 0.001)).toMatchObject({ type: 'log', target: 0.001 });
    expect(scaleOf('minimize', [10, 0.01], 0)).toMatchObject({ type: 'linear', target: 0 });
  });

  test('reaches to the target, unless that is so far away that it would flatten all values', () => {
    expect(scaleOf('maximize', [0.5, 0.9], 0.95)).toMatchObject({ domain: [0.5, 0.95], target: 0.95 });
    expect(scaleOf('maximize', [0.5, 0.9], 0.6)).toMatchObject({ domain: [0.5, 0.9], target: 0.6 });
    expect(scaleOf('maximize', [0.5, 0.9], 100)).not.toHaveProperty('target');
    expect(scaleOf('maximize', [0.5, 0.9], 100).domain).toEqual([0.5, 0.9]);
  });

  test.each([
    [[0.5], [0.45, 0.55]],
    [
      [0, 0],
      [-1, 1],
    ],
    [
      [-8, -8],
      [-8.8, -7.2],
    ],
    [
      [5e-324, -5e-324],
      [-1, 1],
    ],
    [
      [Number.MAX_VALUE, -Number.MAX_VALUE],
      [-1e300, 1e300],
    ],
    [[], [0, 1]],
  ])('of the values %j goes over %j', (values, [low = 0, high = 0]) => {
    const { domain } = scaleOf('maximize', values);
    expect(domain[0]).toBeCloseTo(low, 9);
    expect(domain[1]).toBeCloseTo(high, 9);
  });

  test.each([
    [[0.9000001, 0.91], 0.905, '0.905'],
    [[0, 1], 1 / 3, '0.33'],
    [[0, 250_000], 50_000, '50000'],
    [[0, 3e9], 1e9, '1e+9'],
    [[0, 4e-5], 2e-5, '2e-5'],
  ])('of the values %j shows %d as %s', (values, value, text) => {
    expect(scaleOf('maximize', values).label(value)).toBe(text);
  });
});

describe('the axis of a parameter', () => {
  const of = (min: number, max: number, more: { type?: 'log'; whole?: boolean } = {}) => {
    const scale = parameterScale({ type: 'linear', min, max, whole: false, ...more });
    if (scale === undefined) throw new Error('it is an axis of numbers');
    return scale;
  };

  test.each([
    [1e-4, 0.1, ['1e-4', '0.001', '0.01', '0.1']],
    [3, 80, ['5', '10', '20', '50']],
    [0.2, 0.3, ['0.2', '0.3']],
    [1e-9, 1, ['1e-9', '1e-7', '1e-5', '0.001', '0.1']],
    [-0.1, -1e-4, ['-0.1', '-0.01', '-0.001', '-1e-4']],
  ])('has ticks at powers of ten from %d to %d, or at 2 and 5 times one', (min, max, expected) => {
    const scale = of(min, max, { type: 'log' });
    expect(scale).toMatchObject({ type: 'log', domain: [min, max] });
    expect(labels(scale)).toEqual(expected);
  });

  test('has a tick for each of a few integers', () => {
    expect(labels(of(1, 4, { whole: true }))).toEqual(['1', '2', '3', '4']);
    expect(labels(of(1, 40, { whole: true }))).toBe(5);
    expect(labels(of(1, 4))).toBe(5);
  });

  test.each([
    [-Number.MAX_VALUE, Number.MAX_VALUE],
    [0, 5e-324],
    [1, 1],
    [1, 1.0000000000000002],
    [-1, 1],
  ])('is one that can be drawn from %d to %d', (min, max) => {
    for (const more of [{}, { type: 'log' }, { whole: true }] as const) {
      const scale = of(min, max, more);
      const [low, high] = scale.domain;
      expect(high - low).toBeGreaterThan(0);
      expect(Number.isFinite(high - low)).toBe(true);
      expect(within(scale, min)).toBeGreaterThanOrEqual(low);
      expect(within(scale, max)).toBeLessThanOrEqual(high);
    }
  });

  test('of listed values is none of numbers', () => {
    expect(parameterScale({ type: 'values', values: ['adam', 'sgd'] })).toBeUndefined();
  });
});

test.each([
  [1, ['1']],
  [3, ['1', '2', '3']],
  [30, 5],
])('the axis of %i trials has whole numbers', (last, expected) => {
  expect(labels(trialScale(last))).toEqual(expected);
});
