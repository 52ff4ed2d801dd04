import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Passes } from '../../../../cli/ui/passes.ts';

const NEVER = new AbortController().signal;

/** A look that is answered when the test wants it. */
function look() {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let [count, signal] = [0, NEVER];
  const work = (given: AbortSignal) => {
    count += 1;
    signal = given;
    return promise;
  };
  return { work, resolve, reject, count: () => count, signal: () => signal };
}

test('all who ask while a look is under way have its answer, and so have those who ask soon after', async () => {
  const passes = new Passes<string>();
  const { work, resolve, count } = look();
  const asked = [1, 2, 3].map(() => passes.get('a', 1_000, NEVER, work));
  resolve('one');
  expect(await Promise.all(asked)).toEqual(['one', 'one', 'one']);
  expect(await passes.get('a', 1_000, NEVER, work)).toBe('one');
  expect(count()).toBe(1);
});

test('an answer is good for a while, and at least for as long as it took', async () => {
  const passes = new Passes<number>();
  let count = 0;
  const work = async () => {
    await sleep(60);
    return ++count;
  };
  expect(await passes.get('a', 1, NEVER, work)).toBe(1);
  await sleep(20);
  expect(await passes.get('a', 1, NEVER, work)).toBe(1);
  await sleep(100);
  expect(await passes.get('a', 1, NEVER, work)).toBe(2);
});

test('other questions have other answers', async () => {
  const passes = new Passes<string>();
  expect(await passes.get('a', 1_000, NEVER, () => Promise.resolve('one'))).toBe('one');
  expect(await passes.get('b', 1_000, NEVER, () => Promise.resolve('two'))).toBe('two');
});

test('a failure is of those who wait, and is not kept', async () => {
  const passes = new Passes<string>();
  const { work, reject } = look();
  const asked = [1, 2].map(() => passes.get('a', 1_000, NEVER, work));
  reject(new Error('no'));
  expect((await Promise.allSettled(asked)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await passes.get('a', 1_000, NEVER, () => Promise.resolve('yes'))).toBe('yes');
});

test('a look is broken off once nobody waits for it, and not before', async () => {
  const passes = new Passes<string>();
  const { work, count, signal } = look();
  const [one, other] = [new AbortController(), new AbortController()];
  const asked = [one, other].map((each) => passes.get('a', 1_000, each.signal, work));
  await expect.poll(count).toBe(1);
  one.abort(new Error('gone'));
  await expect(asked[0]).rejects.toThrow('gone');
  expect(signal().aborted).toBe(false);
  other.abort(new Error('gone'));
  await expect(asked[1]).rejects.toThrow('gone');
  expect(signal().aborted).toBe(true);
  expect(await passes.get('a', 1_000, NEVER, () => Promise.resolve('again'))).toBe('again');
});

test('six looks run at a time, others wait', async () => {
  const passes = new Passes<string>();
  const looks = Array.from({ length: 8 }, look);
  const asked = looks.map(({ work }, i) => passes.get(String(i), 1_000, NEVER, work));
  await sleep(10);
  expect(looks.map(({ count }) => count())).toEqual([1, 1, 1, 1, 1, 1, 0, 0]);
  for (const { resolve } of looks) resolve('done');
  expect(await Promise.all(asked)).toHaveLength(8);
});

test('who is gone before it begins asks nothing', async () => {
  const passes = new Passes<string>();
  const { work, count } = look();
  await expect(passes.get('a', 1_000, AbortSignal.abort(new Error('gone')), work)).rejects.toThrow('gone');
  expect(count()).toBe(0);
});
