import { afterAll, beforeAll, expect, it } from 'vitest';
import { Bench, type Round } from '../../bench/bench.ts';
import { broken } from '../../bench/gates.ts';
import { line, mediansOf } from '../../bench/report.ts';

/** Half of the bench's own; `test/cluster` watches each kind at rest for longer. In milliseconds. */
const REST_MS = 10_000;

let bench: Bench;
beforeAll(async () => {
  bench = await Bench.open(50, () => undefined);
});
afterAll(() => bench[Symbol.asyncDispose]());

it('resources cost what they may: in writes, at rest, and in time beside a bare client that does the same writes', async () => {
  // Warms the server up for all of them.
  await bench.round(10, 0);
  const rounds: Round[] = [];
  // The middle of three: a machine may be slow for a while.
  while (rounds.length < 3) rounds.push(await bench.round(50, REST_MS));
  const medians = mediansOf(rounds);
  for (const each of medians) console.log(line(each));
  expect(medians.flatMap(broken)).toEqual([]);
  expect(rounds.map(({ writesAtRest }) => writesAtRest)).toEqual([0, 0, 0]);
});
