import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { blocks, fileOf, languageOf } from '../../support/markdown.ts';
import { run } from '../../support/run.ts';
import { makeUserProject, STRICT } from '../../support/user-project.ts';

const PAGE = 'docs/testing-operators.md';

/** A kind, and what tests it in memory. */
const FILES = ['web-app.ts', 'web-app.test.ts'];

/** What a project of a user has installed. */
const INSTALLED = ['@types', 'cdk8s', 'constructs', 'vitest', 'zod'];

let folder = '';

/** A user's project, with the package and what it takes, and the files of the page. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'trunnion-testing-'));
  makeUserProject(folder, INSTALLED);
  const files = (await blocks())
    .filter((block) => block.file === PAGE && languageOf(block) === 'ts')
    // The others need a cluster.
    .filter((block) => FILES.includes(fileOf(block) ?? ''));
  expect(files.map(fileOf)).toEqual(FILES);
  for (const block of files) write(fileOf(block) ?? '', block.text);
});
afterAll(() => rmSync(folder, { recursive: true }));

const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);

test('the programs of the page about tests are right in their types', async () => {
  write('tsconfig.json', JSON.stringify({ compilerOptions: STRICT, files: ['web-app.test.ts'] }));
  expect(await run('tsc', ['-p', '.'], { cwd: folder })).toEqual({ code: 0, stdout: '', stderr: '' });
});

test('the tests of the page pass, as its reader runs them', async () => {
  const { code, stdout, stderr } = await run(resolve('node_modules/.bin/vitest'), ['run', '--root', folder], {
    cwd: folder,
    env: { ...process.env, NO_COLOR: '1', VITEST: '' },
  });
  expect(`${stdout}${stderr}`).toContain('4 passed');
  expect(code).toBe(0);
});
