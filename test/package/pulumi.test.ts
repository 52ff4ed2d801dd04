import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { credentials } from '@grpc/grpc-js';
import { ResourceProviderClient } from '@pulumi/pulumi/proto/provider_grpc_pb.js';
import provider from '@pulumi/pulumi/proto/provider_pb.js';
import { packageSchema } from '../../stacks/pulumi/provider/schema.ts';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { run } from '../support/run.ts';

const folder = mkdtempSync(join(tmpdir(), 'trunnion-pulumi-project-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The project of a user who has Pulumi, too. */
beforeAll(() => {
  // As npm made the links: what they lead to finds Pulumi beside it.
  cpSync(inject('package').project, folder, { recursive: true, verbatimSymlinks: true });
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

/** With the Node.js that runs the tests. */
const env = { ...process.env, PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter) };

/** What Pulumi starts for programs of other languages, as npm installs it. */
const pluginOf = (project: string): string => join(project, 'node_modules/.bin/pulumi-resource-trunnion');

test('the plugin of Pulumi prints its port, and tells of the components', async () => {
  const child = spawn(pluginOf(folder), ['127.0.0.1:1'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [port]: unknown[] = await once(createInterface({ input: child.stdout }), 'line');
    expect(port).toMatch(/^\d+$/);
    const client = new ResourceProviderClient(`127.0.0.1:${String(port)}`, credentials.createInsecure());
    const schema = await new Promise<string>((resolve, reject) => {
      client.getSchema(new provider.GetSchemaRequest(), (error, reply) =>
        error === null ? resolve(reply.getSchema()) : reject(error),
      );
    });
    client.close();
    expect(JSON.parse(schema)).toEqual(packageSchema('0.1.0'));
  } finally {
    child.kill();
  }
});

test('where Pulumi is not installed, the plugin says what to install', async () => {
  expect(await run(pluginOf(inject('package').project), [], { env })).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(
      /the package @pulumi\/\w+ isn't installed\.\nInstall .*: npm install trunnion @pulumi\/pulumi/,
    ),
  });
});
