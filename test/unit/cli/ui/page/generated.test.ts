import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { generatedModule } from '../../../../../cli/ui/page/generate.ts';
import { PAGE } from '../../../../../cli/ui/page.generated.ts';

const checkedIn = new URL('../../../../../cli/ui/page.generated.ts', import.meta.url);

test('the page is what its sources give: else run `npm run generate`', async () => {
  expect(await readFile(checkedIn, 'utf8')).toBe(await generatedModule());
});

test('the page stays small: less than 30 kB as it is compressed', () => {
  const all = Object.values(PAGE).join('');
  expect(gzipSync(all).length).toBeLessThan(30_000);
});

test('the page has the licence of the library in it', () => {
  expect(PAGE.script).toContain('The MIT License (MIT)');
  expect(PAGE.script).toContain('Copyright (c) 2015-present Jason Miller');
});

test('the page names no other place: what it needs comes from its own server', () => {
  const addresses = Object.values(PAGE)
    .join('\n')
    .match(/https?:\/\/[\w.-]+/g);
  // Names of the languages of a document, which nobody asks for.
  expect(new Set(addresses)).toEqual(new Set(['http://www.w3.org']));
});

test('the HTML has neither a script nor a style inside, as the policy of the server asks', () => {
  expect(PAGE.html).not.toMatch(/<style|style=|\son\w+=/);
  expect(PAGE.html.match(/<script[^>]*>/g)).toEqual(['<script type="module" src="/app.js">']);
});
