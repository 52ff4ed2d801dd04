import { afterAll, beforeAll, expect, it } from 'vitest';
import { Bench } from '../../bench/bench.ts';
import { broken } from '../../bench/gates.ts';
import { line } from '../../bench/report.ts';

let bench: Bench;
beforeAll(async () => {
  bench = await Bench.open(50, () => undefined);
});
afterAll(() => bench[Symbol.asyncDispose]());

it('resources cost what they may: in writes, at rest, and in time beside a client that writes all the same', async () => {
  // Warms the server up for all of them.
  await bench.round(10);
  const round = await bench.round(50);
  console.log(line(round));
  expect(broken(round)).toEqual([]);
});
