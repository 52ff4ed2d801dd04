import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, inject, onTestFinished, test } from 'vitest';
import { packageVersion } from '../../cli/package.ts';
import { run } from '../support/run.ts';
import { loadedBy } from './support/loaded.ts';
import { npm } from '../support/npm.ts';
import { program } from './support/program.ts';

const { operatorProject } = inject('package');

const PROGRAM = `
import { type OperatorOptions, runOperator } from 'trunnion-operator';
import { kinds } from 'trunnion-operator/kinds';

const options: Pick<OperatorOptions, 'kinds'> = { kinds };
console.log(typeof runOperator, options.kinds.map(({ type }) => type.kind).join());
`;

test('the operator is run by a program, with kinds that have a door of their own', async () => {
  expect(await program(operatorProject, 'operator.ts', PROGRAM)).toBe(
    'function ModelServing,AgentService,DistributedTraining\n',
  );
});

test('its types hold in a strict project', async () => {
  writeFileSync(join(operatorProject, 'operator.ts'), PROGRAM);
  const compilerOptions = {
    module: 'nodenext',
    target: 'es2024',
    strict: true,
    noEmit: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: true,
    types: ['node'],
    typeRoots: [resolve('node_modules/@types')],
  };
  writeFileSync(join(operatorProject, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['operator.ts'] }));
  expect(await run('tsc', ['-p', '.'], { cwd: operatorProject })).toEqual({ code: 0, stdout: '', stderr: '' });
});

test('importing it loads no kind, and nothing that only other hosts need', async () => {
  const files = await loadedBy(operatorProject, 'trunnion-operator');
  expect(files.some((file) => file.includes('/trunnion-operator/dist/operator/'))).toBe(true);
  const heavy = /@kubernetes\/client-node|@pulumi|node_modules\/commander\/|\/operator\/kinds\/(?!shared\/)/;
  expect(files.filter((file) => heavy.test(file))).toEqual([]);
});

test('its kinds are made of the very constructs that a program imports', async () => {
  const files = await loadedBy(operatorProject, 'trunnion-operator/kinds');
  const workloads = files.filter((file) => file.endsWith('/dist/constructs/workload.js'));
  expect(workloads).toEqual([expect.stringContaining('/node_modules/trunnion/dist/')]);
});

test('every CRD can be found by its subpath', async () => {
  const files = readdirSync('crds').filter((file) => file.endsWith('.yaml'));
  const source = files.map((file) => `console.log(import.meta.resolve('trunnion-operator/crds/${file}'));`).join('\n');
  const urls = (await program(operatorProject, 'crds.mjs', source)).trim().split('\n');
  expect(files.length).toBeGreaterThan(0);
  expect(urls.map((url) => url.split('/').at(-1))).toEqual(files);
});

test('the command line runs by its name', async () => {
  const { code, stdout } = await run('npx', ['--no-install', 'trunnion', '--help'], { cwd: operatorProject });
  expect(code).toBe(0);
  expect(stdout).toContain('Usage: trunnion');
});

test('both install globally, and the command finds what is beside it', async () => {
  const prefix = mkdtempSync(join(tmpdir(), 'trunnion-global-'));
  onTestFinished(() => rmSync(prefix, { recursive: true }));
  const { tarball, operatorTarball } = inject('package');
  const options = ['--prefix', prefix, '--prefer-offline', '--no-audit', '--no-fund'];
  await npm(['install', '--global', ...options, tarball, operatorTarball], prefix);
  const { code, stdout } = await run(join(prefix, 'bin', 'trunnion'), ['version', '--client']);
  expect({ code, stdout }).toEqual({ code: 0, stdout: `Client:     ${packageVersion()}\n` });
});

test('kubectl finds it as a plugin, which calls itself by that name, and is completed', async () => {
  const bin = join(operatorProject, 'node_modules', '.bin');
  const help = await run(join(bin, 'kubectl-trunnion'), ['--help'], { cwd: operatorProject });
  expect(help).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Usage: kubectl trunnion /) });
  const completed = await run(join(bin, 'kubectl_complete-trunnion'), ['completion', ''], { cwd: operatorProject });
  expect(completed).toMatchObject({ code: 0, stdout: 'bash\nzsh\nfish\n:4\n' });
});
