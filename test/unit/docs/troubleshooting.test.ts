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

test('the table of retry.ts has what the page says can end an attempt, and nothing that is not on the page', () => {
  const [, section = ''] = /^## What ended an attempt$(.*?)(?=^## )/ms.exec(page) ?? [];
  const onPage = [...section.matchAll(/^\| (`\w+`(?:, `\w+`)*) \|/gm)].flatMap(
    ([, cell = '']) => cell.match(/\w+/g) ?? [],
  );
  const rule = readFileSync('operator/kinds/distributed-training/retry.ts', 'utf8');
  const rows = [...rule.matchAll(/^ \* \| \w+ \| ([^|]*) \|/gm)].map(([, reasons = '']) => reasons);
  const inTable = rows.flatMap((reasons) => reasons.match(/\b[A-Z][a-zA-Z]+\b/g) ?? []);
  expect(
    onPage.filter((reason) => !inTable.includes(reason)),
    'add these to the table of retry.ts',
  ).toEqual([]);
  expect(
    inTable.filter((reason) => !cells.includes(reason)),
    'add these to docs/troubleshooting.md',
  ).toEqual([]);
  expect(inTable.length).toBeGreaterThan(15);
});
