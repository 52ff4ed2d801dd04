import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { yieldToEventLoop } from '../../../operator/kube/client/event-loop.ts';

/** Keeps the thread busy. */
function work(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

test.each([
  ['little by little', 0.2, 40],
  ['piece by piece', 5, 4],
])('many who have much to do at once, %s, hold the event loop no longer than one', async (_, pieceMs, pieces) => {
  const left = new Set(Array.from({ length: 12 }, (_, index) => index));
  const reader = async (index: number) => {
    for (let frame = 0; frame < pieces; frame += 1) {
      await yieldToEventLoop();
      work(pieceMs);
    }
    left.delete(index);
  };
  const turns: number[] = [];
  const done = Promise.all([...left].map(reader));
  while (left.size > 0) {
    const began = performance.now();
    await nextTurn();
    turns.push(performance.now() - began);
  }
  await done;
  // The machine may stop us at any time, so that single turns say nothing.
  const median = turns.sort((a, b) => a - b)[Math.floor(turns.length / 2)];
  expect(median).toBeLessThan(25);
});

test('nobody waits for all that others have to do', async () => {
  const stop = new AbortController();
  const greedy = async () => {
    while (!stop.signal.aborted) {
      await yieldToEventLoop();
      work(1);
    }
  };
  const others = Promise.all([greedy(), greedy(), greedy()]);
  const began = performance.now();
  for (let piece = 0; piece < 20; piece += 1) {
    await yieldToEventLoop();
    work(1);
  }
  const duration = performance.now() - began;
  stop.abort();
  await others;
  // 20 ms of four who share the thread; the machine may be busy with others.
  expect(duration).toBeLessThan(1_000);
});
