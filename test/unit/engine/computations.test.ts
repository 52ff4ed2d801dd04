import { getEventListeners } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { computationQuery } from '../../../operator/engine/api/computation.ts';
import type { ComputationAnswer } from '../../../operator/engine/api/computation.ts';
import { Computations } from '../../../operator/engine/queries/computations.ts';
import type { ComputationsOptions } from '../../../operator/engine/queries/computations.ts';
import type { Resource } from '../../../operator/engine/api/resource.ts';

const MODULE = new URL('support/computed.ts', import.meta.url);
const TYPE = { group: 'example.com', version: 'v1', kind: 'Widget', plural: 'widgets' };

const open: Computations[] = [];
afterEach(() => Promise.all(open.splice(0).map((each) => each.close())));

function computations(options: ComputationsOptions = {}): Computations {
  const made = new Computations(options);
  open.push(made);
  return made;
}

const resource = (name: string, namespace = 'one'): Resource => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name, namespace, uid: `uid-of-${namespace}-${name}`, resourceVersion: '1', creationTimestamp: '' },
  spec: {},
});

const query = (
  of: Computations,
  about: Resource,
  name: string,
  input: unknown = {},
  signal?: AbortSignal,
): Promise<ComputationAnswer> =>
  of.answer({ type: TYPE, computations: MODULE }, computationQuery(name, input, 0), about, signal);

describe('an ask of a computation', () => {
  it('is another one for another input, and for another attempt, and else the same', () => {
    const id = (input: unknown, attempt = 0) => computationQuery('double', input, attempt).id;
    expect(id({ value: 1 })).toBe(id({ value: 1 }));
    expect(new Set([id({ value: 1 }), id({ value: 2 }), id({ value: 1 }, 1)]).size).toBe(3);
  });
});

describe('a computation', () => {
  it('is answered by the function of its name', async () => {
    expect(await query(computations(), resource('a'), 'double', { value: 21 })).toEqual({
      type: 'computed',
      value: 42,
    });
  });

  it('leaves the main loop alone while it is under way', async () => {
    let ticks = 0;
    const timer = setInterval(() => (ticks += 1), 10);
    await query(computations(), resource('a'), 'slow', { ms: 500 });
    clearInterval(timer);
    expect(ticks).toBeGreaterThan(5);
  });

  it.each([
    ['throws', 'failing', 'there is nothing to be reckoned with'],
    ['is no function', 'named', /exports no function named/],
    ['is not there', 'missing', /exports no function missing/],
    ['gives what is not plain data', 'unclonable', /could not be cloned/],
    ['takes more memory than it may', 'hoard', 'it took too much memory'],
  ])('that %s says so, and others are still computed', async (_, name, message) => {
    const of = computations({ memoryMb: 16 });
    expect(await query(of, resource('a'), name)).toEqual({
      type: 'uncomputed',
      message: typeof message === 'string' ? message : expect.stringMatching(message),
    });
    expect(await query(of, resource('b'), 'double', { value: 1 })).toEqual({ type: 'computed', value: 2 });
  });

  it('that never ends is given up at its deadline, is reported, and keeps others waiting no longer', async () => {
    const reported: string[] = [];
    const of = computations({
      deadlineMs: 1_500,
      failed: ({ metadata }, name) => reported.push(`${metadata.name} ${name}`),
    });
    const [endless, other] = await Promise.all([
      query(of, resource('a'), 'forever'),
      query(of, resource('b'), 'double', { value: 1 }),
    ]);
    expect(endless).toEqual({ type: 'uncomputed', message: 'it took longer than 1.5 s' });
    expect(other).toEqual({ type: 'computed', value: 2 });
    expect(reported).toEqual(['a forever']);
  });

  it('that is answered while the main loop stands still beyond its deadline counts, and so does the next one', async () => {
    const of = computations({ deadlineMs: 1_000 });
    await query(of, resource('a'), 'double');
    // Away from the thread's own answer, behind which others would be taken at once.
    await new Promise((resolve) => setImmediate(resolve));
    const both = Promise.all([
      query(of, resource('a'), 'slow', { ms: 1 }),
      query(of, resource('b'), 'slow', { ms: 100 }),
    ]);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_500);
    expect(await both).toMatchObject([{ type: 'computed' }, { type: 'computed' }]);
  });

  it('of a kind that has none is refused', async () => {
    const answer = computations().answer({ type: TYPE }, computationQuery('double', {}, 0), resource('a'));
    await expect(answer).rejects.toThrow('Widget has no computations, and asks for double');
  });
});

describe('computations', () => {
  it('of namespaces take ticks', async () => {
    const of = computations();
    const order: string[] = [];
    const all = ['a', 'b', 'c'].map((name) => ({ name, namespace: 'greedy' }));
    await Promise.all(
      [...all, { name: 'd', namespace: 'modest' }].map(async ({ name, namespace }) => {
        await query(of, resource(name, namespace), 'slow', { ms: 20 });
        order.push(name);
      }),
    );
    // The first one is under way before the others ask.
    expect(order.indexOf('d')).toBeLessThan(order.indexOf('c'));
  });

  it('that wait give way to a newer input of their resource', async () => {
    const of = computations();
    const first = query(of, resource('a'), 'slow', { ms: 200 });
    const old = query(of, resource('b'), 'double', { value: 1 });
    const young = query(of, resource('b'), 'double', { value: 2 });
    await expect(old).rejects.toThrow('something else has been asked for meanwhile');
    expect(await young).toEqual({ type: 'computed', value: 4 });
    await first;
  });

  it('that wait are forgotten once nobody wants to know any more', async () => {
    const reported: string[] = [];
    const of = computations({ failed: ({ metadata }) => reported.push(metadata.name) });
    const first = query(of, resource('a'), 'slow', { ms: 200 });
    const gone = new AbortController();
    const asked = ['b', 'c'].map((name) => query(of, resource(name), 'failing', {}, gone.signal));
    const kept = query(of, resource('d'), 'double', { value: 1 });
    gone.abort(new Error('nobody wants to know any more'));
    expect(await Promise.allSettled(asked)).toMatchObject([
      { reason: { message: 'nobody wants to know any more' } },
      { reason: { message: 'nobody wants to know any more' } },
    ]);
    expect(await kept).toEqual({ type: 'computed', value: 2 });
    await expect(query(of, resource('e'), 'failing', {}, gone.signal)).rejects.toThrow('nobody wants to know any more');
    await first;
    expect(reported).toEqual([]);
  });

  it('that wait and that nobody waits for any more take no turn', async () => {
    const of = computations();
    const first = query(of, resource('a'), 'slow', { ms: 200 });
    const gone = new AbortController();
    const dropped = Array.from({ length: 20 }, (_, index) =>
      query(of, resource(`gone-${index}`), 'slow', { ms: 1_000 }, gone.signal),
    );
    const last = query(of, resource('z'), 'double', { value: 1 });
    gone.abort(new Error('deleted'));
    expect(new Set((await Promise.allSettled(dropped)).map(({ status }) => status))).toEqual(new Set(['rejected']));
    await first;
    const began = performance.now();
    expect(await last).toEqual({ type: 'computed', value: 2 });
    expect(performance.now() - began).toBeLessThan(900);
    expect(getEventListeners(gone.signal, 'abort')).toEqual([]);
  });

  it('keep the place of the one whose input they take over, which nobody waits for any more', async () => {
    const of = computations();
    const order: string[] = [];
    const reported = async (answer: Promise<ComputationAnswer>, name: string) => {
      await answer;
      order.push(name);
    };
    const first = query(of, resource('a'), 'slow', { ms: 200 });
    const changed = new AbortController();
    const old = query(of, resource('b'), 'slow', { ms: 20 }, changed.signal);
    const other = reported(query(of, resource('c'), 'slow', { ms: 20 }), 'c');
    changed.abort(new Error('changed'));
    const young = reported(query(of, resource('b'), 'slow', { ms: 21 }), 'b');
    await expect(old).rejects.toThrow('changed');
    await Promise.all([first, other, young]);
    expect(order).toEqual(['b', 'c']);
  });

  it('continue after their thread has rested', async () => {
    const of = computations({ idleMs: 10 });
    expect(await query(of, resource('a'), 'double', { value: 1 })).toMatchObject({ value: 2 });
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await query(of, resource('a'), 'double', { value: 3 })).toMatchObject({ value: 6 });
  });

  it('end with the operator, whatever is under way', async () => {
    const of = computations();
    const endless = query(of, resource('a'), 'forever');
    await new Promise((resolve) => setTimeout(resolve, 300));
    await of.close();
    expect(await endless).toEqual({ type: 'uncomputed', message: 'the operator stops' });
  });
});
