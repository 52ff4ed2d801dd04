import { afterAll, beforeAll, expect, it } from 'vitest';
import { Bench } from '../../bench/bench.ts';
import { broken } from '../../bench/gates.ts';

const COUNT = 100;

let bench: Bench;
beforeAll(async () => {
  bench = await Bench.open(COUNT, () => undefined);
});
afterAll(() => bench[Symbol.asyncDispose]());

it('a hundred resources cost what they may: in writes, and in time beside a bare client of the same objects', async () => {
  // The first round warms the server up for both.
  await bench.round(20);
  expect(broken(await bench.round(COUNT))).toEqual([]);
});
