import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { FETCHER_SCRIPTS } from '../../../constructs/parts/weights/fetcher.generated.ts';
import { generatedModule } from '../../../fetcher/generate.ts';

const checkedIn = new URL('../../../constructs/parts/weights/fetcher.generated.ts', import.meta.url);

test('the script of the ConfigMap is what its sources give: else run `npm run generate`', async () => {
  expect(await readFile(checkedIn, 'utf8')).toBe(await generatedModule());
});

test.each(Object.entries(FETCHER_SCRIPTS))(
  'the script for %s:// stays small: a ConfigMap of each model carries it, in Git and in etcd',
  (_, script) => {
    expect(Buffer.byteLength(script)).toBeLessThan(46 * 1024);
  },
);

test('the script for models of Hugging Face, which most models are, is less than 41 kB', () => {
  expect(Buffer.byteLength(FETCHER_SCRIPTS.hf)).toBeLessThan(41_000);
});
