import { afterAll, expect, test } from 'vitest';
import type { KubeObject } from '../../operator/kube/index.ts';
import { TYPES } from '../../operator/kube/client/resource-types.ts';
import { adminClient, kubectl } from '../cluster/support/client.ts';
import { eventually } from '../cluster/support/eventually.ts';
import { opsOf } from './support/events.ts';
import { edit } from './support/project.ts';
import { stackOfProgram } from './support/stack-of-program.ts';

const admin = adminClient();

afterAll(async () => admin.close());

/** A model whose pods that fetch wait until they are let. */
const fetched = (replicas: number) => `
  const gate = ({ type, props, opts }) => {
    if (!type.endsWith(':Job')) return undefined;
    const { metadata, spec } = props.spec.template;
    const template = { metadata, spec: { ...spec, schedulingGates: [{ name: 'example.com/test' }] } };
    return { props: { ...props, spec: { ...props.spec, template } }, opts };
  };
  new ModelServing('llama', {
    namespace,
    spec: {
      model: { uri: 'hf://Qwen/Qwen3-8B@main' },
      storage: { size: '4Gi', accessMode: 'ReadWriteMany' },
      engine: { type: 'vllm' },
      resources: { gpu: 1, cpu: '1', memory: '1Gi' },
      replicas: ${replicas},
    },
  }, { transforms: [gate] });
`;

/** Lets the next pod fetch, and has it fail for good where it is given an exit code. */
async function letFetch(namespace: string, code?: number): Promise<void> {
  const labelSelector = 'app.kubernetes.io/component=fetcher';
  const name = await eventually(
    async () => {
      const { items } = await admin.list(TYPES.pod, { namespace, labelSelector });
      const gated = (items as readonly GatedPod[]).find(
        ({ metadata, spec }) => !metadata.deletionTimestamp && spec.schedulingGates?.length,
      );
      if (gated === undefined) throw new Error('no pod waits to fetch');
      return gated.metadata.name;
    },
    { timeout: 90_000 },
  );
  const annotations = code === undefined ? {} : { 'sim.trunnion.dev/fail': String(code) };
  await admin.patch(TYPES.pod, { namespace, name }, { metadata: { annotations }, spec: { schedulingGates: null } });
}

interface GatedPod extends KubeObject {
  readonly spec: { readonly schedulingGates?: readonly object[] };
}

/** Resolves once the only Job has ended so. */
async function jobEnds(namespace: string, type: 'Complete' | 'Failed'): Promise<void> {
  await kubectl('wait', 'job', '--all', '-n', namespace, `--for=condition=${type}`, '--timeout=90s');
}

/** What a credential of the host is missing, or wrong, for: the fetcher's exit code. */
const UNAUTHORIZED = 67;

const jobUid = async (namespace: string) => (await admin.list(TYPES.job, { namespace })).items[0]?.metadata.uid;

test('a fetch that no repetition helps fails the update with its cause; once that is fixed, the next one fetches', async () => {
  const { stack, namespace } = await stackOfProgram(fetched(1));
  const [{ errors }] = await Promise.all([stack.fails('up'), letFetch(namespace, UNAUTHORIZED)]);
  expect(errors.join('\n')).toMatch(/llama-fetch.* failed: PodFailurePolicy: .*exit code 67/);
  expect(errors.join('\n')).toContain('The host wants credentials, or others: see spec.model.credentials.');
  const names = stack.resources().map(({ urn }) => urn.split('::').at(-1));
  expect(names).toContain('llama-fetch');
  expect(names).not.toContain('llama-deployment');

  const failed = await jobUid(namespace);
  const [{ steps }] = await Promise.all([stack.up(), letFetch(namespace)]);
  expect(opsOf(steps)).toEqual(expect.arrayContaining(['replace llama-fetch', 'create llama-deployment']));
  expect(await jobUid(namespace)).not.toBe(failed);
  expect((await stack.preview()).counts).toEqual({ same: expect.any(Number) });
});

test('a fetch that nobody waits for is run again by the next update once it has failed, and then left alone', async () => {
  const { stack, namespace } = await stackOfProgram(fetched(0));
  await Promise.all([stack.up(), letFetch(namespace, UNAUTHORIZED)]);
  await jobEnds(namespace, 'Failed');
  const failed = await jobUid(namespace);
  const [{ steps }] = await Promise.all([stack.up(), letFetch(namespace)]);
  expect(opsOf(steps)).toContain('replace llama-fetch');
  expect(await jobUid(namespace)).not.toBe(failed);
  await jobEnds(namespace, 'Complete');
  expect((await stack.preview()).counts).toEqual({ same: expect.any(Number) });
});

test('what is created again under its own name is so, too, where a transform hands on the options that it got', async () => {
  const { stack } = await stackOfProgram(`
    const resources = { cpu: '100m', memory: '64Mi' };
    const spec = { image: 'agent:1', model: 'gpt-4o', temperature: 0.1, replicas: 1, resources };
    new AgentService('agent', { namespace, spec }, { transforms: [({ props, opts }) => ({ props, opts })] });
  `);
  await stack.up();
  edit(stack.project, 'index.ts', 'temperature: 0.1', 'temperature: 0.2');
  expect(opsOf((await stack.up()).steps)).toContain('replace agent-config');
});

test('a model is taken back after another one that cannot be fetched, where its volume is retained', async () => {
  const { stack, namespace } = await stackOfProgram(
    fetched(1).replace("accessMode: 'ReadWriteMany'", "accessMode: 'ReadWriteMany', retain: true"),
  );
  await Promise.all([stack.up(), letFetch(namespace)]);
  const [before] = (await admin.list(TYPES.persistentVolumeClaim, { namespace })).items;
  edit(stack.project, 'index.ts', 'Qwen3-8B', 'Qwen3-4B');
  await Promise.all([stack.fails('up'), letFetch(namespace, UNAUTHORIZED)]);
  edit(stack.project, 'index.ts', 'Qwen3-4B', 'Qwen3-8B');
  await Promise.all([stack.up(), letFetch(namespace)]);
  expect((await stack.preview()).counts).toEqual({ same: expect.any(Number) });
  const claims = (await admin.list(TYPES.persistentVolumeClaim, { namespace })).items;
  const after = claims.find(({ metadata }) => metadata.name === before?.metadata.name);
  expect(after?.metadata).toMatchObject({ uid: before?.metadata.uid });
  expect(after?.metadata).not.toHaveProperty('deletionTimestamp');
});

test('a model whose volume is not retained can come back only once another one was fetched', async () => {
  const { stack, namespace } = await stackOfProgram(fetched(1));
  await Promise.all([stack.up(), letFetch(namespace)]);
  edit(stack.project, 'index.ts', 'Qwen3-8B', 'Qwen3-4B');
  await Promise.all([stack.fails('up'), letFetch(namespace, UNAUTHORIZED)]);
  edit(stack.project, 'index.ts', 'Qwen3-4B', 'Qwen3-8B');
  expect((await stack.fails('up')).errors.join('\n')).toMatch(/PersistentVolumeClaim .* already exists/);
  edit(stack.project, 'index.ts', 'Qwen3-8B', 'Qwen3-4B');
  await Promise.all([stack.up(), letFetch(namespace)]);
  edit(stack.project, 'index.ts', 'Qwen3-4B', 'Qwen3-8B');
  await Promise.all([stack.up(), letFetch(namespace)]);
  expect((await stack.preview()).counts).toEqual({ same: expect.any(Number) });
});
