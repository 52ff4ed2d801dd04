import { readFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { describe, expect, it } from 'vitest';
import { bugs, leadershipBug } from '../../faults/bugs.ts';

describe('a bug that is planted to prove that the campaign of faults finds it', () => {
  it.each([...bugs, leadershipBug])('changes the source as it is now: $name', async ({ file, find, replace }) => {
    const source = await readFile(new URL(`../../../${file}`, import.meta.url), 'utf8');
    expect(source.split(find)).toHaveLength(2);
    expect(stripTypeScriptTypes(source.replace(find, () => replace))).not.toContain(find);
  });
});
