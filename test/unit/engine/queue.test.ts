import { describe, expect, it } from 'vitest';
import { PRIORITY_RESYNC, WorkQueue } from '../../../operator/engine/queue/queue.ts';
import type { Outcome, QueueOptions } from '../../../operator/engine/queue/queue.ts';
import { FakeClock, settle } from './fake-clock.ts';

interface Run {
  readonly key: string;
  readonly at: number;
  end(outcome?: Outcome): Promise<void>;
  fail(error: unknown): Promise<void>;
}

/** A queue whose runs end when the test says so. */
function harness(options: QueueOptions = {}) {
  const clock = new FakeClock(0);
  const runs: Run[] = [];
  const queue = new WorkQueue(
    (key) =>
      new Promise((resolve, reject) => {
        runs.push({
          key,
          at: clock.now(),
          end: (outcome = {}) => {
            resolve(outcome);
            return settle();
          },
          fail: (error) => {
            reject(error);
            return settle();
          },
        });
      }),
    { clock, backoff: { random: () => 1 }, ...options },
  );
  queue.start();
  const last = (): Run => runs.at(-1)!;
  return { clock, queue, runs, last, keys: () => runs.map(({ key }) => key) };
}

describe('a work queue', () => {
  it('slows down a key that asks to be run at once forever, and no other', async () => {
    const { clock, queue, last, keys } = harness();
    queue.add('a');
    for (let times = 0; times < 20; times++) await last().end({ requeueAt: clock.now() });
    expect(keys()).toHaveLength(21);
    await last().end({ requeueAt: clock.now() });
    expect(keys()).toHaveLength(21);
    queue.add('b');
    expect(keys()).toHaveLength(22);
    await clock.advance(999);
    expect(keys()).toHaveLength(22);
    await clock.advance(1);
    expect(keys().at(-1)).toBe('a');
  });

  it('lets a key ask again once it has been at rest', async () => {
    const { clock, queue, last, keys } = harness();
    queue.add('a');
    for (let times = 0; times < 15; times++) await last().end({ requeueAt: clock.now() });
    await last().end();
    queue.add('a');
    for (let times = 0; times < 20; times++) await last().end({ requeueAt: clock.now() });
    expect(keys()).toHaveLength(37);
  });

  it('remembers the failures of a key that was postponed', async () => {
    const { clock, queue, last, keys } = harness();
    queue.add('a');
    for (const ms of [1_000, 2_000]) {
      await last().end({ retry: true });
      await clock.advance(ms);
    }
    await last().end({ requeueAt: clock.now() + 100, postponed: true });
    await clock.advance(100);
    await last().end({ retry: true });
    await clock.advance(3_999);
    expect(keys()).toHaveLength(4);
    await clock.advance(1);
    expect(keys()).toHaveLength(5);
  });

  it('runs a key once however often it was added before', () => {
    const { queue, keys } = harness({ workers: 1 });
    for (const key of ['a', 'b', 'b', 'b']) queue.add(key);
    expect(keys()).toEqual(['a']);
    expect(queue.depth).toBe(1);
  });

  it('never runs a key twice at once, and runs it again when it was added meanwhile', async () => {
    const { queue, runs, keys } = harness();
    queue.add('a');
    queue.add('a');
    queue.add('a');
    expect(keys()).toEqual(['a']);
    await runs[0]!.end();
    expect(keys()).toEqual(['a', 'a']);
    await runs[1]!.end();
    expect(keys()).toEqual(['a', 'a']);
  });

  it('lets namespaces take turns, however many keys one of them has', async () => {
    const { queue, runs, keys } = harness({ workers: 1 });
    for (let count = 0; count < 500; count += 1) queue.add(`many/${count}`);
    for (const key of ['few/a', 'few/b', 'one/a']) queue.add(key);
    for (let turn = 0; turn < 7; turn += 1) await runs[turn]!.end();
    expect(keys().slice(0, 8)).toEqual(['many/0', 'many/1', 'few/a', 'one/a', 'many/2', 'few/b', 'many/3', 'many/4']);
    expect(queue.depth).toBe(495);
  });

  it('works on as many keys at once as it has workers', async () => {
    const { queue, runs, keys } = harness({ workers: 2 });
    for (const key of ['a', 'b', 'c']) queue.add(key);
    expect(keys()).toEqual(['a', 'b']);
    await runs[1]!.end();
    expect(keys()).toEqual(['a', 'b', 'c']);
  });

  it('lets a user change go before the initial list', async () => {
    const { queue, runs, keys } = harness({ workers: 1 });
    queue.add('first', { priority: PRIORITY_RESYNC });
    queue.add('resynced', { priority: PRIORITY_RESYNC });
    queue.add('changed');
    await runs[0]!.end();
    await runs[1]!.end();
    expect(keys()).toEqual(['first', 'changed', 'resynced']);
  });

  it('keeps the higher priority when a key is added again', async () => {
    const { queue, runs, keys } = harness({ workers: 1 });
    queue.add('first');
    for (const key of ['a', 'b', 'c']) queue.add(key, { priority: PRIORITY_RESYNC });
    queue.add('c');
    queue.add('c', { priority: PRIORITY_RESYNC });
    await runs[0]!.end();
    expect(keys()).toEqual(['first', 'c']);
  });

  it('waits for a delay, and keeps the earlier time when a key is added again', async () => {
    const { clock, queue, runs } = harness();
    queue.add('a', { delayMs: 5_000 });
    queue.add('a', { delayMs: 2_000 });
    queue.add('a', { delayMs: 9_000 });
    await clock.advance(1_999);
    expect(runs).toHaveLength(0);
    await clock.advance(1);
    expect(runs).toHaveLength(1);
    await runs[0]!.end();
    await clock.advance(60_000);
    expect(runs).toHaveLength(1);
  });

  it('takes an addition without delay at once though the key waits for a time', () => {
    const { clock, queue, runs } = harness();
    queue.add('a', { delayMs: 5_000 });
    queue.add('a');
    expect(runs).toHaveLength(1);
    expect(clock.pending).toBe(0);
  });

  it('waits for longer than timers can', async () => {
    const { clock, queue, runs } = harness();
    const after = clock.after.bind(clock);
    clock.after = (ms, fire) => after(Math.min(ms, 1_000), fire);
    queue.add('a', { delayMs: 10_000 });
    await clock.advance(9_999);
    expect(runs).toHaveLength(0);
    await clock.advance(1);
    expect(runs).toHaveLength(1);
  });

  it('doubles the wait with each failure in a row, up to a limit, and starts again after a success', async () => {
    const { clock, queue, last } = harness({ backoff: { baseMs: 1_000, maxMs: 4_000, random: () => 1 } });
    const waitAfter = async (outcome: Outcome): Promise<number> => {
      const endedAt = clock.now();
      await last().end(outcome);
      await clock.advance(10_000);
      return last().at - endedAt;
    };
    queue.add('a');
    const waits = [];
    for (let failure = 0; failure < 4; failure++) waits.push(await waitAfter({ retry: true }));
    expect(waits).toEqual([1_000, 2_000, 4_000, 4_000]);
    await last().end();
    queue.add('a');
    expect(await waitAfter({ retry: true })).toBe(1_000);
  });

  it('spreads the retries of keys that failed together', async () => {
    const randoms = [0, 0.5];
    const { clock, queue, runs } = harness({ backoff: { random: () => randoms.shift() ?? 0 } });
    queue.add('a');
    queue.add('b');
    await runs[0]!.end({ retry: true });
    await runs[1]!.end({ retry: true });
    await clock.advance(1_000);
    expect(runs.slice(2).map(({ key, at }) => [key, at])).toEqual([
      ['a', 800],
      ['b', 900],
    ]);
  });

  it('wakes a key at the time that its run named, or at its retry if that is earlier', async () => {
    const { clock, queue, runs, last } = harness();
    queue.add('a');
    await last().end({ requeueAt: 3_000 });
    await clock.advance(2_999);
    expect(runs).toHaveLength(1);
    await clock.advance(1);
    expect(runs).toHaveLength(2);
    await last().end({ requeueAt: 60_000, retry: true });
    await clock.advance(1_000);
    expect(runs).toHaveLength(3);
  });

  it('contains what a run throws: it is reported, the key is retried, the others continue', async () => {
    const errors: unknown[] = [];
    const { clock, queue, runs, keys } = harness({ workers: 1, onError: (key, error) => errors.push([key, error]) });
    queue.add('a');
    queue.add('b');
    await runs[0]!.fail('broken');
    expect(errors).toEqual([['a', 'broken']]);
    expect(keys()).toEqual(['a', 'b']);
    await runs[1]!.end();
    await clock.advance(1_000);
    expect(keys()).toEqual(['a', 'b', 'a']);
  });

  it('runs nothing before it is started', () => {
    const runs: string[] = [];
    const queue = new WorkQueue((key) => {
      runs.push(key);
      return Promise.resolve({});
    });
    queue.add('a');
    expect(runs).toEqual([]);
    queue.start();
    expect(runs).toEqual(['a']);
  });

  it('when stopped, lets what runs end, drops what waits, and takes no more', async () => {
    const { clock, queue, runs, keys } = harness({ workers: 1 });
    queue.add('running');
    queue.add('waiting');
    queue.add('later', { delayMs: 1_000 });
    let stopped = false;
    void queue.stop().then(() => {
      stopped = true;
    });
    queue.add('late');
    await settle();
    expect(stopped).toBe(false);
    await runs[0]!.end({ retry: true });
    expect(stopped).toBe(true);
    await clock.advance(60_000);
    expect(keys()).toEqual(['running']);
    expect(clock.pending).toBe(0);
  });

  it('remembers nothing of keys that are done', async () => {
    const { clock, queue, last } = harness();
    for (let index = 0; index < 1_000; index++) {
      queue.add(`key-${index}`);
      await last().end();
    }
    expect([queue.depth, queue.active, clock.pending]).toEqual([0, 0, 0]);
  });
});
