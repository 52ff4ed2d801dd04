import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { reasonsInSource, unreadForms } from './support/reasons.ts';

const page = readFileSync('docs/troubleshooting.md', 'utf8');

/** The words in the first cells of the tables. */
const cells = [...page.matchAll(/^\| (`\w+`(?:, `\w+`)*) \|/gm)].flatMap(([, cell = '']) =>
  [...cell.matchAll(/\w+/g)].map(([word]) => word),
);

test('every reason that the code can give is on the page, once, and no other', () => {
  const given = reasonsInSource();
  const missing = [...given].filter((reason) => !cells.includes(reason));
  expect(missing, 'add these reasons to docs/troubleshooting.md').toEqual([]);
  const unknown = cells.filter((cell) => !given.has(cell));
  expect(
    unknown,
    'nothing gives these reasons; if they are many, see where test/unit/docs/support/reasons.ts looks',
  ).toEqual([]);
  expect(cells).toHaveLength(given.size);
});

test('reasons stand in the source in no form that this test does not read', () => {
  expect(unreadForms()).toEqual([]);
});

test('what admission is said to refuse is in a CRD, in these words', () => {
  const [, section = ''] = /^## What admission refuses$(.*?)^## /ms.exec(page) ?? [];
  const crds = globSync('crds/*.yaml')
    .map((file) => readFileSync(file, 'utf8').replaceAll(/\s+/g, ' '))
    .join('\n');
  const quoted = [...section.matchAll(/^\|[^|]+\| `([^`]+)` \|$/gm)].map(([, words = '']) => words);
  expect(quoted.length).toBeGreaterThan(5);
  expect(quoted.filter((words) => !crds.includes(words))).toEqual([]);
});

test('no other page has a table of reasons', () => {
  const others = globSync('docs/concepts/*.md').filter((file) => /^\| Reason \|/m.test(readFileSync(file, 'utf8')));
  expect(others).toEqual([]);
});
