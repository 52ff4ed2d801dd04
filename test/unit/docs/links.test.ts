import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { anchorsOf, pages } from '../../support/markdown.ts';

const all = await pages();
const tests = globSync('test/**/*.ts');

/** What a page links to here: a file, and what of it. */
function linksOf(page: string): readonly { readonly link: string; readonly file: string; readonly anchor: string }[] {
  const text = readFileSync(page, 'utf8').replaceAll(/^```.*?^```$|`[^`\n]*`/gms, '');
  return [...text.matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]*))?\)/g)].map(([link, path = '', anchor = '']) => ({
    link,
    file: path === '' ? page : join(dirname(page), path),
    anchor,
  }));
}

const resolves = ({ file, anchor }: ReturnType<typeof linksOf>[number]): boolean =>
  existsSync(file) && (anchor === '' || anchorsOf(readFileSync(file, 'utf8')).has(anchor));

test.for(all)('every link of %s leads somewhere', (page) => {
  const broken = linksOf(page).filter((link) => !resolves(link));
  expect(broken.map(({ link }) => link)).toEqual([]);
});

test('every page can be reached from the README', () => {
  const seen = new Set<string>();
  const visit = (page: string): void => {
    if (seen.has(page)) return;
    seen.add(page);
    for (const { file } of linksOf(page)) if (file.endsWith('.md') && existsSync(file)) visit(file);
  };
  visit('README.md');
  expect(all.filter((page) => !seen.has(page))).toEqual([]);
});

test.for(all)('every file of tests that %s names is there', (page) => {
  const text = readFileSync(page, 'utf8').replaceAll(/^```.*?^```$/gms, '');
  const named = [...text.matchAll(/`((?:[\w-]+\/)*[\w.-]+\.(?:test|pods)\.ts)`/g)].map(([, name = '']) => name);
  expect(named.filter((name) => !tests.some((file) => file === name || file.endsWith(`/${name}`)))).toEqual([]);
});
