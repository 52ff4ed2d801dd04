import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../../..');

/** The words of the left column of the last table of the glossary. */
function unusedWords(): readonly string[] {
  const page = readFileSync(join(ROOT, 'docs/glossary.md'), 'utf8');
  const table = page.slice(page.indexOf('## Words that are not used')).matchAll(/^\| (`.*`) \|.*\|$/gm);
  return [...table].flatMap(([, left = '']) => [...left.matchAll(/`(\w+)`/g)].map(([, word = '']) => word));
}

/** Program text without comments and texts, which may say in plain English what a name must not. */
const codeOf = (source: string): string =>
  source.replaceAll(/\/\*[^]*?\*\/|\/\/.*$|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/gm, ' ');

test('no name of the code is one of the words that the glossary has another for', () => {
  const words = unusedWords();
  expect(words.length).toBeGreaterThan(20);
  const files = execFileSync('git', ['ls-files', 'constructs/*.ts', 'operator/*.ts', 'stacks/*.ts', 'cli/*.ts'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  const found = files
    .split('\n')
    .filter((file) => file !== '' && !file.endsWith('.generated.ts'))
    .flatMap((file) => {
      const names = new Set(codeOf(readFileSync(join(ROOT, file), 'utf8')).match(/[A-Za-z_$][\w$]*/g));
      return words.filter((word) => names.has(word)).map((word) => `${file}: ${word}`);
    });
  expect(found).toEqual([]);
});

test('the glossary has a dozen words at most', () => {
  const page = readFileSync(join(ROOT, 'docs/glossary.md'), 'utf8');
  const own = page.slice(0, page.indexOf('## Words')).match(/^\| (?!Word |---)/gm) ?? [];
  expect(own.length).toBeLessThanOrEqual(12);
});
