import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

const ROOT = join(import.meta.dirname, '../../..');

const tracked = (...patterns: readonly string[]): readonly string[] =>
  execFileSync('git', ['ls-files', ...patterns], { cwd: ROOT, encoding: 'utf8' })
    .split('\n')
    .filter(Boolean);

const read = (path: string): unknown => parse(readFileSync(join(ROOT, path), 'utf8'));

interface Update {
  readonly 'package-ecosystem': string;
  readonly directory?: string;
  readonly directories?: readonly string[];
}

test.each([
  ['npm', 'package-lock.json'],
  ['gomod', 'go.mod'],
])('every folder with dependencies of %s is kept up to date by the bot', (ecosystem, file) => {
  const { updates } = read('.github/dependabot.yml') as { readonly updates: readonly Update[] };
  const covered = updates
    .filter((update) => update['package-ecosystem'] === ecosystem)
    .flatMap(({ directory, directories = [] }) => [...(directory === undefined ? [] : [directory]), ...directories]);
  const folders = tracked(file, `*/${file}`).map((path) => join('/', dirname(path)));
  expect(covered.toSorted()).toEqual(folders.toSorted());
});

const folders = new Set(tracked('*/*').flatMap((path) => (path.startsWith('.') ? [] : [path.split('/')[0] as string])));

test.for([...folders])('the folder %s says what is in it', (folder) => {
  const [title, , ...text] = readFileSync(join(ROOT, folder, 'README.md'), 'utf8')
    .trimEnd()
    .split('\n');
  expect(title).toMatch(/^# \w/);
  expect(text.length).toBeGreaterThan(0);
});

test('the forms of an issue ask for something, and every question has a name', () => {
  const forms = tracked('.github/ISSUE_TEMPLATE/*.yml').map(
    (path) => read(path) as { readonly body: readonly { readonly type: string; readonly id?: string }[] },
  );
  expect(forms.length).toBeGreaterThan(0);
  for (const { body } of forms) {
    const asked = body.filter(({ type }) => type !== 'markdown');
    expect(asked.map(({ id }) => id)).not.toContain(undefined);
    expect(new Set(asked.map(({ id }) => id)).size).toBe(asked.length);
  }
});
