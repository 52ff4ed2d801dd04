import { expect, it } from 'vitest';
import { campaign } from '../mutations/campaign.ts';
import { failuresOf, table } from '../mutations/report.ts';
import { setUp } from '../mutations/setup.ts';
import { subjects } from '../mutations/subjects/index.ts';
import { adminClient } from './support/client.ts';

const admin = adminClient();

it('whatever property changes, the children follow, or the reason is reported', async () => {
  const { errors } = await setUp(admin);
  // A part of what `npm run test:mutations` does, in the same order each time.
  const log = (line: string): void => console.error(line);
  const parts = await campaign(admin, { subjects, seed: 20_261_121, judged: 60, chains: 3, parallel: 9, log });
  console.error(table(parts));
  expect(errors).toEqual([]);
  expect(parts.flatMap(failuresOf)).toEqual([]);
}, 600_000);
