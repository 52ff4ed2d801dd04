import { describe, expect, it } from 'vitest';
import { SLOW_MS, Watchdog } from '../../../operator/engine/telemetry/watchdog.ts';
import type { Stretch } from '../../../operator/engine/telemetry/watchdog.ts';

const resource = { kind: 'Widget', namespace: 'slow', name: 'w' };

function watchdog(deadlineMs?: number) {
  const stretches: Stretch[] = [];
  let now = 1_000;
  let cpuMs = 0;
  const dog = new Watchdog({
    now: () => now,
    cpuMs: () => cpuMs,
    observe: (stretch) => stretches.push(stretch),
    ...(deadlineMs !== undefined && { deadlineMs }),
  });
  /** Uses the processor for so many milliseconds. */
  const use = (ms: number) => void (cpuMs += ms);
  return { dog, stretches, use, pass: (ms: number) => (now += ms) };
}

describe('the watchdog', () => {
  it('measures each stretch, with the resource that it was for', () => {
    const { dog, stretches } = watchdog();
    const slow: string[] = [];
    expect(
      dog.watch(
        resource,
        'render',
        () => 'done',
        () => slow.push('w'),
      ),
    ).toBe('done');
    expect(stretches).toMatchObject([{ resource, step: 'render', slow: false }]);
    expect(stretches[0]?.cpuMs).toBeLessThan(SLOW_MS);
    expect([slow, dog.heldUntil('slow')]).toEqual([[], 0]);
  });

  it('has the namespace of a slow resource wait for ten times as long, and no other', () => {
    const { dog, stretches, use, pass } = watchdog();
    const slow: string[] = [];
    dog.watch(
      resource,
      'reconcile',
      () => use(2 * SLOW_MS),
      () => slow.push('w'),
    );
    expect(stretches).toMatchObject([{ slow: true, cpuMs: 2 * SLOW_MS }]);
    expect(slow).toEqual(['w']);
    expect(dog.heldUntil('slow')).toBe(1_000 + 10 * 2 * SLOW_MS);
    expect(dog.heldUntil('other')).toBe(0);
    pass(10 * 2 * SLOW_MS);
    expect(dog.heldUntil('slow')).toBe(0);
  });

  it('counts one that was broken off as slow, and adds up what a namespace owes', () => {
    const { dog, use } = watchdog(50);
    const spin = () => {
      use(50);
      for (;;);
    };
    const until = [1, 2].map(() => {
      expect(() => dog.watch(resource, 'reconcile', spin, () => {})).toThrow('took more than');
      return dog.heldUntil('slow');
    });
    expect(until).toEqual([1_500, 2_000]);
  });

  // A thread that sleeps uses no processor time, as one that does not get the processor.
  it('does not blame a resource for a processor that others had: it is given more time', () => {
    const { dog, stretches } = watchdog(20);
    let tries = 0;
    const wait = () => {
      tries += 1;
      const flag = new Int32Array(new SharedArrayBuffer(4));
      for (let slices = 0; slices < 8; slices++) Atomics.wait(flag, 0, 0, 5);
      return 'done';
    };
    expect(dog.watch(resource, 'reconcile', wait, () => {})).toBe('done');
    expect([tries, stretches.length, stretches[0]?.slow]).toEqual([2, 1, false]);
  });
});
