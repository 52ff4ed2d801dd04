import { describe, expect, it } from 'vitest';
import { importanceOf, totalEffects } from '../../../tuning/importance.ts';
import { bitsOf, uniform } from '../../../tuning/numbers.ts';
import { Space } from '../../../tuning/space.ts';
import type { Parameter } from '../../../tuning/axis.ts';
import type { Search, Trial } from '../../../tuning/search.ts';
import type { Assignments } from '../../../tuning/space.ts';

const range = (min: number, max: number, more: object = {}): Parameter => ({
  type: 'range',
  min,
  max,
  scale: 'linear',
  whole: false,
  ...more,
});

const searchOf = (parameters: Search['parameters']): Search => ({
  algorithm: 'bayesian',
  goal: 'minimize',
  parameters,
  seed: 0,
  maxTrials: 200,
});

/** Trials by chance, each with the value that a function has. */
function trialsOf(
  { parameters }: Search,
  count: number,
  of: (assignments: Assignments, trial: number) => number,
): readonly Trial[] {
  const space = new Space(parameters);
  return Array.from({ length: count }, (_, trial) => {
    const chances = space.axes.map(({ name }) => uniform(`${trial}/${name}`));
    const assignments = space.decode(space.draw(chances));
    return { assignments, value: of(assignments, trial) };
  });
}

/** The shares by name, in hundredths; none where they are not known. */
function sharesOf(search: Search, trials: readonly Trial[]): Readonly<Record<string, number>> {
  const importance = importanceOf(search, trials);
  if (!importance.known) return {};
  return Object.fromEntries(importance.parameters.map(({ name, share }) => [name, Math.round(100 * share)]));
}

describe("the total effect of a function's axes", () => {
  const square = new Space({ x: range(0, 1), y: range(0, 1) });

  it.each([
    ['a sum: by the squares of its slopes', ([x = 0, y = 0]: readonly number[]) => 2 * x + y, [0.8, 0.2]],
    ['one axis alone', ([x = 0]: readonly number[]) => Math.sin(5 * x), [1, 0]],
    [
      'a product about its middle: both, since each does nothing alone',
      ([x = 0, y = 0]: readonly number[]) => (x - 0.5) * (y - 0.5),
      [1, 1],
    ],
  ])('is known of %s', (_, of, expected) => {
    const effects = totalEffects(of, square, 'seed') ?? [];
    for (const [i, effect] of expected.entries()) expect(effects[i]).toBeCloseTo(effect, 1);
  });

  it("is that of Ishigami's function", () => {
    const cube = new Space({ x: range(0, 1), y: range(0, 1), z: range(0, 1) });
    const angle = (u = 0) => (2 * u - 1) * Math.PI;
    const ishigami = ([x, y, z]: readonly number[]) =>
      Math.sin(angle(x)) + 7 * Math.sin(angle(y)) ** 2 + 0.1 * angle(z) ** 4 * Math.sin(angle(x));
    const effects = totalEffects(ishigami, cube, 'seed') ?? [];
    for (const [i, effect] of [0.558, 0.442, 0.244].entries())
      expect(Math.abs((effects[i] ?? 0) - effect)).toBeLessThan(0.08);
  });

  it('is not known of a function that is the same everywhere', () => {
    expect(totalEffects(() => 7, square, 'seed')).toBeUndefined();
  });
});

describe('the importance of parameters', () => {
  const three = searchOf({ a: range(0, 1), b: range(0, 1), c: range(0, 1) });
  const slope = ({ a, b }: Assignments) => 2 * Number(a) + Number(b);

  it.each([12, 24, 150])('is near to what is known of a slope, after %i trials', (count) => {
    const { a = 0, b = 0, c = 100 } = sharesOf(three, trialsOf(three, count, slope));
    expect(Math.abs(a - 80)).toBeLessThan(10);
    expect(Math.abs(b - 20)).toBeLessThan(10);
    expect(c).toBeLessThan(5);
  });

  it('is the same where a high value is a good one, and where one value is far out', () => {
    const trials = trialsOf(three, 24, slope);
    const shares = sharesOf(three, trials);
    expect(sharesOf({ ...three, goal: 'maximize' }, trials)).toEqual(shares);
    const worst = Math.max(...trials.map(({ value = 0 }) => value));
    const far = trials.map((trial) => (trial.value === worst ? { ...trial, value: 1e6 } : trial));
    const { a = 0, b = 0, c = 100 } = sharesOf(three, far);
    expect(a).toBeGreaterThan(60);
    expect(b).toBeGreaterThan(c);
  });

  it('counts equal factors the same on a logarithmic scale, and knows texts', () => {
    const search = searchOf({
      optimizer: { type: 'choice', values: ['adam', 'sgd', 'lion'] },
      rate: range(1e-5, 1, { scale: 'log' }),
      seed: { type: 'numbers', values: [1, 2, 3] },
    });
    const value = ({ optimizer, rate }: Assignments) =>
      Math.abs(Math.log10(Number(rate)) + 3) + (optimizer === 'sgd' ? 1 : 0);
    const { optimizer = 0, rate = 0, seed = 100 } = sharesOf(search, trialsOf(search, 30, value));
    expect(rate).toBeGreaterThan(50);
    expect(optimizer).toBeGreaterThan(10);
    expect(seed).toBeLessThan(optimizer);
  });

  it('is nothing for a parameter that has one value', () => {
    const search = searchOf({ a: range(0, 1), b: { type: 'numbers', values: [4] } });
    expect(
      sharesOf(
        search,
        trialsOf(search, 12, ({ a }) => Number(a)),
      ),
    ).toEqual({ a: 100, b: 0 });
  });

  it('says how many trials it is from, and how much of them it explains', () => {
    const trials = [
      ...trialsOf(three, 24, slope),
      { assignments: { a: 0, b: 0, c: 0 } },
      { assignments: { a: 1, b: 0, c: 0 }, value: Number.NaN },
    ];
    expect(importanceOf(three, trials)).toMatchObject({ known: true, trials: 24 });
    const importance = importanceOf(three, trials);
    expect(importance.known && importance.explained).toBeGreaterThan(0.9);
  });

  it('is not known after few trials: ten, or three for each parameter that has more than one value', () => {
    const wide = searchOf({
      ...Object.fromEntries('abcde'.split('').map((name) => [name, range(0, 1)])),
      f: range(2, 2),
    });
    expect(importanceOf(three, trialsOf(three, 9, slope))).toEqual({
      known: false,
      reason: 'few',
      trials: 9,
      needed: 10,
    });
    expect(importanceOf(wide, trialsOf(wide, 14, slope))).toEqual({
      known: false,
      reason: 'few',
      trials: 14,
      needed: 15,
    });
    expect(importanceOf(wide, trialsOf(wide, 15, slope))).toMatchObject({ trials: 15, known: true });
    expect(importanceOf(three, [])).toEqual({ known: false, reason: 'few', trials: 0, needed: 10 });
  });

  it('is not known where all trials have one value', () => {
    expect(
      importanceOf(
        three,
        trialsOf(three, 20, () => 0.5),
      ),
    ).toMatchObject({ known: false, reason: 'equal' });
  });

  it('is seldom given of noise', () => {
    const given = Array.from({ length: 20 }, (_, seed) =>
      importanceOf(
        three,
        trialsOf(three, 24, (_, trial) => bitsOf(`noise/${seed}/${trial}`)),
      ),
    ).filter(({ known }) => known);
    expect(given.length).toBeLessThan(4);
  });

  it.each([
    ['both ends of what a double holds', [Number.MAX_VALUE, -Number.MAX_VALUE, 0]],
    ['the least that there are', [5e-324, 0, -5e-324]],
    ['infinite and no numbers', [Infinity, -Infinity, Number.NaN]],
    ['all orders of magnitude', [1e-300, 1e-100, 1, 1e100, 1e300]],
  ])('is bounded where values are %s', (_, values) => {
    const importance = importanceOf(
      three,
      trialsOf(three, 40, (_, i) => values[i % values.length] ?? 0),
    );
    if (!importance.known) return;
    for (const { share } of importance.parameters) {
      expect(share).toBeGreaterThanOrEqual(0);
      expect(share).toBeLessThanOrEqual(1);
    }
  });

  it('takes less than five seconds of the processor for a thousand trials of sixteen parameters', () => {
    const wide = searchOf(Object.fromEntries(Array.from({ length: 16 }, (_, i) => [`p${i}`, range(0, 1)])));
    const trials = trialsOf(wide, 1000, ({ p0, p1 }, i) => Number(p0) + Number(p1) ** 2 + (i % 7) / 20);
    const before = process.cpuUsage();
    importanceOf(wide, trials);
    expect(process.cpuUsage(before).user / 1e6).toBeLessThan(5);
  });
});
