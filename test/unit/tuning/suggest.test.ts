import { describe, expect, it } from 'vitest';
import { suggest } from '../../../tuning/suggest.ts';
import type { Search, Trial } from '../../../tuning/search.ts';
import type { Parameter } from '../../../tuning/axis.ts';
import type { Assignments } from '../../../tuning/space.ts';

const range = (min: number, max: number, more: object = {}): Parameter => ({
  type: 'range',
  min,
  max,
  scale: 'linear',
  whole: false,
  ...more,
});

const searchOf = (parameters: Search['parameters'], over: Partial<Search> = {}): Search => ({
  algorithm: 'bayesian',
  goal: 'maximize',
  parameters,
  seed: 0,
  maxTrials: 20,
  ...over,
});

/** Runs a search, one trial at a time. */
function run(search: Search, of: (assignments: Assignments) => number, count = search.maxTrials): readonly Trial[] {
  const trials: Trial[] = [];
  while (trials.length < count) {
    const assignments = suggest(search, trials);
    if (assignments === undefined) break;
    trials.push({ assignments, value: of(assignments) });
  }
  return trials;
}

const best = (trials: readonly Trial[]): number => Math.max(...trials.map(({ value = Number.NaN }) => value));
const assigned = (trials: readonly Trial[]): readonly Assignments[] => trials.map(({ assignments }) => assignments);
const textsOf = (trials: readonly Trial[]): ReadonlySet<string> =>
  new Set(assigned(trials).map((assignments) => JSON.stringify(assignments)));

const small = {
  batch: { type: 'numbers', values: [16, 32, 64] },
  optimizer: { type: 'choice', values: ['a', 'b'] },
} as const;

describe('a suggestion', () => {
  const parameters = { rate: range(1e-4, 0.1, { scale: 'log' }), ...small };
  const peak = ({ rate, batch, optimizer }: Assignments) =>
    -((Math.log10(Number(rate)) + 2.5) ** 2) - (batch === 64 ? 0 : 0.3) - (optimizer === 'b' ? 0 : 0.5);

  it('is the same for the same history and seed, whatever the order of parameters', () => {
    const trials = run(searchOf(parameters), peak, 7);
    const backwards = Object.fromEntries(Object.entries(parameters).toReversed());
    expect(suggest(searchOf(backwards), trials)).toEqual(suggest(searchOf(parameters), trials));
    expect(suggest(searchOf(parameters, { seed: 1 }), trials)).not.toEqual(suggest(searchOf(parameters), trials));
  });

  it('comes near the best of a scale, a list and a choice together', () => {
    for (const seed of [1, 2, 3]) {
      expect(best(run(searchOf(parameters, { seed }), peak))).toBeGreaterThan(-0.05);
    }
  });

  it('is the same whether a function is maximised or its negative minimised', () => {
    const most = run(searchOf(parameters), peak, 10);
    const least = run(searchOf(parameters, { goal: 'minimize' }), (assignments) => -peak(assignments), 10);
    expect(assigned(least)).toEqual(assigned(most));
  });

  it.each([
    ['below zero', range(-10, -0.1)],
    ['below zero on a logarithmic scale', range(-10, -0.1, { scale: 'log' })],
    ['across zero', range(-3, 5)],
    ['of integers', range(-4, 1200, { whole: true })],
    ['of integers on a logarithmic scale', range(1, 4096, { whole: true, scale: 'log' })],
    ['of steps', range(0, 1, { steps: 5 })],
    ['that is very narrow', range(1e6, 1e6 + 1)],
  ] as const)('stays within a range %s, and finds its best end', (_, parameter) => {
    const trials = run(searchOf({ x: parameter }, { maxTrials: 12 }), ({ x }) => Number(x));
    const { min, max, whole } = parameter as Parameter & { type: 'range' };
    const values = trials.map(({ assignments: { x } }) => Number(x));
    for (const value of values) expect(value >= min && value <= max && (!whole || Number.isInteger(value))).toBe(true);
    expect(Math.max(...values)).toBeGreaterThan(max - (max - min) * 0.02);
  });

  it.each(['bayesian', 'random', 'grid'] as const)(
    'of a %s search is never what was tried, until nothing is left',
    (algorithm) => {
      const search = searchOf(small, { algorithm });
      const trials = run(search, () => 1);
      expect(textsOf(trials).size).toBe(6);
      expect(trials).toHaveLength(6);
      expect(suggest(search, trials)).toBeUndefined();
    },
  );

  it('of a trial beside others that run is not where these are', () => {
    const search = searchOf(parameters);
    const trials = [...run(search, peak, 6)];
    for (let running = 0; running < 4; running++) trials.push({ assignments: suggest(search, trials) ?? {} });
    expect(textsOf(trials).size).toBe(10);
  });

  it('is there where more trials run than are spread evenly, and none has ended', () => {
    const trials: Trial[] = [];
    while (trials.length < 12) trials.push({ assignments: suggest(searchOf(parameters), trials) ?? {} });
    expect(textsOf(trials).size).toBe(12);
  });

  it('does not take long however many trials there have been', () => {
    const trials = run(searchOf(parameters, { algorithm: 'random', maxTrials: 150 }), peak);
    const before = process.cpuUsage();
    expect(suggest(searchOf(parameters, { maxTrials: 200 }), trials)).toBeDefined();
    expect(process.cpuUsage(before).user).toBeLessThan(2e6);
  });

  it('turns away from where trials fail', () => {
    const trials = run(searchOf({ x: range(0, 1) }), ({ x }) => (Number(x) > 0.5 ? Number.NaN : Number(x)));
    const late = trials.slice(10).filter(({ value }) => Number.isNaN(value));
    expect(best(trials.filter(({ value }) => !Number.isNaN(value)))).toBeGreaterThan(0.45);
    expect(late.length).toBeLessThan(7);
  });

  it.each([
    ['all trials fail', () => Number.NaN],
    ['all values are the same', () => 3],
    ['values are infinite now and then', ({ x }: Assignments) => (Number(x) > 0.7 ? Infinity : Number(x))],
    ['values are very large', ({ x }: Assignments) => 1e200 * Number(x)],
  ])('continues spreading where %s', (_, of) => {
    const trials = run(searchOf({ x: range(0, 1), y: range(0, 1) }), of);
    expect(textsOf(trials).size).toBe(20);
  });
});

describe('a grid', () => {
  it('goes through its points in order', () => {
    const trials = run(searchOf(small, { algorithm: 'grid' }), () => 0);
    expect(assigned(trials).map(({ batch, optimizer }) => `${batch}${optimizer}`)).toEqual([
      '16a',
      '16b',
      '32a',
      '32b',
      '64a',
      '64b',
    ]);
  });

  it('of more points than there are trials is spread over them', () => {
    const search = searchOf({ x: range(0, 99, { whole: true }) }, { algorithm: 'grid', maxTrials: 5 });
    expect(run(search, () => 0).map(({ assignments: { x } }) => x)).toEqual([0, 20, 40, 60, 80]);
  });

  it('divides a logarithmic range into equal factors', () => {
    const search = searchOf({ x: range(0.001, 1, { scale: 'log', steps: 4 }) }, { algorithm: 'grid' });
    expect(run(search, () => 0).map(({ assignments: { x } }) => x)).toEqual([0.001, 0.01, 0.1, 1]);
  });
});

describe('random search', () => {
  it('draws each of few values about equally often, those at the ends too', () => {
    const counts: Record<string, number> = {};
    for (let seed = 0; seed < 300; seed++) {
      const { batch } = suggest(searchOf(small, { algorithm: 'random', seed }), []) ?? {};
      counts[String(batch)] = (counts[String(batch)] ?? 0) + 1;
    }
    for (const count of Object.values(counts)) expect(count).toBeGreaterThan(70);
  });
});
