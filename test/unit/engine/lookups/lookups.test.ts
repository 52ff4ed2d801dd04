import { describe, expect, it } from 'vitest';
import type { Lookup } from '../../../../operator/engine/api/queries.ts';
import type { Resource } from '../../../../operator/engine/api/resource.ts';
import { LIMITS } from '../../../../operator/engine/queries/lookups/limits.ts';
import { Lookups } from '../../../../operator/engine/queries/lookups/lookups.ts';
import { FakeClock } from '../fake-clock.ts';

/** How long the API server takes to answer here, in milliseconds. */
const ANSWER_MS = 5;

const secret = (name: string): Lookup => ({ id: name, type: 'secret', name, everySeconds: 60 });
const metrics: Lookup = { id: 'm', type: 'podMetrics', pod: 'p', port: 1, path: '/', metrics: [], everySeconds: 2 };

const resource = (namespace: string, name: string): Resource => ({
  apiVersion: 'v1',
  kind: 'Widget',
  metadata: { name, namespace, uid: name, resourceVersion: '1', creationTimestamp: '' },
  spec: {},
});

function harness() {
  const clock = new FakeClock(0);
  const lookups = new Lookups({ clock });
  const begun: { readonly who: string; readonly at: number }[] = [];
  const underWay = new Map<string, number>();
  const most = new Map<string, number>();
  const count = (who: string, change: number): void => {
    const now = (underWay.get(who) ?? 0) + change;
    underWay.set(who, now);
    most.set(who, Math.max(most.get(who) ?? 0, now));
  };
  /** Looks something up, which takes some time. */
  const observe = (
    namespace: string,
    name: string,
    options: { query?: Lookup; ms?: number; signal?: AbortSignal } = {},
  ) => {
    const { query = secret('s'), ms = ANSWER_MS, signal = new AbortController().signal } = options;
    const whos = ['all', namespace, `${namespace}/${name}`];
    return lookups.run(query, resource(namespace, name), signal, async () => {
      begun.push({ who: `${namespace}/${name}`, at: clock.now() });
      for (const who of whos) count(who, 1);
      await new Promise<void>((resolve) => void clock.after(ms, resolve));
      for (const who of whos) count(who, -1);
    });
  };
  const beginnings = (namespace: string) => begun.filter(({ who }) => who.startsWith(`${namespace}/`));
  return { clock, observe, begun, beginnings, most };
}

const times = (count: number, work: (index: number) => unknown): void => {
  for (let index = 0; index < count; index += 1) work(index);
};

describe('look-ups', () => {
  it('are under way up to a number in all, of a namespace and of a resource', async () => {
    const { clock, observe, most, begun } = harness();
    times(5, (namespace) => times(3, (name) => times(10, () => void observe(`ns-${namespace}`, `w-${name}`))));
    await clock.advance(5_000);
    expect(begun).toHaveLength(150);
    expect(most.get('all')).toBe(LIMITS.objects.total);
    expect(most.get('ns-0')).toBeLessThanOrEqual(LIMITS.objects.namespace);
    expect(most.get('ns-0/w-0')).toBeLessThanOrEqual(LIMITS.objects.resource);
  });

  it('of one namespace alone are as many as it may have, and of one resource', async () => {
    const { clock, observe, most } = harness();
    times(20, (name) => void observe('ns', `w-${name}`));
    await clock.advance(1_000);
    expect(most.get('ns')).toBe(LIMITS.objects.namespace);
    times(20, () => void observe('other', 'w'));
    await clock.advance(1_000);
    expect(most.get('other/w')).toBe(LIMITS.objects.resource);
  });

  it('of a victim are served within 20 ms, though others have 14,080 waiting', async () => {
    const { clock, observe, beginnings } = harness();
    times(10, (name) => times(1_408, () => void observe('attacker', `w-${name}`)));
    await clock.advance(100);
    times(5, (name) => void observe('victim', `w-${name}`));
    const asked = clock.now();
    await clock.advance(1_000);
    const waits = beginnings('victim').map(({ at }) => at - asked);
    expect(waits).toHaveLength(5);
    expect(Math.max(...waits)).toBeLessThanOrEqual(20);
  });

  it('of a victim are served within a second, though a hundred namespaces have thousands waiting', async () => {
    const { clock, observe, beginnings } = harness();
    times(100, (namespace) => times(100, () => void observe(`attacker-${namespace}`, 'w')));
    await clock.advance(20);
    times(4, (name) => void observe('victim', `w-${name}`));
    const asked = clock.now();
    await clock.advance(2_000);
    expect(Math.max(...beginnings('victim').map(({ at }) => at - asked))).toBeLessThanOrEqual(1_000);
  });

  it('of a small resource are served beside a large one of the same namespace', async () => {
    const { clock, observe, beginnings } = harness();
    times(400, () => void observe('ns', 'large'));
    await clock.advance(10);
    void observe('ns', 'small');
    const asked = clock.now();
    await clock.advance(100);
    expect(beginnings('ns').find(({ who }) => who === 'ns/small')?.at).toBeLessThanOrEqual(asked + 10);
  });

  it('of a namespace make the API server answer no more than its pace, however many it has', async () => {
    const { clock, observe, begun } = harness();
    times(10, (name) => times(1_408, () => void observe('ns', `w-${name}`)));
    await clock.advance(8_000);
    const { burst, perSecond } = LIMITS.objects;
    expect(begun.length).toBeLessThanOrEqual(burst + 8 * perSecond);
    await clock.advance(52_000);
    expect(begun.length).toBeGreaterThanOrEqual(burst + 59 * perSecond);
    expect(begun.length).toBeLessThanOrEqual(burst + 60 * perSecond);
  });

  it('of large answers are fewer: what a namespace makes the operator read has a pace as well', async () => {
    const clock = new FakeClock(0);
    const lookups = new Lookups({ clock });
    let read = 0;
    times(2_000, (index) => {
      const { signal } = new AbortController();
      void lookups.run(secret('s'), resource('ns', `w-${index}`), signal, async (count) => {
        count(2 ** 20);
        read += 2 ** 20;
        return new Promise<void>((resolve) => void clock.after(ANSWER_MS, resolve));
      });
    });
    await clock.advance(60_000);
    const { burst, perSecond, bytes } = LIMITS.objects;
    expect(read).toBeLessThanOrEqual((burst + 60 * perSecond) * bytes + LIMITS.objects.namespace * 2 ** 20);
    expect(read).toBeGreaterThan(60 * perSecond * bytes * 0.8);
  });

  it('that nobody waits for any more are dropped, and leave no timer behind', async () => {
    const { clock, observe, begun } = harness();
    const end = new AbortController();
    const observations = Array.from({ length: 5_000 }, () => observe('ns', 'w', { signal: end.signal }));
    const settled = Promise.allSettled(observations);
    await clock.advance(15_000);
    const before = begun.length;
    end.abort(new Error('forgotten'));
    await clock.advance(10);
    expect((await settled).filter(({ status }) => status === 'rejected')).toHaveLength(5_000 - before);
    expect([begun.length, clock.pending]).toEqual([before, 0]);
  });

  it('that fail make room for others', async () => {
    const clock = new FakeClock(0);
    const lookups = new Lookups({ clock });
    const fails = () =>
      lookups.run(secret('s'), resource('ns', 'w'), new AbortController().signal, () =>
        Promise.reject(new Error('away')),
      );
    const results = await Promise.allSettled(Array.from({ length: 100 }, fails));
    expect(results.every(({ status }) => status === 'rejected')).toBe(true);
  });

  it('of pods that hold on for 3 s keep a victim waiting for no longer, and what it asks the API server not at all', async () => {
    const { clock, observe, beginnings } = harness();
    times(10, (namespace) =>
      times(90, (name) => void observe(`attacker-${namespace}`, `w-${name}`, { query: metrics, ms: 3_000 })),
    );
    await clock.advance(10_000);
    void observe('victim', 'w', { query: metrics });
    void observe('victim', 'w');
    const asked = clock.now();
    await clock.advance(5_000);
    const waits = beginnings('victim').map(({ at }) => at - asked);
    expect(waits).toHaveLength(2);
    expect(Math.min(...waits)).toBe(0);
    expect(Math.max(...waits)).toBeLessThanOrEqual(3_000);
  });
});
