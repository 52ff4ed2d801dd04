import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { beforeAll, expect, inject, test } from 'vitest';
import { parse } from 'yaml';
import { run } from '../support/run.ts';
import { npm } from '../support/npm.ts';

const { tarball } = inject('package');

/** What `cdk8s init typescript-app` copies: cdk8s-cli's own folder, of the version that package.json has. */
const TEMPLATE = resolve('node_modules/cdk8s-cli/templates/typescript-app');
const project = join(dirname(tarball), 'template');

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
}

const versionOf = (name: string): string =>
  (JSON.parse(readFileSync(join('node_modules', name, 'package.json'), 'utf8')) as { readonly version: string })
    .version;

/** What `cdk8s init` puts into the files of the template. */
const VALUES: Readonly<Record<string, string>> = {
  $base: 'models',
  cdk8s_core_version: versionOf('cdk8s'),
  cdk8s_plus_version: versionOf('cdk8s-plus-33'),
  constructs_version: versionOf('constructs'),
  cdk8s_cli_spec: `^${versionOf('cdk8s-cli')}`,
};

const filled = (file: string): string =>
  readFileSync(join(TEMPLATE, file), 'utf8').replaceAll(/\{\{ (\S+) \}\}/g, (_, name: string) => VALUES[name] ?? name);

const MAIN = `export class MyChart extends Chart {`;
const SERVING = `new ModelServing(this, 'llama', {
      name: 'llama',
      namespace: 'models',
      spec: { model: { uri: 'pvc://weights/llama' }, engine: { type: 'vllm' }, resources: { gpu: 1, memory: '16Gi' } },
    });`;

/** The template's program with a model in it. */
const program = (serving: string): string =>
  filled('main.ts')
    .replace(MAIN, `import { ModelServing } from 'trunnion';\n${MAIN}`)
    .replace('// define resources here', serving);

beforeAll(async () => {
  mkdirSync(project);
  for (const file of ['tsconfig.json', 'jest.config.js', 'main.test.ts', 'cdk8s.yaml']) {
    cpSync(join(TEMPLATE, file), join(project, file));
  }
  writeFileSync(join(project, 'main.ts'), program(SERVING));
  writeFileSync(join(project, 'package.json'), filled('package.json'));
  await npm(['install', '--prefer-offline', '--no-audit', '--no-fund', tarball], project);
});

const tool = (name: string, ...args: string[]) =>
  run(join(project, 'node_modules/.bin', name), args, { cwd: project, env: { ...process.env, CI: '' } });

test('the program of the template is compiled with a model in it', async () => {
  expect(await tool('tsc', '--noEmit', '-p', '.')).toEqual({ code: 0, stdout: '', stderr: '' });
});

test('every file of it is as cdk8s has it, but for the model in its program', () => {
  for (const file of ['tsconfig.json', 'jest.config.js', 'main.test.ts', 'cdk8s.yaml']) {
    expect(readFileSync(join(project, file), 'utf8')).toBe(filled(file));
  }
  const { dependencies, ...rest } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as Manifest;
  const { trunnion, ...others } = dependencies;
  expect(trunnion).toMatch(/^file:/);
  expect({ dependencies: others, ...rest }).toEqual(JSON.parse(filled('package.json')));
});

test('a mistake in a spec is found by the compiler', async () => {
  writeFileSync(join(project, 'main.ts'), program(SERVING.replace('gpu: 1', "gpu: 'one'")));
  const { code, stdout } = await tool('tsc', '--noEmit', '-p', '.');
  writeFileSync(join(project, 'main.ts'), program(SERVING));
  expect(code).not.toBe(0);
  expect(stdout).toMatch(/^main\.ts.*Type 'string' is not assignable to type 'number'/m);
});

test('its test passes, with the objects of the model in the snapshot', async () => {
  expect(await tool('jest', '--ci=false')).toMatchObject({ code: 0 });
  expect(readFileSync(join(project, '__snapshots__/main.test.ts.snap'), 'utf8')).toContain('"kind": "Deployment"');
});

test('its command in cdk8s.yaml writes the objects', async () => {
  const { app }: { readonly app: string } = parse(readFileSync(join(TEMPLATE, 'cdk8s.yaml'), 'utf8'));
  expect(app).toBe('npx ts-node main.ts');
  expect(await tool('ts-node', 'main.ts')).toMatchObject({ code: 0, stderr: '' });
  expect(readFileSync(join(project, 'dist/models.k8s.yaml'), 'utf8')).toContain('kind: Deployment');
});

test.each([
  ['commonjs', 'node10'],
  ['node16', 'node16'],
  ['nodenext', 'nodenext'],
  ['esnext', 'bundler'],
])('the types are found with module %s and moduleResolution %s', async (module, moduleResolution) => {
  const compilerOptions = {
    module,
    moduleResolution,
    target: 'es2022',
    strict: true,
    noEmit: true,
    skipLibCheck: true,
  };
  const config = `tsconfig.${moduleResolution}.json`;
  writeFileSync(join(project, config), JSON.stringify({ compilerOptions, files: ['main.ts'] }));
  expect(await tool('tsc', '-p', config)).toEqual({ code: 0, stdout: '', stderr: '' });
});
