import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const FOLDER = 'examples/operators';
const files = readdirSync(FOLDER).filter((file) => file.endsWith('.ts'));

/** What is neither empty nor a comment. */
const isCode = (line: string): boolean => !/^\s*(?:\/\/|\/\*\*|\*|$)/.test(line);

/** The number of the last column in each row of the first table of the page, by the project that the row names. */
const PAGE = readFileSync('docs/operators-side-by-side.md', 'utf8');
const ours = (project: string): number => {
  const row = PAGE.split('\n').find((line) => line.startsWith('| ') && line.includes(project)) ?? '';
  return Number(row.split('|').at(-2));
};

const PROJECTS: Readonly<Record<string, string>> = {
  'cronjob.ts': '[kubebuilder]',
  'ephemeral-volume-claim.ts': '[the whole of it]',
  'web-app.ts': '[Pepr]',
  'web-service-kro.ts': '[kro]',
  'web-service.ts': '[cdk8s]',
};

it.for(files)('%s has less than 80 lines, and as many of code as the page says', (file) => {
  const lines = readFileSync(`${FOLDER}/${file}`, 'utf8').trimEnd().split('\n');
  expect(lines.length).toBeLessThan(80);
  expect(ours(PROJECTS[file] ?? '')).toBe(lines.filter(isCode).length);
});

it('every example has a row', () => {
  expect(files.toSorted()).toEqual(Object.keys(PROJECTS).toSorted());
});
