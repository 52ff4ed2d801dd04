import { mkdtempSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { blocks, languageOf } from '../support/markdown.ts';
import { run } from '../support/run.ts';

const { exports: published }: { exports: Record<string, string | { readonly default: string }> } = JSON.parse(
  readFileSync('package.json', 'utf8'),
);

/** What can be imported, and where it is before it is compiled. */
const EXPORTS = Object.fromEntries(
  Object.entries(published).flatMap(([name, target]) =>
    typeof target === 'string' ? [] : [[name, target.default.replace('/dist/', '/').replace(/\.js$/, '.ts')]],
  ),
);

/** Those for operators and their tests are run by test/unit/docs/testing-operators.test.ts. */
const programs = (await blocks())
  .filter((block) => languageOf(block) === 'ts' && !block.text.includes("from 'trunnion-operator"))
  .map((block, n) => ({ ...block, name: `program-${n}.ts` }));

let folder = '';

/** A user's project, that has the package and its peers installed. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'trunnion-programs-'));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'user', private: true, type: 'module' }));
  const installed = join(folder, 'node_modules', 'trunnion');
  mkdirSync(installed, { recursive: true });
  for (const name of ['@pulumi', '@types', 'cdk8s', 'constructs', 'openai']) {
    symlinkSync(resolve('node_modules', name), join(folder, 'node_modules', name));
  }
  for (const name of ['constructs', 'operator', 'stacks']) symlinkSync(resolve(name), join(installed, name));
  writeFileSync(
    join(installed, 'package.json'),
    JSON.stringify({ name: 'trunnion', type: 'module', exports: EXPORTS }),
  );
  for (const { name, text } of programs) writeFileSync(join(folder, name), text);
});
afterAll(() => rmSync(folder, { recursive: true }));

test('every program that a page shows is right in its types', async () => {
  const compilerOptions = {
    module: 'nodenext',
    target: 'es2024',
    types: ['node'],
    noEmit: true,
    allowImportingTsExtensions: true,
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: true,
  };
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: programs.map(({ name }) => name) }),
  );
  expect(await run('tsc', ['-p', '.'], { cwd: folder })).toEqual({ code: 0, stdout: '', stderr: '' });
});

/** Those for Pulumi are run by its own engine, in test/pulumi/docs.test.ts; clients ask a server, in test/unit/docs/clients.test.ts. */
test.for(programs.filter(({ text }) => !/'trunnion\/pulumi'|'openai'/.test(text)))(
  'the program that $file shows synthesizes',
  async ({ name }) => {
    rmSync(join(folder, 'dist'), { recursive: true, force: true });
    expect(await run(process.execPath, [name], { cwd: folder })).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(readdirSync(join(folder, 'dist'))).not.toEqual([]);
  },
);
