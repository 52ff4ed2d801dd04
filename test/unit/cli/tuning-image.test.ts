import { describe, expect, test } from 'vitest';
import { drawnSearch, type DrawnSearch } from '../../../cli/tuning/search.ts';
import { searchSvg } from '../../../cli/tuning/svg.ts';
import type { DistributedTrainingStatus } from '../../../constructs/distributed-training/status.ts';
import { searchSpec } from '../kinds/distributed-training/search.ts';
import { resourceOf } from '../kinds/distributed-training/support.ts';

type Tuning = NonNullable<DistributedTrainingStatus['tuning']>;
type Trial = Tuning['trials'][number];

const trial = (number: number, over: Partial<Trial> = {}): Trial => ({
  number,
  phase: 'Completed',
  assignments: { rate: '0.01', optimizer: 'adam' },
  ...over,
});

const trials = [
  trial(1, { value: 0.5 }),
  trial(2, { phase: 'Failed', reason: 'OutOfMemory', message: 'Rank 0 was OOM-killed.' }),
  trial(3, { value: 0.9, assignments: { rate: '0.1', optimizer: 'sgd' } }),
  trial(4, { value: 0.7, assignments: { rate: '0.001', optimizer: 'adam' } }),
  trial(5, { phase: 'Running' }),
];
const best = { trial: 3, value: 0.9, assignments: { rate: '0.1', optimizer: 'sgd' } };
const counts = { running: 1, succeeded: 3, failed: 1 };

const searchOf = (tuning: Partial<Tuning> = {}, spec: Parameters<typeof searchSpec>[0] = {}): DrawnSearch =>
  drawnSearch(
    resourceOf(searchSpec(spec), { status: { phase: 'Running', tuning: { best, ...counts, trials, ...tuning } } }),
  );

const objective = { metric: 'accuracy', goal: 'maximize', take: 'last', target: 0.95 } as const;

/** The texts of an image, in their order. */
const textsOf = (svg: string): readonly string[] =>
  [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text = '']) => text);

/** What is told of each mark. */
const titlesOf = (svg: string): readonly string[] =>
  [...svg.matchAll(/<title>([^<]*)<\/title>/g)].map(([, text = '']) => text);

describe('a search as an image', () => {
  test('has each trial over time and for each parameter: its value, or why it has none', async () => {
    const titles = titlesOf(await searchSvg(searchOf()));
    const failed = 'trial 2: Failed\nOutOfMemory: Rank 0 was OOM-killed.\n';
    expect(titles.filter((title) => title.startsWith('trial 3\naccuracy=0.9\n'))).toEqual([
      'trial 3\naccuracy=0.9\noptimizer=sgd\nrate=0.1',
      'trial 3\naccuracy=0.9\noptimizer=sgd',
      'trial 3\naccuracy=0.9\nrate=0.1',
    ]);
    expect(titles.filter((title) => title.startsWith(failed))).toHaveLength(3);
    expect(titles.filter((title) => title.startsWith('trial 5: Running\n'))).toHaveLength(3);
    expect(titles.filter((title) => title.startsWith('trial '))).toHaveLength(15);
  });

  test('says what it shows, for those who see it and for those who do not', async () => {
    const svg = await searchSvg(searchOf({}, { objective }));
    const lines = [
      'Running, 5 of 8 trials (1 running, 3 succeeded, 1 failed); maximize accuracy, target 0.95',
      'best: trial 3, accuracy=0.9 with rate=0.1 optimizer=sgd',
    ];
    expect(textsOf(svg)).toEqual(expect.arrayContaining(['resnet', ...lines]));
    expect(svg).toContain(`<desc>${lines.join('\n')}</desc>`);
    expect(svg).toContain('role="img"');
    expect(titlesOf(svg)[0]).toBe('Search resnet');
  });

  test('has axes with ticks, logarithmic where the parameter is', async () => {
    const texts = textsOf(await searchSvg(searchOf({}, { objective })));
    for (const text of ['accuracy (higher is better)', 'optimizer', 'adam', 'sgd', 'rate (logarithmic)', 'trial'])
      expect(texts).toContain(text);
    const from = texts.indexOf('rate (logarithmic)');
    expect(texts.slice(from - 4, from)).toEqual(['0.001', '0.01', '0.1', '1']);
  });

  test('has powers of ten at the ticks of a metric whose values span decades', async () => {
    const goal = { objective: { metric: 'loss', goal: 'minimize', take: 'last' } } as const;
    const values = trials.map((each, i) => ({ ...each, phase: 'Completed' as const, value: 10 ** -i }));
    const texts = textsOf(await searchSvg(searchOf({ trials: values }, goal)));
    expect(texts).toContain('loss (lower is better, logarithmic)');
    for (const tick of ['1e-4', '0.001', '0.01', '0.1', '1']) expect(texts.slice(0, 15)).toContain(tick);
  });

  test('has a legend of the marks that it has', async () => {
    const entries = (svg: string) =>
      textsOf(svg)
        .filter((text) => /^(value of|best|failed|not ended|target)/.test(text))
        .slice(1);
    expect(entries(await searchSvg(searchOf({}, { objective })))).toEqual([
      'value of a trial',
      'best trial',
      'best so far',
      'failed',
      'not ended',
      'target',
    ]);
    expect(entries(await searchSvg(searchOf({ trials: trials.filter(({ value }) => value !== undefined) })))).toEqual([
      'value of a trial',
      'best trial',
      'best so far',
    ]);
  });

  test('has the target as a line in each plot, where it is near', async () => {
    const lines = async (target: number) =>
      titlesOf(await searchSvg(searchOf({}, { objective: { ...objective, target } }))).filter((title) =>
        title.startsWith('target'),
      );
    expect(await lines(0.95)).toEqual(['target 0.95', 'target 0.95', 'target 0.95']);
    expect(await lines(1e6)).toEqual([]);
  });

  test('has the importance of each parameter, or why it is not known', async () => {
    const many = Array.from({ length: 16 }, (_, i) => {
      const rate = 10 ** ((-3 * ((i * 7) % 16)) / 15);
      return trial(i + 1, {
        value: Math.log10(rate),
        assignments: { rate: String(rate), optimizer: i % 2 === 0 ? 'adam' : 'sgd' },
      });
    });
    const known = await searchSvg(searchOf({ trials: many }));
    expect(titlesOf(known)).toContain(
      'rate: a part in 100% of the variation of accuracy, alone or with other parameters',
    );
    expect(textsOf(known)).toContain('Importance of the parameters');
    expect(await searchSvg(searchOf())).toMatch(/known from 10 trials with a value on; there/);
  });

  test('has for each of its colours another for a dark screen', async () => {
    const svg = await searchSvg(searchOf({}, { objective }));
    const used = new Set([...svg.matchAll(/(?:fill|stroke)="(#\w+)"/g)].map(([, colour = '']) => colour));
    const [, dark = ''] = /@media \(prefers-color-scheme: dark\)\{(.*)\}<\/style>/.exec(svg) ?? [];
    expect(used.size).toBeGreaterThan(6);
    expect([...used].filter((colour) => !dark.includes(`[fill="${colour}"]`))).toEqual([]);
  });

  test('escapes what users have written', async () => {
    const words = 'a<b>&"c"';
    const escaped = 'a&lt;b&gt;&amp;&quot;c&quot;';
    const svg = await searchSvg({
      ...searchOf({ trials: [trial(1, { phase: 'Failed', reason: words, assignments: { rate: words } })] }),
      name: words,
      metric: words,
    });
    expect(svg).toContain(`>${escaped}</text>`);
    expect(svg).toContain(`>${escaped} (higher is better)</text>`);
    expect(svg).toContain(`trial 1: Failed\n${escaped}\n`);
    expect(svg).not.toContain('<b>');
  });

  test('is the same each time', async () => {
    expect(await searchSvg(searchOf())).toBe(await searchSvg(searchOf()));
  });
});

describe('an image of a search that is odd', () => {
  test('has no plot where there is no trial', async () => {
    const svg = await searchSvg(drawnSearch(resourceOf(searchSpec())));
    expect(svg).toContain('no trial has a value yet');
    expect(svg).not.toContain('<g');
  });

  test('shows trials that failed or run where none has a value', async () => {
    const { best: _, ...rest } = {
      ...searchOf({ trials: [trial(1, { phase: 'Failed' }), trial(2, { phase: 'Pending' })] }),
    };
    const svg = await searchSvg(rest);
    expect(titlesOf(svg).filter((title) => title.startsWith('trial '))).toHaveLength(6);
    expect(svg).toContain('no trial has a value yet');
  });

  test('has one trial in the middle', async () => {
    const svg = await searchSvg(searchOf({ trials: [trial(3, { value: 0.9 })] }, { maxTrials: 1 }));
    expect(titlesOf(svg).filter((title) => title.startsWith('trial 3\n'))).toHaveLength(3);
    expect(svg).not.toMatch(/NaN|Infinity/);
  });

  test('leaves out where a value is not on the axis of its parameter any more', async () => {
    const parameters = { rate: { type: 'float' as const, min: 0.05, max: 1 } };
    const titles = titlesOf(await searchSvg(searchOf({}, { parameters })));
    expect(titles.filter((title) => title.startsWith('trial '))).toHaveLength(6);
  });

  test.each([1, 2, 3])('has all trials within it where maxTrials was lowered to %i', async (maxTrials) => {
    const svg = await searchSvg(searchOf({}, { maxTrials }));
    const across = [...svg.matchAll(/<circle [^>]*cx="([^"]+)"/g)].map(([, x]) => Number(x));
    expect(across.every((x) => x >= 0 && x <= 580)).toBe(true);
    expect(textsOf(svg)).toContain('5');
  });

  const odd: readonly (readonly number[])[] = [
    [Number.MAX_VALUE, -Number.MAX_VALUE],
    [5e-324, 0, -5e-324],
    [1, 1, 1],
    [Infinity, 2, 3],
    [Number.NaN, 2],
    [0.900_000_01, 0.900_000_02],
    [1e300, 1e-300, 1],
    [0],
  ];
  const parameters = {
    all: { type: 'float', min: -Number.MAX_VALUE, max: Number.MAX_VALUE },
    log: { type: 'float', min: 5e-324, max: Number.MAX_VALUE, scale: 'log' },
    negative: { type: 'float', min: -1, max: -1e-5, scale: 'log' },
    one: { type: 'int', values: [1] },
    two: { type: 'float', min: 1, max: 1.000_000_000_000_000_2 },
    words: { type: 'categorical', values: ['only'] },
  } as const;
  const assignments = { all: '-1e308', log: '1', negative: '-0.01', one: '1', two: '1', words: 'only' };

  test.each(odd.flatMap((values) => [undefined, 0, 1e308].map((target) => [values, target] as const)))(
    'is drawn of the values %j, with the target %s',
    async (values, target) => {
      for (const goal of ['maximize', 'minimize'] as const) {
        const { best: _, ...search } = searchOf(
          { trials: values.map((value, i) => trial(i + 1, { value, assignments })) },
          { objective: { ...objective, goal, ...(target !== undefined && { target }) }, parameters },
        );
        const svg = await searchSvg(search);
        expect(svg.replaceAll(/<title>[^<]*<\/title>/g, '')).not.toMatch(/NaN|Infinity|undefined|⚠/);
      }
    },
  );

  test('is bounded, in size and in time, with a thousand trials of sixteen parameters with long names and many values', async () => {
    const texts = Array.from({ length: 64 }, (_, i) => `${'v'.repeat(120)}${i}`);
    const names = Array.from({ length: 16 }, (_, i) => `${'parameter_'.repeat(5)}${i}`);
    const wide = Object.fromEntries(names.map((name) => [name, { type: 'categorical' as const, values: texts }]));
    const many = Array.from({ length: 1000 }, (_, i) =>
      trial(i + 1, {
        ...(i % 9 === 0 ? { phase: 'Failed', reason: 'R'.repeat(63), message: 'm'.repeat(256) } : { value: i }),
        assignments: Object.fromEntries(names.map((name, axis) => [name, texts[(i * 7 + axis) % 64] ?? ''])),
      }),
    );
    const search = searchOf(
      { trials: many },
      { objective: { ...objective, metric: 'm'.repeat(128) }, parameters: wide },
    );
    const before = process.cpuUsage();
    const svg = await searchSvg(search);
    expect(process.cpuUsage(before).user / 1e6).toBeLessThan(10);
    expect(svg.length).toBeLessThan(8e6);
    expect(textsOf(svg).every((text) => text.length <= 130)).toBe(true);
  });
});
