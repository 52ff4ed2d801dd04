import { describe, expect, it } from 'vitest';
import { DeadlineError, withDeadline } from '../../../operator/engine/telemetry/deadline.ts';

describe('work with a deadline', () => {
  it('gives what the work gives, and throws what it throws', () => {
    expect(withDeadline(1_000, () => ({ a: 1 }))).toEqual({ a: 1 });
    const error = new TypeError('no');
    expect(() => withDeadline(1_000, () => fail(error))).toThrow(error);
  });

  it.each([
    ['a loop without an end', spin],
    ['a regular expression that backtracks', () => /^(?:a+)+$/.test(`${'a'.repeat(64)}!`)],
    ['recursion that doubles', () => fibonacci(100)],
    ['a sort that never agrees', () => Array.from({ length: 1e6 }, (_, i) => i).sort(() => (spin(), 0))],
    ['what catches every error', () => persist()],
  ])('breaks off %s', (_, work) => {
    const began = performance.now();
    expect(() => withDeadline(50, work)).toThrow(DeadlineError);
    expect(performance.now() - began).toBeLessThan(5_000);
  });

  it('continues as before after one was broken off, also around another one', () => {
    const outer = withDeadline(5_000, () => {
      expect(() => withDeadline(20, spin)).toThrow('took more than 20 ms');
      return withDeadline(1_000, () => 'inner');
    });
    expect(outer).toBe('inner');
  });
});

function fail(error: Error): never {
  throw error;
}

function spin(): never {
  for (;;);
}

function persist(): void {
  for (;;) {
    try {
      spin();
    } catch {
      // What is broken off must not be caught here.
    }
  }
}

const fibonacci = (n: number): number => (n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2));
