import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, inject, test } from 'vitest';
import { parse } from 'yaml';
import { run } from '../support/run.ts';

const { operatorProject: project } = inject('package');

const PROGRAM = `
import { App, Chart } from 'cdk8s';
import { ModelServing, ModelServingSpecEngineType } from './imports/trunnion.dev.ts';

const app = new App();
new ModelServing(new Chart(app, 'imported'), 'qwen', {
  metadata: { name: 'qwen' },
  spec: {
    model: { uri: 'hf://Qwen/Qwen2.5-0.5B-Instruct@main' },
    storage: { size: '4Gi' },
    engine: { type: ModelServingSpecEngineType.VLLM },
    resources: { gpu: 1 },
  },
});
app.synth();
`;

const MISTAKE = PROGRAM.replace('gpu: 1', "gpu: 'one'");

/** Compiles a program of the user's, strictly; what is wrong with it is told. */
async function compile(name: string, source: string): Promise<string> {
  writeFileSync(join(project, `${name}.ts`), source);
  const compilerOptions = {
    module: 'nodenext',
    target: 'es2024',
    strict: true,
    skipLibCheck: true,
    rewriteRelativeImportExtensions: true,
    outDir: 'compiled',
    types: ['node'],
    typeRoots: [resolve('node_modules/@types')],
  };
  const config = `tsconfig.${name}.json`;
  writeFileSync(join(project, config), JSON.stringify({ compilerOptions, files: [`${name}.ts`] }));
  return (await run('tsc', ['-p', config], { cwd: project })).stdout;
}

/** Has cdk8s make resources of the CRDs in the package. */
function importTo(folder: string, language: string) {
  const crds = join(project, 'node_modules/trunnion-operator/dist/crds.yaml');
  const where = ['--language', language, '--output', folder, '--no-save', '--check-upgrade=false'];
  return run(resolve('node_modules/.bin/cdk8s'), ['import', crds, ...where], { cwd: project });
}

test('cdk8s import makes typed resources of the CRDs in the package, which render as any other', async () => {
  expect(await importTo('imports', 'typescript')).toMatchObject({ code: 0 });
  expect(await compile('imported', PROGRAM)).toBe('');
  expect(await run(process.execPath, ['compiled/imported.js'], { cwd: project })).toMatchObject({
    code: 0,
    stderr: '',
  });
  const rendered: unknown = parse(readFileSync(join(project, 'dist/imported.k8s.yaml'), 'utf8'));
  expect(rendered).toMatchObject({
    apiVersion: 'trunnion.dev/v1alpha1',
    kind: 'ModelServing',
    metadata: { name: 'qwen' },
    spec: { engine: { type: 'vllm' }, resources: { gpu: 1 } },
  });
  expect(await compile('mistaken', MISTAKE)).toContain("Type 'string' is not assignable to type 'number'");
});

test('all kinds are among them', async () => {
  const text = readFileSync(join(project, 'imports/trunnion.dev.ts'), 'utf8');
  for (const kind of ['ModelServing', 'AgentService', 'DistributedTraining']) {
    expect(text).toContain(`export class ${kind} extends ApiObject`);
  }
});
