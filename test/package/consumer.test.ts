import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, inject, test } from 'vitest';
import { blocks } from '../support/markdown.ts';
import { run } from '../support/run.ts';
import { loadedBy } from './support/loaded.ts';
import { program } from './support/program.ts';

const { project } = inject('package');

const RENDER = `
import { App, Chart } from 'cdk8s';
import { ModelServing } from 'trunnion';

const chart = new Chart(new App(), 'models');
const serving = new ModelServing(chart, 'llama', {
  name: 'llama-3-8b',
  namespace: 'models',
  spec: {
    model: { uri: 'pvc://weights/llama' },
    engine: { type: 'vllm' },
    resources: { gpu: 1, cpu: '8', memory: '64Gi' },
    replicas: 1,
  },
});
const kinds: string[] = serving.render().map(({ manifest }) => manifest.kind);
console.log(kinds.includes('Deployment'));
`;

test('the root renders a model in a project that has nothing but the package and its peers', async () => {
  expect(await program(project, 'render.ts', RENDER)).toBe('true\n');
});

const WITHOUT_PULUMI = `
import { App, Chart } from 'cdk8s';
import { AgentService, DistributedTraining } from 'trunnion';

const chart = new Chart(new App(), 'ml');
const agent = { name: 'agent', namespace: 'ml', spec: { image: 'agent:1', model: 'gpt-4o' } };
const training = { name: 'resnet', namespace: 'ml', spec: { framework: 'pytorch' as const, image: 'trainer:1' } };
for (const workload of [new AgentService(chart, 'agent', agent), new DistributedTraining(chart, 'resnet', training)]) {
  console.log(workload.render().length > 0);
}
await import('trunnion/pulumi').catch(({ code, message }) => console.log(code, message));
`;

test('where Pulumi is not installed all constructs work, and trunnion/pulumi says what it misses', async () => {
  expect(existsSync(join(project, 'node_modules', '@pulumi'))).toBe(false);
  const lines = (await program(project, 'without-pulumi.ts', WITHOUT_PULUMI)).split('\n');
  expect(lines.slice(0, 2)).toEqual(['true', 'true']);
  expect(lines[2]).toMatch(/^ERR_MODULE_NOT_FOUND Cannot find package '@pulumi\/\w+'/);
});

test('the program that the README shows runs as it is', async () => {
  const shown = (await blocks()).find(({ file, info }) => file === 'README.md' && info === 'ts');
  await program(project, 'readme.ts', shown?.text ?? '');
  expect(readdirSync(join(project, 'dist'))).toEqual(['models.k8s.yaml']);
});

test('the types of all of it hold in a strict project that checks those of the package as well', async () => {
  writeFileSync(join(project, 'render.ts'), RENDER);
  const compilerOptions = {
    module: 'nodenext',
    target: 'es2024',
    strict: true,
    noEmit: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    types: ['node'],
    typeRoots: [resolve('node_modules/@types')],
  };
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['render.ts'] }));
  expect(await run('tsc', ['-p', '.'], { cwd: project })).toEqual({ code: 0, stdout: '', stderr: '' });
});

test('importing it loads nothing that only other hosts need', async () => {
  const files = await loadedBy(project, 'trunnion');
  expect(files.some((file) => file.includes('/trunnion/dist/'))).toBe(true);
  const heavy = /@kubernetes\/client-node|@pulumi|node_modules\/(undici|pino|prom-client|commander)\//;
  expect(files.filter((file) => heavy.test(file))).toEqual([]);
});

test('its command line is in the other package, and it says how to install that', async () => {
  expect(await run('npx', ['--no-install', 'trunnion', 'status'], { cwd: project })).toEqual({
    code: 1,
    stdout: '',
    stderr: `trunnion: the command line and the operator are in the package trunnion-operator, which isn't installed.
Install it: npm install trunnion-operator
`,
  });
});

interface Installed {
  readonly packages: Readonly<Record<string, { readonly inBundle?: boolean }>>;
}

/** Bytes of all files, in MiB; a file system rounds each of them up. */
const mebibytes = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0) /
  2 ** 20;

test('who installs it has six packages of less than 14 MiB, and none of the operator', () => {
  const modules = join(project, 'node_modules');
  const { packages }: Installed = JSON.parse(readFileSync(join(modules, '.package-lock.json'), 'utf8'));
  const names = Object.entries(packages).flatMap(([path, { inBundle = false }]) =>
    inBundle ? [] : [path.replace('node_modules/', '')],
  );
  expect(names.toSorted()).toEqual(['@marcbachmann/cel-js', '@noble/hashes', 'cdk8s', 'constructs', 'trunnion', 'zod']);
  expect(mebibytes(modules)).toBeLessThan(14);
});
