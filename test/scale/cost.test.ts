import { afterAll, beforeAll, expect, it } from 'vitest';
import { Bench } from '../../bench/bench.ts';
import { broken } from '../../bench/gates.ts';

let bench: Bench;
beforeAll(async () => {
  bench = await Bench.open(() => undefined);
});
afterAll(() => bench[Symbol.asyncDispose]());

it('a hundred resources cost what they may: in writes, and in time beside a bare client of the same objects', async () => {
  // The first round warms the server up for both.
  await bench.round(20);
  expect(broken(await bench.round(100))).toEqual([]);
});
