import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { adminClient } from '../cluster/support/client.ts';
import { campaign } from './campaign.ts';
import { failuresOf, table } from './report.ts';
import { setUp } from './setup.ts';
import { subjects } from './subjects/index.ts';

const admin = adminClient();

/** For a part of it: of one kind, of one spec that it begins with, or the first so many; another seed makes other chains. */
const {
  TRUNNION_MUTATIONS_KIND: kind = '',
  TRUNNION_MUTATIONS_HOME: home,
  TRUNNION_MUTATIONS_MOST: most,
  TRUNNION_MUTATIONS_SEED: seed = '1',
  TRUNNION_MUTATIONS_JSON: json,
} = process.env;

test('whatever property changes, the children follow, or the reason is reported', async () => {
  const { errors } = await setUp(admin);
  const parts = await campaign(admin, {
    subjects: subjects.filter((subject) => subject.kind.kind.startsWith(kind)),
    seed: Number(seed),
    ...(home !== undefined && { home }),
    ...(most !== undefined && { judged: Number(most) * 10, chains: Number(most) }),
    parallel: 12,
    log: (line) => console.error(line),
  });
  console.error(table(parts));
  if (json !== undefined)
    writeFileSync(json, JSON.stringify(parts.flatMap(({ judged, steps }) => [...judged, ...steps])));
  expect(errors).toEqual([]);
  expect(parts.flatMap(failuresOf)).toEqual([]);
  // Half an hour on an idle machine, and several where others use it.
}, 21_600_000);
