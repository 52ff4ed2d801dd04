import { afterAll, beforeAll, expect, test } from 'vitest';
import { TYPES } from '../../operator/kube/client/resource-types.ts';
import { adminClient, kubectl } from '../cluster/support/client.ts';
import { eventually } from '../cluster/support/eventually.ts';
import { edit } from './support/project.ts';
import { opsOf } from './support/events.ts';
import type { StackUnderTest } from './support/stack.ts';
import { stackOfProgram } from './support/stack-of-program.ts';

const admin = adminClient();
let namespace: string;

const CRDS = ['modelservings', 'distributedtrainings'].map((plural) => `crds/trunnion.dev_${plural}.yaml`);

beforeAll(async () => {
  for (const file of CRDS) await kubectl('apply', '--server-side', '-f', file);
});

afterAll(async () => admin.close());

/** How long Pulumi may take until it makes something. */
const MADE = { timeout: 90_000 };

async function stackOf(program: string): Promise<StackUnderTest> {
  const made = await stackOfProgram(program);
  namespace = made.namespace;
  return made.stack;
}

const jobUid = async () => (await admin.list(TYPES.job, { namespace })).items[0]?.metadata.uid;

test('a training whose end is awaited fails the update as soon as it fails, and is run again by the next', async () => {
  const stack = await stackOf(`
    new DistributedTraining('resnet', {
      namespace,
      awaitEnd: true,
      spec: {
        framework: 'pytorch',
        image: 'trainer:1',
        replicas: 2,
        retry: { limit: 0 },
        activeDeadlineSeconds: 86400,
        resources: { gpu: 1, cpu: '1', memory: '1Gi' },
        podTemplate: { metadata: { annotations: { 'sim.trunnion.dev/fail': '3' } } },
      },
    });
  `);
  const { errors } = await stack.fails('up');
  expect(errors.join('\n')).toMatch(/Job .*resnet.* failed: (FailedIndexes|MaxFailedIndexesExceeded): /);
  const first = await jobUid();
  const second = await stack.fails('up');
  expect(opsOf(second.steps)).toContain('replace resnet-worker');
  expect(await jobUid()).not.toBe(first);
});

test('a training whose end nobody awaits is left alone while it runs', async () => {
  const stack = await stackOf(`
    new DistributedTraining('resnet', {
      namespace,
      spec: {
        framework: 'pytorch',
        image: 'trainer:1',
        replicas: 1,
        resources: { gpu: 1, cpu: '1', memory: '1Gi' },
        podTemplate: { metadata: { annotations: { 'sim.trunnion.dev/delay-seconds': '3600' } } },
      },
    });
  `);
  await stack.up();
  expect((await stack.preview()).counts).toEqual({ same: expect.any(Number) });
});

test('an Ingress to which no controller gives an address fails the update with what is missing', async () => {
  const stack = await stackOf(`
    new AgentService('agent', {
      namespace,
      spec: {
        image: 'agent:1',
        model: 'gpt-4o',
        replicas: 1,
        resources: { cpu: '100m', memory: '64Mi' },
        expose: { ingress: { host: 'agent.example.com' } },
      },
    }, {
      transforms: [({ type, props, opts }) => type.endsWith(':Ingress')
        ? { props, opts: { ...opts, customTimeouts: { create: '2s' } } } : undefined],
    });
  `);
  const { errors } = await stack.fails('up');
  expect(errors.join('\n')).toContain('Ingress .status.loadBalancer field was not updated');
});

/** Says of a custom resource what an operator would, once it is there. */
async function report(kind: string, name: string, conditions: readonly object[], more: object): Promise<void> {
  const found = await eventually(async () => {
    const text = await kubectl('get', kind, name, '-n', namespace, '-o', 'json');
    return JSON.parse(text) as { readonly metadata: { readonly generation: number } };
  }, MADE);
  const base = { message: 'said by the test', lastTransitionTime: '2026-01-01T00:00:00Z' };
  const observedGeneration = found.metadata.generation;
  const status = {
    observedGeneration,
    conditions: conditions.map((condition) => ({ ...base, observedGeneration, ...condition })),
    ...more,
  };
  const patch = JSON.stringify({ status });
  await kubectl('patch', kind, name, '-n', namespace, '--subresource=status', '--type=merge', '-p', patch);
}

test('a secret is in plain text nowhere in the state, with the operator as little as without', async () => {
  const program = (options: string) => `
    const spec = {
      model: { uri: 'pvc://weights/llama' },
      engine: { type: 'vllm' as const, args: ['--api-key', pulumi.secret('hush-args')] },
      resources: { gpu: 1, cpu: '1', memory: '1Gi' },
      replicas: 1,
      env: [{ name: 'CANARY', value: pulumi.secret('hush-env') }],
      podTemplate: { metadata: { annotations: { 'example.com/note': pulumi.secret('hush-note') } } },
    };
    export const { endpoint } = new ModelServing('llama', { namespace, spec }, ${options});
  `;
  const stack = await stackOf(program("{ via: 'operator' }"));
  const spec = { env: [{ name: 'CANARY', value: 'hush-env' }] };
  const [reported] = await Promise.all([
    stack.up(),
    report('modelserving', 'llama', [{ type: 'Ready', status: 'True', reason: 'Ready' }], {
      endpoint: 'http://from.the.operator/v1',
      served: { spec },
    }),
  ]);
  expect(reported.code).toBe(0);
  expect(JSON.stringify(stack.state())).not.toMatch(/hush-/);
  expect(await stack.outputs()).toEqual({ endpoint: 'http://from.the.operator/v1' });
  const text = await stack.pulumi('stack', 'export', '--show-secrets');
  expect(text).toMatch(/served.*hush-env/);
});

test('a resource that its operator cannot run fails the update with what the operator says', async () => {
  const stack = await stackOf(`
    const resources = { gpu: 1, cpu: '1', memory: '1Gi' };
    const spec = { model: { uri: 'pvc://weights/llama' }, engine: { type: 'vllm' as const }, resources };
    new ModelServing('llama', { namespace, spec }, { via: 'operator' });
  `);
  const message = 'No node has such a GPU';
  const progressing = { type: 'Progressing', status: 'False', reason: 'NoSuchGPU', message };
  const [failed] = await Promise.all([
    stack.fails('up'),
    report('modelserving', 'llama', [progressing], { phase: 'Failed' }),
  ]);
  expect(failed.errors.join('\n')).toContain(
    `ModelServing ${namespace}/llama: NoSuchGPU: No node has such a GPU. trunnion status -n ${namespace} llama says more.`,
  );
});

const RETAINED = (uri: string) => `
  new ModelServing('llama', {
    namespace,
    spec: {
      model: { uri: '${uri}' },
      storage: { size: '4Gi', accessMode: 'ReadWriteMany', retain: true },
      engine: { type: 'vllm' },
      resources: { gpu: 1, cpu: '1', memory: '1Gi' },
      replicas: 1,
    },
  });
`;

const claims = async () =>
  Object.fromEntries(
    (await admin.list(TYPES.persistentVolumeClaim, { namespace })).items.map(({ metadata }) => [
      metadata.name,
      metadata.uid,
    ]),
  );

test('a volume that is retained is taken back: after another model, and after all was destroyed', async () => {
  const stack = await stackOf(RETAINED('hf://Qwen/Qwen3-8B@main'));
  await stack.up();
  const first = await claims();
  expect(Object.keys(first)).toHaveLength(1);
  edit(stack.project, 'index.ts', 'Qwen3-8B', 'Qwen3-4B');
  await stack.up();
  const both = await claims();
  expect(both).toMatchObject(first);
  expect(Object.keys(both)).toHaveLength(2);
  edit(stack.project, 'index.ts', 'Qwen3-4B', 'Qwen3-8B');
  await stack.up();
  expect(await claims()).toEqual(both);
  await stack.destroy();
  expect(await claims()).toEqual(both);
  await stack.up();
  expect(await claims()).toEqual(both);
  expect((await stack.preview()).counts).toEqual({ same: expect.any(Number) });
});

test('a volume stays what it is when it is to be retained from now on, and when no longer', async () => {
  const stack = await stackOf(RETAINED('hf://Qwen/Qwen3-8B@main').replace(', retain: true', ', retain: false'));
  await stack.up();
  const before = await claims();
  edit(stack.project, 'index.ts', 'retain: false', 'retain: true');
  expect((await stack.up()).counts).not.toHaveProperty('replace');
  expect(await claims()).toEqual(before);
  edit(stack.project, 'index.ts', 'retain: true', 'retain: false');
  expect((await stack.up()).counts).not.toHaveProperty('replace');
  expect(await claims()).toEqual(before);
  await stack.destroy();
  expect(await claims()).toEqual({});
});

test('another logical name keeps every object, with an alias and the name of before', async () => {
  const program = (first: string, options = '') => `
    const resources = { cpu: '100m', memory: '64Mi' };
    const spec = { image: 'agent:1', model: 'gpt-4o', resources, replicas: 1 };
    new AgentService('${first}', { ${options}namespace, spec }/* options */);
  `;
  const stack = await stackOf(program('agent'));
  const { counts } = await stack.up();
  edit(
    stack.project,
    'index.ts',
    "new AgentService('agent', { namespace",
    "new AgentService('support', { name: 'agent', namespace",
  );
  edit(stack.project, 'index.ts', '/* options */', ", { aliases: [{ name: 'agent' }] }");
  expect((await stack.preview()).counts).toEqual({ same: counts['create'] });
});
