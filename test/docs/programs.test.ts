import { mkdtempSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { blocks, fileOf, languageOf } from '../support/markdown.ts';
import { run } from '../support/run.ts';
import { makeUserProject, STRICT } from '../support/user-project.ts';

const { exports: published }: { exports: Record<string, string | { readonly default: string }> } = JSON.parse(
  readFileSync('package.json', 'utf8'),
);

/** What can be imported, and where it is before it is compiled. */
const EXPORTS = Object.fromEntries(
  Object.entries(published).flatMap(([name, target]) =>
    typeof target === 'string' ? [] : [[name, target.default.replace('/dist/', '/').replace(/\.js$/, '.ts')]],
  ),
);

/** Those that a page has its reader save are in a folder of that page, under their names. */
const programs = (await blocks())
  .filter((block) => languageOf(block) === 'ts')
  .map((block, n) => {
    const saved = fileOf(block);
    return { ...block, name: saved === undefined ? `program-${n}.ts` : join(block.file.replaceAll('/', '-'), saved) };
  });

let folder = '';

/** A user's project, that has the package and its peers installed. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'trunnion-programs-'));
  makeUserProject(folder, ['@pulumi', '@types', 'cdk8s', 'cdk8s-plus-28', 'constructs', 'openai', 'vitest', 'zod']);
  const installed = join(folder, 'node_modules', 'trunnion');
  mkdirSync(installed, { recursive: true });
  for (const name of ['constructs', 'operator', 'stacks']) symlinkSync(resolve(name), join(installed, name));
  writeFileSync(
    join(installed, 'package.json'),
    JSON.stringify({ name: 'trunnion', type: 'module', exports: EXPORTS }),
  );
  for (const { name, text } of programs) {
    mkdirSync(join(folder, dirname(name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
});
afterAll(() => rmSync(folder, { recursive: true }));

test('every program that a page shows is right in its types', async () => {
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: STRICT, files: programs.map(({ name }) => name) }),
  );
  expect(await run('tsc', ['-p', '.'], { cwd: folder })).toEqual({ code: 0, stdout: '', stderr: '' });
});

/**
 * Those for Pulumi are run by its own engine, in test/pulumi/docs.test.ts; clients ask a server, in test/unit/docs/clients.test.ts.
 * Operators are run as their page is walked through.
 */
test.for(programs.filter(({ text }) => !/'trunnion\/pulumi'|'openai'|'trunnion-operator/.test(text)))(
  'the program that $file shows synthesizes',
  async ({ name }) => {
    rmSync(join(folder, 'dist'), { recursive: true, force: true });
    expect(await run(process.execPath, [name], { cwd: folder })).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(readdirSync(join(folder, 'dist'))).not.toEqual([]);
  },
);
