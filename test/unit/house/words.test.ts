import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../../..');

const PAGE = readFileSync(join(ROOT, 'docs/glossary.md'), 'utf8');

/** The words of the left column of the table of the glossary that begins with a heading. */
function leftOf(heading: string): readonly string[] {
  const [, table = ''] = PAGE.split(`| ${heading} | But |\n|---|---|\n`);
  const rows = table.split('\n\n', 1)[0]?.matchAll(/^\| (`.*`) \|.*\|$/gm) ?? [];
  return [...rows].flatMap(([, left = '']) => [...left.matchAll(/`(\w+)`/g)].map(([, word = '']) => word));
}

/** Program text without comments and texts, which may say in plain English what a name must not. */
const codeOf = (source: string): string =>
  source.replaceAll(/\/\*[^]*?\*\/|\/\/.*$|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/gm, ' ');

/** The tests and the bench may use these words in another meaning. */
const SHIPPED = /^(?:certificates|cli|cluster|constructs|fetcher|operator|stacks|testing|tuning|yaml)\//;

/** `failedLives` has the parts failed and lives, as has `failed-lives.ts`. */
const partsOf = (name: string): readonly string[] =>
  name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/);

const files = execFileSync('git', ['ls-files', '*.ts', '*.tsx'], { cwd: ROOT, encoding: 'utf8' })
  .split('\n')
  .filter((file) => file !== '' && !file.endsWith('.generated.ts'))
  .map((file) => {
    const code = codeOf(readFileSync(join(ROOT, file), 'utf8'));
    return { file, names: [...new Set(code.match(/[A-Za-z_$][\w$]*/g))] };
  });

test('no name of the code is one of the words that the glossary has another for', () => {
  const words = leftOf('Not');
  expect(words.length).toBeGreaterThan(20);
  const found = files
    .filter(({ file }) => SHIPPED.test(file))
    .flatMap(({ file, names }) => words.filter((word) => names.includes(word)).map((word) => `${file}: ${word}`));
  expect(found).toEqual([]);
});

test('no name of the code or of a file has a part that the glossary has another word for', () => {
  const words = new Set(leftOf('Part of a name'));
  expect(words.size).toBeGreaterThan(10);
  const found = files.flatMap(({ file, names }) =>
    [file, ...names].filter((name) => partsOf(name).some((part) => words.has(part))).map((name) => `${file}: ${name}`),
  );
  expect(found).toEqual([]);
  expect(partsOf('failedLives')).toEqual(['failed', 'lives']);
});

test('the glossary has a dozen words at most', () => {
  const own = PAGE.slice(0, PAGE.indexOf('## Words')).match(/^\| (?!Word |---)/gm) ?? [];
  expect(own.length).toBeLessThanOrEqual(12);
});
