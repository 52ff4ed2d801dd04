import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ModelServingSpecInput } from '../../constructs/index.ts';
import type { KubeClient, KubeObject } from '../../operator/kube/index.ts';
import { TYPES } from '../../operator/kube/client/resource-types.ts';
import { adminClient } from '../cluster/support/client.ts';
import { COLLECTED, eventually } from '../cluster/support/eventually.ts';
import { installTrunnion, startOperator } from '../cluster/support/operator.ts';
import { ServingUnderTest, servingSpec } from '../cluster/support/serving.ts';
import { simulated } from '../cluster/support/training.ts';
import { imageOf, isReady, labelOf, lwsNamespace, podsOf, watchPods, type Watched } from './support/groups.ts';

let admin: KubeClient;
let serving: ServingUnderTest;
let watched: Watched;

beforeAll(async () => {
  admin = adminClient();
  await installTrunnion(admin);
  return () => admin.close();
});

beforeEach(async () => {
  const namespace = await lwsNamespace(admin);
  await startOperator(admin, namespace);
  serving = new ServingUnderTest(admin, namespace);
  watched = await watchPods(admin, namespace);
});

/** Two replicas of two pods each, on nodes with eight GPUs. */
const spec = { ...servingSpec, nodes: 2, resources: { ...servingSpec.resources, gpu: 8 }, replicas: 2 };

const withArgs = (...args: readonly string[]): ModelServingSpecInput => ({
  ...spec,
  engine: { type: 'vllm', args: [...args] },
});

const withImage = (image: string): ModelServingSpecInput => ({ ...spec, engine: { type: 'vllm', image } });

const members = () => podsOf(admin, { namespace: serving.namespace, name: 'llama-server' });
const uidsOf = (pods: readonly KubeObject[]) =>
  Object.fromEntries(pods.map(({ metadata }) => [metadata.name, metadata.uid]));

const running = async (change: ModelServingSpecInput = spec) => {
  await serving.apply(change);
  await serving.reaches('Running');
  await serving.hasCondition('Ready', 'True', 'Ready');
};

/** The names of the pods behind the Service. */
async function addressed(): Promise<readonly string[]> {
  const { items } = await admin.list(TYPES.endpointSlice, {
    namespace: serving.namespace,
    labelSelector: 'kubernetes.io/service-name=llama',
  });
  return items
    .flatMap((slice) => (slice['endpoints'] ?? []) as { readonly targetRef?: { readonly name: string } }[])
    .map(({ targetRef }) => targetRef?.name ?? '')
    .toSorted();
}

/** What a simulated node does to a pod: see cluster/manifests/pod-step.jq. */
const simulate = (name: string, annotations: Readonly<Record<string, string>>) =>
  admin.patch(TYPES.pod, { namespace: serving.namespace, name }, { metadata: { annotations: simulated(annotations) } });

describe('a ModelServing of two nodes a replica', () => {
  it('runs on the groups of a LeaderWorkerSet, whose leaders answer', async () => {
    await running();
    const { status } = await serving.get();
    expect(status).toMatchObject({ replicas: 2, readyReplicas: 2, endpoint: expect.stringContaining('llama') });
    expect(status?.groups).toMatchObject([
      { name: 'llama-server-0', pods: 2, readyPods: 2, restarts: 0 },
      { name: 'llama-server-1', pods: 2, readyPods: 2, restarts: 0 },
    ]);
    await eventually(async () => expect(await addressed()).toEqual(['llama-server-0', 'llama-server-1']));
    expect(await admin.find(TYPES.deployment, serving)).toBeUndefined();
  });

  it('tells which rank of a group failed, where and how, while the group starts again', async () => {
    // As long as a node takes to stop a pod, so that what it tells can be seen.
    await running({ ...spec, podTemplate: { metadata: { annotations: simulated({ 'termination-seconds': '2' }) } } });
    const before = uidsOf(await members());
    await simulate('llama-server-1-1', { fail: '137' });
    const { status } = await serving.shows((seen) => expect(seen.status?.groups?.[1]?.restarts).toBe(1));
    expect(status?.groups?.[1]?.lastFailure).toMatchObject({
      pod: 'llama-server-1-1',
      rank: 1,
      exitCode: 137,
      node: expect.any(String),
    });
    await serving.hasCondition('Ready', 'True', 'Ready');
    const after = uidsOf(await members());
    expect(after['llama-server-0']).toBe(before['llama-server-0']);
    expect(after['llama-server-1']).not.toBe(before['llama-server-1']);
  });

  it('counts a group as missing while one of its workers is, whatever its leader answers', async () => {
    await running();
    await simulate('llama-server-0-1', { ready: 'false' });
    await serving.hasCondition('Available', 'True', 'Degraded');
    await serving.hasCondition('Ready', 'False', 'Degraded');
  });

  it('follows a change group by group: there are never fewer than asked for', async () => {
    await running();
    await running(withArgs('--seed=1'));
    expect(watched.fewestReady(2, 2)).toBe(2);
    const pods = await members();
    expect(new Set(pods.map((pod) => labelOf(pod, 'template-revision-hash'))).size).toBe(1);
  });

  it('keeps what serves where a change that never gets ready is taken back', async () => {
    await running();
    const before = uidsOf(await members());
    const broken = { ...spec, resources: { ...spec.resources, gpuProduct: 'NO-SUCH-GPU' } };
    await serving.apply(broken);
    await serving.hasCondition('Progressing', 'True', 'NoSuchGPU');
    await serving.hasCondition('Available', 'True', 'Available');
    await running();
    expect(uidsOf(await members())).toEqual(before);
    expect(watched.fewestReady(2, 2)).toBe(2);
  });

  it('waits with a change for the group that is just replaced, so that there are never fewer than asked for', async () => {
    const slow = simulated({ 'delay-seconds': '2' });
    const slowly = (seed: number) => ({
      ...withArgs(`--seed=${seed}`),
      podTemplate: { metadata: { annotations: slow } },
    });
    await running(slowly(0));
    await serving.apply(slowly(1));
    // One more group is ready, and the last of the others is made again.
    await eventually(async () => expect(watched.uids('llama-server-1').length).toBeGreaterThan(1), COLLECTED);
    await serving.apply(slowly(0));
    await serving.reaches('Running');
    expect(watched.fewestReady(2, 2)).toBe(2);
  });

  it('makes no group twice for three quick edits', async () => {
    await running();
    for (const seed of [1, 2, 3]) await serving.apply(withImage(`example.com/vllm:${seed}`));
    await serving.reaches('Running');
    await eventually(async () => expect(await members()).toHaveLength(4), COLLECTED);
    const pods = await members();
    expect(new Set(pods.map(imageOf))).toEqual(new Set(['example.com/vllm:3']));
    for (const name of ['llama-server-0', 'llama-server-1']) {
      expect(new Set(watched.images(name)).size).toBeLessThanOrEqual(2);
    }
    expect(watched.fewestReady(2, 2)).toBe(2);
  });

  it('says what is missing where a group finds no nodes', async () => {
    await serving.apply({ ...spec, replicas: 9 });
    await serving.hasCondition(
      'Available',
      'True',
      'Degraded',
      /[78] of 9 replicas are ready\..* nvidia\.com\/gpu are in use/,
    );
  });

  it('is scaled to zero and back by the scale subresource', async () => {
    await running();
    const scale = (replicas: number) =>
      admin.patch(serving.type, serving, { spec: { replicas } }, { subresource: 'scale' });
    await scale(0);
    await serving.hasCondition('Available', 'False', 'ScaledToZero');
    await eventually(async () => expect(await members()).toEqual([]), COLLECTED);
    await scale(1);
    await serving.hasCondition('Ready', 'True', 'Ready');
    expect(await members()).toHaveLength(2);
  });

  it('follows replicas of one pod: those serve until all groups answer', async () => {
    const single = { ...spec, nodes: 1 };
    await running(single);
    const seen: (readonly string[])[] = [];
    const end = new AbortController();
    const look = (async () => {
      while (!end.signal.aborted) seen.push(await addressed());
    })();
    await running();
    end.abort();
    await look;
    expect(await admin.find(TYPES.deployment, serving)).toBeUndefined();
    const first = seen.findIndex((names) => names.length > 0);
    expect(seen.slice(first).every((names) => names.length > 0)).toBe(true);

    await running(single);
    await eventually(
      async () =>
        expect(
          await admin.find(TYPES.leaderWorkerSet, { namespace: serving.namespace, name: 'llama-server' }),
        ).toBeUndefined(),
      COLLECTED,
    );
    await serving.shows((seen) => expect(seen.status).not.toHaveProperty('groups'));
  });

  it('goes with all that it has', async () => {
    await running();
    await serving.delete();
    await eventually(async () => expect(await admin.find(serving.type, serving)).toBeUndefined(), COLLECTED);
    await eventually(async () => expect(await members()).toEqual([]), COLLECTED);
    await eventually(async () => expect((await admin.list(TYPES.networkPolicy, serving)).items).toEqual([]), COLLECTED);
  });

  it('has only ready pods once it is ready', async () => {
    await running({ ...spec, replicas: 1 });
    expect((await members()).every(isReady)).toBe(true);
  });
});
