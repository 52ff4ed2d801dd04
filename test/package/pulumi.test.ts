import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { run } from '../support/run.ts';

const folder = mkdtempSync(join(tmpdir(), 'trunnion-pulumi-project-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The project of a user who has Pulumi, too. */
beforeAll(() => {
  cpSync(inject('package').project, folder, { recursive: true });
  symlinkSync(resolve('node_modules/@pulumi'), join(folder, 'node_modules/@pulumi'));
});

const PROGRAM = `
import { Output, runtime } from '@pulumi/pulumi';
import { ModelServing, type ModelServingArgs } from 'trunnion/pulumi';

const types: string[] = [];
await runtime.setMocks({
  newResource: ({ type, name, inputs }) => (types.push(type), { id: name, state: inputs }),
  call: () => ({}),
});
const args: ModelServingArgs = {
  namespace: Output.create('models'),
  spec: {
    model: { uri: 'pvc://weights/llama' },
    engine: { type: 'vllm' },
    resources: { gpu: 1, cpu: '8', memory: '64Gi' },
    replicas: 1,
  },
};
const { endpoint } = new ModelServing('llama', args);
endpoint.apply((url) => console.log(url));
process.once('beforeExit', () => console.log(types.includes('kubernetes:apps/v1:Deployment')));
`;

test('a program of trunnion/pulumi runs, and its types hold in a strict project', async () => {
  writeFileSync(join(folder, 'pulumi.ts'), PROGRAM);
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
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['pulumi.ts'] }));
  expect(await run('tsc', ['-p', '.'], { cwd: folder })).toEqual({ code: 0, stdout: '', stderr: '' });
  const { stdout, stderr } = await run(process.execPath, ['pulumi.ts'], { cwd: folder });
  expect({ stdout, stderr }).toEqual({ stdout: 'http://llama.models.svc:8000/v1\ntrue\n', stderr: '' });
});
