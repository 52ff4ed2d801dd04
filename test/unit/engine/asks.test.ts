import { describe, expect, it, vi } from 'vitest';
import type { AskHandler } from '../../../operator/engine/api/index.ts';
import { answerAsk } from '../../../operator/engine/queries/index.ts';
import { resourceOf } from '../../support/web-app.ts';

const never = new AbortController().signal;

const answered = (ask: AskHandler, signal: AbortSignal = never) => {
  const counts: number[] = [];
  const query = { id: 'db', type: 'ask', name: 'db', input: { a: 1 }, everySeconds: 60 } as const;
  const options = { signal, count: (bytes: number) => void counts.push(bytes) };
  return { answer: answerAsk({ asks: { db: ask } }, query, resourceOf({}), options), counts };
};

describe('an ask that a function of the kind answers', () => {
  it('has its input, the resource, and a signal; its answer is plain data', async () => {
    const { answer, counts } = answered(async (input, { resource, signal }) =>
      Promise.resolve({ input, name: resource.metadata.name, aborted: signal.aborted, at: new Date(0) }),
    );
    expect(await answer).toEqual({
      type: 'ask',
      value: { input: { a: 1 }, name: 'web', aborted: false, at: '1970-01-01T00:00:00.000Z' },
    });
    expect(counts).toEqual([expect.any(Number)]);
  });

  it('is null where nothing is answered', async () => {
    expect(await answered(async () => Promise.resolve(undefined)).answer).toEqual({ type: 'ask', value: null });
  });

  it.each<readonly [string, AskHandler, string]>([
    ['throws', async () => Promise.reject(new Error('no route')), 'no route'],
    ['gives what JSON can not say', async () => Promise.resolve(() => 3), 'must be plain data, and is a function'],
    ['gives a circle', async () => Promise.resolve(circle()), 'circular'],
    ['gives too much', async () => Promise.resolve('x'.repeat(70_000)), 'of at most 65536'],
  ])('fails where the function %s', async (_, ask, words) => {
    await expect(answered(ask).answer).rejects.toThrow(words);
  });

  it('fails where the kind has no such function', async () => {
    const query = { id: 'x', type: 'ask', name: 'x', input: null, everySeconds: 60 } as const;
    await expect(
      answerAsk({ asks: { db: async () => Promise.resolve() } }, query, resourceOf({}), {
        signal: never,
        count: () => undefined,
      }),
    ).rejects.toThrow('there is no ask x: WebApp has db');
  });

  it('ends after 30 s, and tells the function so', async () => {
    vi.useFakeTimers();
    let given: AbortSignal | undefined;
    const { answer } = answered(async (_, { signal }) => {
      given = signal;
      return new Promise(() => undefined);
    });
    const failure = answer.catch(String);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(await failure).toContain('db has not answered within 30 s');
    expect(given?.aborted).toBe(true);
    vi.useRealTimers();
  });

  it('ends once nobody wants to know any more', async () => {
    const forgotten = new AbortController();
    const { answer } = answered(async () => new Promise(() => undefined), forgotten.signal);
    forgotten.abort(new Error('forgotten'));
    await expect(answer).rejects.toThrow('forgotten');
  });
});

function circle(): object {
  const it: { self?: object } = {};
  it.self = it;
  return it;
}
