import { describe, expect, it } from 'vitest';
import { Resolver, LONGEST_MESSAGE, MOST_QUERIES } from '../../../operator/engine/queries/resolver.ts';
import type { Query, Answer } from '../../../operator/engine/api/queries.ts';
import type { Resource } from '../../../operator/engine/api/resource.ts';
import { FakeClock, settle } from './fake-clock.ts';

const about = (uid = 'u'): Resource => ({
  apiVersion: 'v1',
  kind: 'Widget',
  metadata: { name: 'w', namespace: 'ns', uid, resourceVersion: '1', creationTimestamp: '' },
  spec: {},
});

const secret = (name: string, everySeconds = 60): Query => ({ id: name, type: 'secret', name, everySeconds });

function harness() {
  const clock = new FakeClock(0);
  const asked: string[] = [];
  const woken: string[] = [];
  let hash = 'one';
  const answers = new Resolver({
    clock,
    random: () => 0,
    enqueue: (key) => woken.push(key),
    answer: async (query): Promise<Answer> => {
      asked.push(query.id);
      if (hash === '') throw new Error('the server is away');
      return Promise.resolve({ at: clock.now(), type: 'secret', exists: true, hash, missingKeys: [] });
    },
  });
  const change = (to: string): void => {
    hash = to;
  };
  return { clock, answers, asked, woken, change };
}

describe('answers', () => {
  it('are found out once asked, and wake the key', async () => {
    const { answers, woken } = harness();
    answers.want('k', [secret('s')], about());
    expect(answers.of('k')).toEqual({});
    await settle();
    expect(answers.of('k')).toMatchObject({ s: { type: 'secret', hash: 'one' } });
    expect(woken).toEqual(['k']);
  });

  it('are asked again at their interval, and wake the key only when they differ', async () => {
    const { clock, answers, asked, woken, change } = harness();
    answers.want('k', [secret('s', 60)], about());
    await clock.advance(59_000);
    expect(asked).toHaveLength(1);
    await clock.advance(61_000);
    expect(asked).toHaveLength(3);
    expect(woken).toHaveLength(1);
    change('two');
    await clock.advance(60_000);
    expect(woken).toHaveLength(2);
    expect(answers.of('k')).toMatchObject({ s: { hash: 'two', at: 180_000 } });
  });

  it('are not asked more often when the same is wanted again', async () => {
    const { clock, answers, asked } = harness();
    for (let pass = 0; pass < 5; pass++) {
      answers.want('k', [secret('s')], about());
      await clock.advance(1_000);
    }
    expect(asked).toEqual(['s']);
  });

  it('are asked at once when the question changes, or the resource is another of that name', async () => {
    const { answers, asked } = harness();
    answers.want('k', [secret('s', 60)], about('first'));
    await settle();
    answers.want('k', [secret('s', 10)], about('first'));
    expect(answers.of('k')).toEqual({});
    await settle();
    answers.want('k', [secret('s', 10)], about('second'));
    expect(answers.of('k')).toEqual({});
    await settle();
    expect(asked).toHaveLength(3);
  });

  it('are forgotten, and asked no more, once nobody wants them', async () => {
    const { clock, answers, asked } = harness();
    answers.want('k', [secret('a'), secret('b')], about());
    await settle();
    answers.want('k', [secret('b')], about());
    expect(Object.keys(answers.of('k'))).toEqual(['b']);
    answers.forget('k');
    expect(answers.of('k')).toEqual({});
    await clock.advance(600_000);
    expect(asked).toEqual(['a', 'b']);
    expect(clock.pending).toBe(0);
  });

  it('that come after they were forgotten change nothing', async () => {
    const { clock, answers, woken } = harness();
    answers.want('k', [secret('a')], about());
    answers.stop();
    await settle();
    expect([answers.of('k'), woken, clock.pending]).toEqual([{}, [], 0]);
  });

  it('are unknown when they cannot be found out, and asked again soon, then ever later, up to their interval', async () => {
    const { clock, answers, asked, woken, change } = harness();
    change('');
    answers.want('k', [secret('a', 10)], about());
    await settle();
    expect(answers.of('k')).toEqual({ a: { at: 0, type: 'unknown', message: 'the server is away' } });
    const times: number[] = [];
    for (let second = 1; second <= 35; second += 1) {
      const before = asked.length;
      await clock.advance(1_000);
      if (asked.length > before) times.push(second);
    }
    expect(times).toEqual([1, 3, 7, 15, 25, 35]);
    expect(woken).toHaveLength(1);
    change('two');
    await clock.advance(10_000);
    expect(answers.of('k')).toMatchObject({ a: { type: 'secret', hash: 'two' } });
    // What was found out is asked at its interval, and a later failure begins again.
    change('');
    await clock.advance(10_000);
    change('three');
    await clock.advance(1_000);
    expect(answers.of('k')).toMatchObject({ a: { hash: 'three' } });
  });

  it('that nobody waits for any more are not looked up any further', async () => {
    const clock = new FakeClock(0);
    const signals: AbortSignal[] = [];
    const answers = new Resolver({
      clock,
      enqueue: () => undefined,
      answer: (_ask, _about, signal) => {
        signals.push(signal);
        return new Promise(() => undefined);
      },
    });
    answers.want('k', [secret('a'), secret('b')], about());
    answers.want('k', [secret('b')], about());
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
    answers.forget('k');
    expect(signals.every(({ aborted }) => aborted)).toBe(true);
    await settle();
    expect(clock.pending).toBe(0);
  });

  it('are so many for one resource, whatever it asks, and their errors so long', async () => {
    const { answers, asked } = harness();
    answers.want(
      'k',
      Array.from({ length: MOST_QUERIES + 1 }, (_, index) => secret(`s${index}`)),
      about(),
    );
    await settle();
    expect(asked).toHaveLength(MOST_QUERIES);
    const failing = new Resolver({
      clock: new FakeClock(0),
      enqueue: () => undefined,
      answer: () => Promise.reject(new Error('x'.repeat(10_000))),
    });
    failing.want('k', [secret('a')], about());
    await settle();
    expect(failing.of('k')).toMatchObject({ a: { message: 'x'.repeat(LONGEST_MESSAGE) } });
  });

  it('that are not asked, since they are too many, are reported once, and again after they were fewer', () => {
    const reported: string[] = [];
    const answers = new Resolver({
      clock: new FakeClock(0),
      enqueue: () => undefined,
      answer: () => new Promise(() => undefined),
      capped: (key, queries) => reported.push(`${key} ${queries}`),
    });
    const want = (key: string, count: number) =>
      answers.want(
        key,
        Array.from({ length: count }, (_, index) => secret(`s${index}`)),
        about(),
      );
    want('k', MOST_QUERIES);
    expect(reported).toEqual([]);
    want('k', MOST_QUERIES + 1);
    want('k', MOST_QUERIES + 2);
    want('other', MOST_QUERIES + 3);
    expect(reported).toEqual([`k ${MOST_QUERIES + 1}`, `other ${MOST_QUERIES + 3}`]);
    want('k', 1);
    want('k', MOST_QUERIES + 4);
    answers.forget('other');
    want('other', MOST_QUERIES + 5);
    expect(reported.slice(2)).toEqual([`k ${MOST_QUERIES + 4}`, `other ${MOST_QUERIES + 5}`]);
    answers.stop();
  });
});
