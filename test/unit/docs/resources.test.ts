import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { blocks, languageOf } from '../../support/markdown.ts';
import { trunnion } from '../../support/trunnion.ts';

const shown = (await blocks()).filter(
  (block) => languageOf(block) === 'yaml' && /^apiVersion: trunnion\.dev\//m.test(block.text),
);

/** Several resources, of which one may refer to another. */
const rendered = (text: string) => trunnion(['render', '-f', '-'], text);

/** What stands beside them in a file: a Secret, a quota. */
const PASSED_OVER = /^passed over .*: no resource of ours\n/gm;

/** A search renders nothing, and says so. */
const SEARCH = /^DistributedTraining \S+: spec\.tuning: a search has no objects of its own;.*\n/gm;

test.for(shown)('the resources that $file shows are valid', async ({ text }) => {
  const { code, stderr } = await rendered(text);
  expect({ code, stderr: stderr.replaceAll(PASSED_OVER, '').replaceAll(SEARCH, '') }).toEqual({ code: 0, stderr: '' });
});

test('every example is valid', async () => {
  for await (const file of glob('examples/full/*.yaml')) {
    expect(await trunnion(['render', '-f', file])).toMatchObject({ code: 0, stderr: '' });
  }
  // Those at the top are for one namespace: one refers to another.
  const files: string[] = [];
  for await (const file of glob('examples/*.yaml')) files.push(readFileSync(file, 'utf8'));
  const { code, stderr } = await rendered(files.join('---\n'));
  expect(code).toBe(0);
  expect(stderr.replaceAll(SEARCH, '')).toBe('');
});
