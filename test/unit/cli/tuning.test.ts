import { describe, expect, test } from 'vitest';
import { drawnSearch } from '../../../cli/tuning/search.ts';
import { searchText } from '../../../cli/tuning/text.ts';
import type { DistributedTrainingStatus } from '../../../constructs/distributed-training/status.ts';
import { searchSpec } from '../kinds/distributed-training/search.ts';
import { resourceOf, specOf } from '../kinds/distributed-training/support.ts';

type Line = NonNullable<DistributedTrainingStatus['tuning']>['trials'][number];

const line = (number: number, value: number | undefined, rate: string, optimizer: string): Line => ({
  number,
  phase: value === undefined ? 'Failed' : 'Completed',
  ...(value === undefined ? { reason: 'RetryLimitExceeded' } : { value }),
  assignments: { rate, optimizer },
});

const trials = [
  line(1, 0.5, '0.01', 'adam'),
  line(2, undefined, '1', 'sgd'),
  line(3, 0.9, '0.1', 'sgd'),
  line(4, 0.7, '0.001', 'adam'),
];
const best = { trial: 3, value: 0.9, assignments: { rate: '0.1', optimizer: 'sgd' } };
const tuning = { best, running: 0, succeeded: 3, failed: 1, trials };
const search = drawnSearch(resourceOf(searchSpec(), { status: { phase: 'Running', tuning } }));
const fresh = drawnSearch(resourceOf(searchSpec()));

describe('a search in the terminal', () => {
  const lines = searchText(search).split('\n');

  test('begins with how it is doing, and the best trial', () => {
    expect(lines.slice(0, 2)).toEqual([
      'resnet: Running, 4 of 8 trials (0 running, 3 succeeded, 1 failed)',
      'The best is trial 3: accuracy=0.9 with rate=0.1 optimizer=sgd',
    ]);
  });

  test('tells the line that the best value was read from, on one line', () => {
    const read = trials.map((each) => (each.number === 3 ? { ...each, line: 'epoch 9: accuracy=0.9\u001B[2J' } : each));
    const reported = drawnSearch(resourceOf(searchSpec(), { status: { tuning: { ...tuning, trials: read } } }));
    expect(searchText(reported).split('\n')[2]).toBe('Read from its line: epoch 9: accuracy=0.9␛[2J');
  });

  test('shows values over trials, the highest at the top, with the best so far as a line', () => {
    const top = lines.findIndex((each) => each.startsWith('0.9 │'));
    expect(lines[top]).toMatch(/^0\.9 │ +●─+$/);
    expect(lines[top + 6]).toMatch(/·$/);
    expect(lines[top + 11]).toMatch(/^0\.5 │●─+$/);
    expect(lines[top + 13]).toMatch(/1 +trial 8$/);
  });

  test('shows where each parameter was, on its scale', () => {
    expect(searchText(search)).toMatch(/rate +0\.001 ░·{12}░·{12}●·{13} 1\n/);
    expect(searchText(search)).toMatch(/optimizer +adam ▒·{38}● sgd\n/);
  });

  test('says from how many trials on it is known how important the parameters are', () => {
    expect(lines).toContain('Importance of the parameters: known from 10 trials with a value on; there are 3');
  });

  test('has a line a trial, with the reason where there is no value', () => {
    expect(lines.slice(-6)).toEqual([
      'trial  phase      accuracy            optimizer  rate',
      ' 1     Completed  0.5                 adam       0.01',
      ' 2     Failed     RetryLimitExceeded  sgd        1',
      '*3     Completed  0.9                 sgd        0.1',
      ' 4     Completed  0.7                 adam       0.001',
      '',
    ]);
  });

  test('says that there is nothing yet', () => {
    expect(searchText(fresh)).toBe(
      'resnet: Pending, 0 of 8 trials (0 running, 0 succeeded, 0 failed)\nNo trial has a value yet.\n',
    );
  });

  test('is refused for a training that is no search', () => {
    expect(() => drawnSearch(resourceOf(specOf()))).toThrow(/is no search/);
  });
});

describe('a search whose maxTrials was lowered below the number of its trials', () => {
  const lowered = (maxTrials: number) =>
    drawnSearch(resourceOf(searchSpec({ maxTrials }), { status: { phase: 'Completed', tuning } }));

  test.each([1, 2, 3])('to %i says so, and shows all of them up to the last', (maxTrials) => {
    const lines = searchText(lowered(maxTrials)).split('\n');
    expect(lines[0]).toBe(
      `resnet: Completed, 4 trials, more than maxTrials of ${maxTrials} (0 running, 3 succeeded, 1 failed)`,
    );
    const top = lines.findIndex((each) => each.startsWith('0.9 │'));
    expect(
      lines
        .slice(top, top + 12)
        .join('')
        .match(/[●·]/g),
    ).toHaveLength(3);
    expect(lines[top + 13]).toMatch(/1 +trial 4$/);
  });
});

describe('a search of one trial', () => {
  const [only = line(1, 0.5, '0.01', 'adam')] = trials;
  const one = drawnSearch(
    resourceOf(searchSpec({ maxTrials: 1 }), {
      status: { tuning: { running: 0, succeeded: 1, failed: 0, trials: [only] } },
    }),
  );

  test('has its point in the middle', () => {
    expect(searchText(one)).toMatch(/0\.5 │ {30}●/);
  });
});

test('a value that is not on the axis of its parameter any more is left out there, and has its line', () => {
  const parameters = { rate: { type: 'float' as const, min: 0.05, max: 1 } };
  const changed = drawnSearch(resourceOf(searchSpec({ parameters }), { status: { tuning } }));
  expect(searchText(changed)).toMatch(/rate +0\.05 ·{2}●·{37} 1\n/);
  expect(searchText(changed)).toContain(' 4     Completed');
});

describe('the importance of the parameters, in the terminal', () => {
  const of = (value: (rate: number, trial: number) => number) => {
    const many = Array.from({ length: 16 }, (_, i) => {
      const rate = 10 ** ((-3 * ((i * 7) % 16)) / 15);
      return line(i + 1, value(rate, i), String(rate), i % 2 === 0 ? 'adam' : 'sgd');
    });
    const status = { tuning: { running: 0, succeeded: 16, failed: 0, trials: many } };
    return searchText(drawnSearch(resourceOf(searchSpec({ maxTrials: 16 }), { status })));
  };

  test('is a bar for each, the longest first', () => {
    const text = of((rate) => 1 + Math.log10(rate));
    expect(text).toContain(
      'Importance for accuracy: the share of its variation in which a parameter has a part, alone or with others\n(from 16 trials; the parameters explain ',
    );
    expect(text).toMatch(/\nrate {7}100% █{20}\noptimizer {4}0%\n/);
  });

  test('is not known where all values are equal, or follow from nothing', () => {
    expect(of(() => 0.5)).toContain('Importance of the parameters: not known: all 16 trials have the same value\n');
    const noise = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3];
    expect(of((_, i) => noise[i] ?? 0)).toContain(
      'Importance of the parameters: not known: the values of 16 trials do not follow from the parameters\n',
    );
  });
});
