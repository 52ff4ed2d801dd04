import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { generatedModule } from '../../../constructs/parts/weights/fetcher/generate.ts';

const checkedIn = new URL('../../../constructs/parts/weights/fetcher.generated.ts', import.meta.url);

test('the script of the ConfigMap is what its sources give: else run `npm run generate`', async () => {
  expect(await readFile(checkedIn, 'utf8')).toBe(await generatedModule());
});

test('the script stays small: a ConfigMap of each model carries it, in Git and in etcd', async () => {
  expect((await readFile(checkedIn)).length).toBeLessThan(68 * 1024);
});
