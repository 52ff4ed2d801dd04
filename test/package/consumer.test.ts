import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, inject, test } from 'vitest';
import { blocks } from '../support/markdown.ts';
import { run } from '../support/run.ts';

const { project } = inject('package');

/** A program of the user's. */
async function program(name: string, source: string): Promise<string> {
  writeFileSync(join(project, name), source);
  const { code, stdout, stderr } = await run(process.execPath, [name], { cwd: project });
  expect(stderr).toBe('');
  expect(code).toBe(0);
  return stdout;
}

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
  expect(await program('render.ts', RENDER)).toBe('true\n');
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
  const lines = (await program('without-pulumi.ts', WITHOUT_PULUMI)).split('\n');
  expect(lines.slice(0, 2)).toEqual(['true', 'true']);
  expect(lines[2]).toMatch(/^ERR_MODULE_NOT_FOUND Cannot find package '@pulumi\/\w+'/);
});

test('the types of the root and of ./operator hold in a strict project', async () => {
  writeFileSync(join(project, 'render.ts'), RENDER);
  writeFileSync(
    join(project, 'operator.ts'),
    `import * as operator from 'trunnion/operator';\nexport default operator;\n`,
  );
  const config = { module: 'nodenext', strict: true, noEmit: true, exactOptionalPropertyTypes: true, types: ['node'] };
  const compilerOptions = {
    ...config,
    target: 'es2024',
    skipLibCheck: true,
    typeRoots: [resolve('node_modules/@types')],
  };
  writeFileSync(
    join(project, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: ['render.ts', 'operator.ts'] }),
  );
  expect(await run('tsc', ['-p', '.'], { cwd: project })).toEqual({ code: 0, stdout: '', stderr: '' });
});

test('./operator can be imported', async () => {
  const stdout = await program('operator.mjs', `console.log(Object.keys(await import('trunnion/operator')).join());`);
  expect(stdout.split(',')).toContain('runOperator');
});

test('every CRD can be found by its subpath', async () => {
  const files = readdirSync('crds').filter((file) => file.endsWith('.yaml'));
  const source = files.map((file) => `console.log(import.meta.resolve('trunnion/crds/${file}'));`).join('\n');
  const urls = (await program('crds.mjs', source)).trim().split('\n');
  expect(files.length).toBeGreaterThan(0);
  expect(urls.map((url) => url.split('/').at(-1))).toEqual(files);
});

/** Imports a subpath and prints all files that this loads, of both module systems. */
const loadedBy = (subpath: string): string => `
import { createRequire, registerHooks } from 'node:module';
const urls = new Set();
registerHooks({ load(url, context, next) { urls.add(url); return next(url, context); } });
await import('${subpath}');
console.log([...urls, ...Object.keys(createRequire(import.meta.url).cache)].join('\\n'));
`;

test.for([
  {
    subpath: 'trunnion',
    heavy: /@kubernetes\/client-node|@pulumi|node_modules\/(undici|pino|prom-client|commander)\//,
  },
  { subpath: 'trunnion/operator', heavy: /@kubernetes\/client-node|@pulumi|node_modules\/commander\// },
])('importing $subpath loads nothing that only other hosts need', async ({ subpath, heavy }) => {
  const files = (await program('loaded.mjs', loadedBy(subpath))).trim().split('\n');
  expect(files.some((file) => file.includes('/trunnion/dist/'))).toBe(true);
  expect(files.filter((file) => heavy.test(file))).toEqual([]);
});

test('the command line runs by its name', async () => {
  const { code, stdout } = await run('npx', ['--no-install', 'trunnion', '--help'], { cwd: project });
  expect(code).toBe(0);
  expect(stdout).toContain('Usage: trunnion');
});

test('the program that the README shows runs as it is', async () => {
  const shown = (await blocks()).find(({ file, info }) => file === 'README.md' && info === 'ts');
  await program('readme.ts', shown?.text ?? '');
  expect(readdirSync(join(project, 'dist'))).toEqual(['models.k8s.yaml']);
});

test('kubectl finds it as a plugin, which calls itself by that name, and is completed', async () => {
  const bin = join(project, 'node_modules', '.bin');
  const help = await run(join(bin, 'kubectl-trunnion'), ['--help'], { cwd: project });
  expect(help).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Usage: kubectl trunnion /) });
  const completed = await run(join(bin, 'kubectl_complete-trunnion'), ['completion', ''], { cwd: project });
  expect(completed).toMatchObject({ code: 0, stdout: 'bash\nzsh\nfish\n:4\n' });
});
