import { expect, test } from 'vitest';
import { campaign } from './campaign.ts';

/** The same resources each time; the long campaign takes others. */
const { TRUNNION_HOSTILE_SEED: seed = '1', TRUNNION_HOSTILE_SECONDS: seconds = '30' } = process.env;

test('a tenant with 50 hostile resources keeps nobody waiting, and the operator within its limits', async () => {
  const log = (line: string): void => console.log(line);
  expect(await campaign({ seconds: Number(seconds), seed: Number(seed), log })).toEqual([]);
});
