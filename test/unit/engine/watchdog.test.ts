import { describe, expect, it } from 'vitest';
import { SLOW_MS, Watchdog } from '../../../operator/engine/watchdog.ts';
import type { Stretch } from '../../../operator/engine/watchdog.ts';

const resource = { kind: 'Widget', namespace: 'slow', name: 'w' };

/** Uses the processor for so many milliseconds. */
function work(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

function watchdog(deadlineMs?: number) {
  const stretches: Stretch[] = [];
  let now = 1_000;
  const dog = new Watchdog({
    now: () => now,
    observe: (stretch) => stretches.push(stretch),
    ...(deadlineMs !== undefined && { deadlineMs }),
  });
  return { dog, stretches, pass: (ms: number) => (now += ms) };
}

describe('the watchdog', () => {
  it('measures each stretch, with the resource that it was for', () => {
    const { dog, stretches } = watchdog();
    const slow: string[] = [];
    expect(dog.watch(resource, 'render', () => 'done', () => slow.push('w'))).toBe('done');
    expect(stretches).toMatchObject([{ resource, step: 'render', slow: false }]);
    expect(stretches[0]?.cpuMs).toBeLessThan(SLOW_MS);
    expect([slow, dog.heldUntil('slow')]).toEqual([[], 0]);
  });

  it('has the namespace of a slow resource wait for ten times as long, and no other', () => {
    const { dog, stretches, pass } = watchdog(10_000);
    const slow: string[] = [];
    dog.watch(resource, 'conduct', () => work(2 * SLOW_MS), () => slow.push('w'));
    const took = stretches[0]?.cpuMs ?? 0;
    expect(stretches).toMatchObject([{ slow: true }]);
    expect(slow).toEqual(['w']);
    expect(dog.heldUntil('slow')).toBeCloseTo(1_000 + 10 * took, 3);
    expect(dog.heldUntil('other')).toBe(0);
    pass(10 * took + 1);
    expect(dog.heldUntil('slow')).toBe(0);
  });

  it('counts one that was broken off as slow, and adds up what a namespace owes', () => {
    const { dog } = watchdog(50);
    const until = [1, 2].map(() => {
      expect(() => dog.watch(resource, 'conduct', () => work(60_000), () => {})).toThrow('took more than');
      return dog.heldUntil('slow');
    });
    expect((until[1] ?? 0) - (until[0] ?? 0)).toBeGreaterThanOrEqual(400);
  });

  it('does not blame a resource for a processor that others had: it is given more time', () => {
    const { dog, stretches } = watchdog(20);
    let tries = 0;
    // A thread that sleeps uses no processor time, as one that does not get the processor.
    const wait = () => {
      tries += 1;
      const flag = new Int32Array(new SharedArrayBuffer(4));
      for (let slices = 0; slices < 8; slices++) Atomics.wait(flag, 0, 0, 5);
      return 'done';
    };
    expect(dog.watch(resource, 'conduct', wait, () => {})).toBe('done');
    expect([tries, stretches.length, stretches[0]?.slow]).toEqual([2, 1, false]);
  });
});
