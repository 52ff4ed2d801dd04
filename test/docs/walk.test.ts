import { afterAll, beforeAll, expect, test } from 'vitest';
import { adminClient } from '../cluster/support/client.ts';
import { installTrunnion } from '../cluster/support/operator.ts';
import { installExtensions } from '../cluster/support/other-crds.ts';
import { blocks, isTyped } from '../support/markdown.ts';
import { clearStage, namespacesOf, setStage, STAGES } from './support/stages.ts';
import { Reader, save, walk } from './support/walk.ts';

const admin = adminClient();
const byPage = Map.groupBy(await blocks(), ({ file }) => file);
const walked = [...byPage].filter(([, all]) => all.some(isTyped));

let removeOthers: () => Promise<void>;

beforeAll(async () => {
  removeOthers = await installExtensions(admin);
});
afterAll(() => removeOthers());

test.for(walked)('%s can be followed from its top to its bottom', { timeout: 600_000 }, async ([page, all]) => {
  await installTrunnion(admin, { compat: true });
  const before = await namespacesOf(admin);
  const stage = STAGES[page] ?? {};
  try {
    await setStage(admin, stage);
    const reader = new Reader();
    save(reader, all);
    await stage.before?.(reader);
    await walk(reader, all);
  } finally {
    await clearStage(admin, before);
  }
});

test('every stage is that of a page', () => {
  expect(Object.keys(STAGES).filter((page) => !byPage.has(page))).toEqual([]);
});
