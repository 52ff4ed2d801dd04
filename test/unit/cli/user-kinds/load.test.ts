import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { run } from '../../../support/run.ts';

const folder = mkdtempSync(join(tmpdir(), 'trunnion-modules-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const RUNTIME = resolve('operator/index.ts');
const WEB_APP = resolve('test/unit/cli/user-kinds/support/web-app.ts');

const FILES = {
  'package.json': '{"type": "module"}',
  'kind.ts': `export { WebApp } from '${WEB_APP}';`,
  'operates.ts': `import { operate } from '${RUNTIME}';
import { WebApp } from '${WEB_APP}';
await operate({ name: 'acme-operator', kinds: [WebApp] });`,
  'enum.ts': 'export enum A { B }',
  'no-extension.ts': "export * from './kind';",
  'no-package.ts': "export * from 'a-package-that-nobody-has';",
  'syntax.ts': 'export const a = ;',
  'throws.ts': "throw new Error('boom\\nand more');",
  'never.ts': 'await new Promise(() => undefined);',
  'rejects.ts': "export const later = 1; await Promise.reject(new Error('no'));",
  'nothing.ts': 'export const a = 1;',
  'text.txt': 'hello',
  'folder/module.ts': '',
};

let results: Readonly<Record<string, unknown>>;

beforeAll(async () => {
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const program = resolve('test/unit/cli/user-kinds/support/load-all.ts');
  const files = [...Object.keys(FILES), 'folder', 'absent.ts'].filter((path) => path !== 'package.json');
  const { stdout } = await run('node', [program, ...files], { cwd: folder });
  results = JSON.parse(stdout) as typeof results;
}, 60_000);

test('a module of TypeScript gives its kinds', () => {
  expect(results['kind.ts']).toEqual({ kinds: ['WebApp'], operator: '' });
});

test('one that calls operate runs nothing, and tells what it would run', () => {
  expect(results['operates.ts']).toEqual({ kinds: ['WebApp'], operator: 'acme-operator' });
});

test.for([
  ['enum.ts', /^enum\.ts can't be loaded: TypeScript enum is not supported .* \(enum\.ts:1\)\. Node\.js removes types/],
  ['no-extension.ts', /^no-extension\.ts can't be loaded: .*There is kind\.ts: name it with its extension/],
  ['no-package.ts', /^no-package\.ts can't be loaded: Cannot find package 'a-package-that-nobody-has'.*: npm install$/],
  ['syntax.ts', /^syntax\.ts fails while it is loaded: Expression expected \(syntax\.ts:1\)$/],
  ['throws.ts', /^throws\.ts fails while it is loaded: boom and more \(throws\.ts:1\)$/],
  ['rejects.ts', /^rejects\.ts fails while it is loaded: no \(rejects\.ts:1\)$/],
  ['never.ts', /^never\.ts is not loaded after 0\.5 s: something in it waits/],
  ['nothing.ts', /^nothing\.ts exports no kind/],
  ['text.txt', /^text\.txt can't be loaded: Unknown file extension "\.txt".* A module ends in \.ts/],
  ['folder', /^folder is a folder: name a module in it, as folder\/operator\.ts$/],
  ['absent.ts', /^absent\.ts can't be read: ENOENT/],
] as const)('%s is refused in one line that says what to do', ([file, words]) => {
  expect(results[file]).toMatch(words);
  expect(String(results[file])).not.toContain('\n');
});
