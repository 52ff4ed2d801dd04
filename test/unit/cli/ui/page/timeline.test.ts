import { describe, expect, test } from 'vitest';
import type { Attempt } from '../../../../../cli/ui/api.ts';
import { timelineOf } from '../../../../../cli/ui/page/model/timeline.ts';

const NOW = Date.parse('2026-11-28T10:00:00Z');
const at = (minutes: number): string => new Date(NOW + minutes * 60_000).toISOString();

const attempts: readonly Attempt[] = [
  { label: 'Attempt 1', startedAt: at(-100), endedAt: at(-60), state: 'failed', message: 'OOM-killed' },
  { label: 'Attempt 2', startedAt: at(-50), endedAt: at(-30), state: 'interrupted' },
  { label: 'Attempt 3', startedAt: at(-25), state: 'running' },
];

describe('the time line of attempts', () => {
  test('has each where it began, as long as it ran, and says so in words', () => {
    expect(timelineOf(attempts, NOW).bars).toEqual([
      {
        label: 'Attempt 1',
        state: 'failed',
        x: 0,
        width: 40,
        words: 'failed after 40m',
        message: 'OOM-killed',
        isAbove: false,
      },
      {
        label: 'Attempt 2',
        state: 'interrupted',
        x: 50,
        width: 20,
        words: 'interrupted after 20m',
        message: '',
        isAbove: false,
      },
      { label: 'Attempt 3', state: 'running', x: 75, width: 25, words: 'running for 25m', message: '', isAbove: false },
    ]);
  });

  test('says a message once', () => {
    const twice = attempts.map((attempt) => ({ ...attempt, message: 'OOM-killed' }));
    expect(timelineOf(twice, NOW).bars.map(({ isAbove }) => isAbove)).toEqual([false, true, true]);
  });

  test.each([
    ['accuracy=0.9', true],
    ['Container train was OOM-killed.', false],
  ])('has the message %j beside its bar: %s', (message, isCompact) => {
    expect(timelineOf([...attempts, { label: '4', startedAt: at(-1), state: 'failed', message }], NOW)).toMatchObject({
      isCompact,
    });
  });

  test('has ticks at round times', () => {
    expect(timelineOf(attempts, NOW).ticks).toEqual([
      { x: 0, words: '0' },
      { x: 30, words: '30m' },
      { x: 60, words: '1h' },
      { x: 90, words: '1h 30m' },
    ]);
  });

  test.each([0, 1, 59, 600, 86_400, 4_000_000, 400_000_000])('has at most six ticks in %d seconds', (seconds) => {
    const startedAt = new Date(NOW - seconds * 1000).toISOString();
    const { ticks } = timelineOf([{ label: '1', startedAt, state: 'running' }], NOW);
    expect(ticks.length).toBeGreaterThan(0);
    expect(ticks.length).toBeLessThanOrEqual(6);
    expect(ticks.every(({ x }) => x >= 0 && x <= 100)).toBe(true);
  });

  test('is empty without an attempt', () => {
    expect(timelineOf([], NOW)).toMatchObject({ bars: [], hidden: 0 });
  });

  test.each<[string, Attempt]>([
    ['that begins in the future', { label: '1', startedAt: at(5), state: 'running' }],
    ['that ends before it begins', { label: '1', startedAt: at(-5), endedAt: at(-9), state: 'failed' }],
    ['without a time', { label: '1', startedAt: '', state: 'running' }],
  ])('draws an attempt %s inside the line', (_, attempt) => {
    const [bar] = timelineOf([attempt], NOW).bars;
    expect(bar?.x).toBeGreaterThanOrEqual(0);
    expect((bar?.x ?? 0) + (bar?.width ?? 0)).toBeLessThanOrEqual(100);
    expect(bar?.width).toBeGreaterThan(0);
  });

  test('shows the last thirty of many, on the scale of those, or all of them', () => {
    const many = Array.from({ length: 200 }, (_, index): Attempt => ({
      label: `Trial ${index + 1}`,
      startedAt: at(index - 300),
      endedAt: at(index - 299),
      state: 'succeeded',
    }));
    const last = timelineOf(many, NOW);
    expect(last).toMatchObject({ hidden: 170, bars: { length: 30, 0: { label: 'Trial 171', x: 0 } } });
    expect(timelineOf(many, NOW, true)).toMatchObject({ hidden: 0, bars: { length: 200 } });
  });
});
