import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Parameter } from '../../../tuning/axis.ts';
import { keyOf } from '../../../tuning/space.ts';
import { suggest } from '../../../tuning/suggest.ts';
import type { Search, Trial } from '../../../tuning/search.ts';

/** Seconds of the processor that one suggestion may take; the dearest took 0.8. */
const MOST_SECONDS = 5;

type Range = Parameter & { readonly type: 'range' };

const range = (min: number, max: number, more: Partial<Range> = {}): Range => ({
  type: 'range',
  min,
  max,
  scale: 'linear',
  whole: false,
  ...more,
});

const searchOf = (parameters: Search['parameters'], over: Partial<Search> = {}): Search => ({
  algorithm: 'bayesian',
  goal: 'minimize',
  parameters,
  seed: 0,
  maxTrials: 200,
  ...over,
});

function isWithin(parameter: Parameter, value: unknown): boolean {
  if (parameter.type !== 'range') return (parameter.values as readonly unknown[]).includes(value);
  const { min, max, whole } = parameter;
  return typeof value === 'number' && value >= min && value <= max && (!whole || Number.isInteger(value));
}

/** Asks for the next trial, and holds it to what every suggestion must be. */
function next(search: Search, trials: readonly Trial[]): Trial['assignments'] | undefined {
  const before = process.cpuUsage();
  const found = suggest(search, trials);
  const { user } = process.cpuUsage(before);
  expect(user / 1e6).toBeLessThan(MOST_SECONDS);
  if (found === undefined) return undefined;
  const tried = new Set(trials.map(({ assignments }) => keyOf(assignments)));
  expect(tried.has(keyOf(found))).toBe(false);
  for (const [name, parameter] of Object.entries(search.parameters)) {
    expect(isWithin(parameter, found[name]), `${name}=${found[name]} of ${JSON.stringify(parameter)}`).toBe(true);
  }
  return found;
}

/** Leads a search for so many trials, which come to what they are told. */
function lead(search: Search, count: number, values: readonly (number | undefined)[]): readonly Trial[] {
  const trials: Trial[] = [];
  while (trials.length < count) {
    const assignments = next(search, trials);
    if (assignments === undefined) break;
    const value = values[trials.length % values.length];
    trials.push({ assignments, ...(value !== undefined && { value }) });
  }
  return trials;
}

const EDGES = [
  0,
  -0,
  1,
  -1,
  5e-324,
  -5e-324,
  2.2250738585072014e-308,
  1e-200,
  0.1,
  1 + Number.EPSILON,
  1e21,
  1e200,
  1e308,
  -1e308,
  Number.MAX_VALUE,
  -Number.MAX_VALUE,
  Number.MAX_SAFE_INTEGER,
  2 ** 53,
  2 ** 60,
];
const edge = fc.oneof(fc.constantFrom(...EDGES), fc.double({ noNaN: true, noDefaultInfinity: true }));

/** Two numbers of which the first is less: anywhere, or next to each other. */
const bounds = fc
  .oneof(
    fc.tuple(edge, edge),
    edge.chain((from) =>
      fc
        .nat(3000)
        .map((steps) => [from, Math.min(from + steps * Math.abs(from) * Number.EPSILON, Number.MAX_VALUE)] as const),
    ),
  )
  .map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const)
  .filter(([min, max]) => min < max);

const hostileRange = fc
  .record({
    ends: bounds,
    scale: fc.constantFrom('linear' as const, 'log' as const),
    whole: fc.boolean(),
    steps: fc.option(fc.integer({ min: 2, max: 1000 }), { nil: undefined, freq: 5 }),
  })
  .filter(({ ends: [min, max], scale }) => scale === 'linear' || min > 0 || max < 0)
  .map(({ ends: [min, max], scale, whole, steps }) =>
    range(whole ? Math.floor(min) : min, whole ? Math.ceil(max) : max, {
      scale: whole ? 'linear' : scale,
      whole,
      ...(steps !== undefined && { steps }),
    }),
  );

const parameter: fc.Arbitrary<Parameter> = fc.oneof(
  hostileRange,
  fc.array(edge, { minLength: 1, maxLength: 64 }).map((values) => ({ type: 'numbers' as const, values })),
  fc
    .array(fc.string({ maxLength: 8 }), { minLength: 1, maxLength: 64 })
    .map((values) => ({ type: 'choice' as const, values })),
);

const name = fc.oneof(
  fc.constantFrom('a', 'b', 'constructor', 'toString', 'hasOwnProperty'),
  fc.stringMatching(/^[a-z]{1,5}$/),
);

const hostileSearch = fc.record({
  algorithm: fc.constantFrom('bayesian' as const, 'random' as const, 'grid' as const),
  goal: fc.constantFrom('maximize' as const, 'minimize' as const),
  parameters: fc.dictionary(name, parameter, { minKeys: 1, maxKeys: 16 }),
  seed: fc.nat(),
  maxTrials: fc.constantFrom(1, 20, 200, Number.MAX_SAFE_INTEGER, Number.MAX_VALUE),
});

/** What comes of a trial; undefined where it still runs. */
const value = fc.option(fc.oneof(edge, fc.constantFrom(Number.NaN, Infinity, -Infinity, 0.5)), { nil: undefined });

describe('a suggestion, whatever is searched and whatever came of it', () => {
  it('comes in bounded time, is new, within its range, and the same each time', () => {
    fc.assert(
      fc.property(hostileSearch, fc.array(value, { minLength: 1, maxLength: 9 }), (search, values) => {
        const trials = lead(search, 8, values);
        expect(next(search, trials)).toEqual(next(search, trials));
      }),
      { numRuns: 40, endOnFailure: true },
    );
  }, 300_000);

  it.each([
    ['of two numbers by rounding', range(1, 1.0000000000000002), 2],
    ['of two numbers that are the least there are', range(0, 5e-324), 2],
    ['of three whole numbers that have values of their own', range(2 ** 60, 2 ** 60 + 512, { whole: true }), 3],
    ['of 11 numbers', range(1, 1 + 10 * Number.EPSILON), 11],
  ])('goes through a range %s, and ends', (_, parameter, count) => {
    for (const algorithm of ['bayesian', 'random'] as const)
      expect(lead(searchOf({ x: parameter }, { algorithm }), 20, [1, 2, 3])).toHaveLength(count);
  });

  it.each([
    ['next to 1, on a logarithmic scale', range(0.9999999, 0.99999999, { scale: 'log' })],
    ['next to -1, on a logarithmic scale', range(-0.99999999, -0.9999999, { scale: 'log' })],
    ['of all numbers', range(-Number.MAX_VALUE, Number.MAX_VALUE)],
    ['of all numbers above 0, on a logarithmic scale', range(5e-324, Number.MAX_VALUE, { scale: 'log' })],
    ['that is narrow and far out, on a logarithmic scale', range(1e300, 1e300 * (1 + 1e-10), { scale: 'log' })],
    ['of a thousand and some neighbours', range(1, 1 + 1500 * Number.EPSILON)],
    ['of numbers that are hardly any', range(0, 1e-310)],
    ['of whole numbers, up to what has no value of its own', range(0, 1e21, { whole: true })],
  ])('has enough to choose from in a range %s', (_, parameter) => {
    expect(lead(searchOf({ x: parameter }), 8, [3, 1, 2])).toHaveLength(8);
    expect(lead(searchOf({ x: parameter }, { algorithm: 'random' }), 40, [1])).toHaveLength(40);
  });

  it.each([
    ['one that is the greatest there is', [0.5, 0.4, Number.MAX_VALUE, 0.3]],
    ['both ends of what there is', [Number.MAX_VALUE, -Number.MAX_VALUE, 1e308, -1e308]],
    ['the least that there are', [5e-324, 0, -5e-324, 1e-320]],
    ['all the same', [1e308]],
    ['none', [Number.NaN]],
    ['more than half the same, and one far out', [1, 1, 1, 1, 1e308]],
    ['all orders of magnitude', [1e-300, 1e-100, 1, 1e100, 1e300]],
  ])('continues where values are %s', (_, values) => {
    expect(lead(searchOf({ x: range(0, 1), y: range(1e-4, 1, { scale: 'log' }) }), 8, values)).toHaveLength(8);
  });

  it('is not misled by one value that is as bad as can be', () => {
    const search = searchOf({ x: range(0, 1) }, { maxTrials: 16 });
    const trials: Trial[] = [];
    while (trials.length < 16) {
      const assignments = next(search, trials) ?? {};
      const distance = Math.abs(Number(assignments['x']) - 0.7);
      trials.push({ assignments, value: trials.length === 2 ? Number.MAX_VALUE : distance });
    }
    expect(trials.reduce((best, { value = 1 }) => Math.min(best, value), 1)).toBeLessThan(0.01);
  });

  it('comes in bounded time where there are hundreds of parameters, with thousands of values', () => {
    const texts = Array.from({ length: 5000 }, (_, i) => `v${i}`);
    const parameters = Object.fromEntries(
      Array.from({ length: 200 }, (_, i): [string, Parameter] => [
        `p${i}`,
        i % 3 === 0 ? { type: 'choice', values: texts } : range(0, 1, { steps: 1e9 }),
      ]),
    );
    for (const algorithm of ['bayesian', 'random', 'grid'] as const)
      expect(lead(searchOf(parameters, { algorithm }), 5, [1, 2, 3])).toHaveLength(5);
  }, 120_000);

  it('comes in bounded time after thousands of trials, of which many run', () => {
    const trials = Array.from({ length: 4000 }, (_, i): Trial => ({
      assignments: { x: i / 4000 },
      ...(i % 2 === 0 && { value: i % 7 }),
    }));
    expect(next(searchOf({ x: range(0, 1) }), trials)).toBeDefined();
  });

  it('does not take for tried what was tried of other parameters', () => {
    const trials = ['lion', 'lamb', 'adagrad'].map((optimizer): Trial => ({ assignments: { optimizer }, value: 1 }));
    const search = searchOf({ optimizer: { type: 'choice', values: ['adam', 'sgd'] } });
    expect(next(search, trials)).toBeDefined();
  });
});
