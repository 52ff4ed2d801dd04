import { afterEach, describe, expect, test } from 'vitest';
import { edit, userProject } from './support/project.ts';
import { StackUnderTest } from './support/stack.ts';
import { unknownPlaces } from './support/values.ts';

const stacks: StackUnderTest[] = [];

afterEach(() => {
  for (const stack of stacks.splice(0)) stack.remove();
});

const IMPORTS = `
import * as k8s from '@pulumi/kubernetes';
import * as pulumi from '@pulumi/pulumi';
import { AgentService, DistributedTraining, ModelServing, text } from 'trunnion/pulumi';
`;

/** The stack of a program that has all that it could import. */
async function stackOf(program: string): Promise<StackUnderTest> {
  const stack = await StackUnderTest.of(userProject(`${IMPORTS}${program}`), 'test');
  stacks.push(stack);
  return stack;
}

describe('text that comes later', () => {
  const PROGRAM = `
    const metadata = { name: 'later' };
    const namespace = new k8s.core.v1.Namespace('namespace', { metadata }).metadata.name;
    const bucket = new k8s.core.v1.ConfigMap('bucket', { metadata: { name: 'bucket', namespace } });
    new ModelServing('llama', {
      namespace,
      spec: {
        model: { uri: text\`s3://models/\${bucket.id}/\` },
        storage: { size: '4Gi', accessMode: 'ReadWriteMany' },
        engine: { type: 'vllm' },
        resources: { gpu: 1, cpu: '1', memory: '1Gi' },
        replicas: 1,
        env: [{ name: 'CANARY', value: pulumi.secret('hush-hush') }],
      },
    });
  `;

  test('is unknown in a preview just where it is used, known once all is up, and secret where it was', async () => {
    const stack = await stackOf(PROGRAM);
    const { counts, steps } = await stack.preview();
    const places = unknownPlaces(steps);
    expect(new Set(places.map((place) => place.split('.')[0]))).toEqual(
      new Set(['llama-deployment', 'llama-fetch', 'llama-weights']),
    );
    // Its name has a hash of the URI.
    expect(places).toContain('llama-weights.metadata.name');
    expect((await stack.up()).counts).toEqual(counts);
    const weights = stack.resources().find(({ urn }) => urn.endsWith('::llama-weights'));
    expect(weights?.outputs).toMatchObject({
      metadata: { name: expect.stringMatching(/^llama-weights-[0-9a-f]{10}$/) },
    });
    expect(JSON.stringify(stack.resources())).toContain('s3://models/later/bucket/');
    expect(stack.state()).not.toContain('hush-hush');
    expect(await stack.pulumi('stack', 'export', '--show-secrets')).toContain('hush-hush');
    await stack.destroy();
  });
});

describe('arguments that are invalid', () => {
  test('fail a preview with all that is wrong with them, by the paths of their properties', async () => {
    const stack = await stackOf(`
      new ModelServing('llama', {
        namespace: 'Models',
        spec: {
          model: { uri: 'ftp://models/llama/' },
          storage: { size: 'much' },
          engine: { type: 'vllm', args: ['--port=1'] },
          resources: { gpu: pulumi.output(1) as unknown as number },
        },
      });
    `);
    const { errors } = await stack.fails('preview');
    expect(pathsIn(errors)).toEqual([
      'namespace',
      'spec.model.uri',
      'spec.storage.size',
      'spec.engine.args',
      'spec.resources.gpu',
    ]);
    expect(errors.join('\n')).toContain('InputPropertiesError: ModelServing llama is invalid');
    expect(errors.join('\n')).toContain('must begin with one of hf://');
    expect(errors.join('\n')).toMatch(/must be of type integer.*got an Output, which may stand for text only/);
  });

  test('fail it where an Output proves to decide about more than text', async () => {
    const stack = await stackOf(`
      const env = [{ name: 'HF_ENDPOINT', value: pulumi.output('http://mirror:8080') }];
      const model = { uri: 'hf://Qwen/Qwen3-8B' };
      const resources = { gpu: 1, cpu: '1', memory: '1Gi' };
      const spec = { model, storage: { size: '4Gi' }, engine: { type: 'vllm' as const }, resources, env };
      new ModelServing('llama', { namespace: 'models', spec });
    `);
    const { errors } = await stack.fails('preview');
    expect(pathsIn(errors)).toEqual(['spec.env[0].value']);
    expect(errors.join('\n')).toMatch(/this one decides what is in spec\.egress of [-a-z]*network-policy/);
  });
});

test('what is not ready in time fails the update, stays in the state, and is corrected by the next one', async () => {
  const stack = await stackOf(`
    const namespace = new k8s.core.v1.Namespace('namespace', { metadata: { name: 'slow' } }).metadata.name;
    const resources = { cpu: '1000', memory: '64Mi' };
    const spec = { image: 'agent:1', model: 'gpt-4o', resources, replicas: 1 };
    new AgentService('agent', { namespace, spec }, { customTimeouts: { create: '2s', update: '60s' } });
  `);
  const { errors } = await stack.fails('up');
  expect(errors.join('\n')).toContain('agent');
  const recorded = stack.resources().map(({ urn }) => urn.split('::').at(-1));
  expect(recorded).toEqual(expect.arrayContaining(['agent-deployment', 'agent-service']));
  edit(stack.project, 'index.ts', "cpu: '1000'", "cpu: '1'");
  const { steps } = await stack.up();
  expect(steps.map(({ op, name }) => `${op} ${name}`)).toContain('update agent-deployment');
  await stack.destroy();
});

/** The paths of properties that errors name, each once. */
const pathsIn = (errors: readonly string[]): readonly string[] => [
  ...new Set([...errors.join('\n').matchAll(/propertyPath: '([^']+)'/g)].map(([, path = '']) => path)),
];
