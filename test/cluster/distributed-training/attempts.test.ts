import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { simulatedNodes } from '../../../cluster/nodes.ts';
import { Reflector } from '../../../operator/kube/reflector.ts';
import { Store } from '../../../operator/kube/store.ts';
import type { KubeObject, ResourceType } from '../../../operator/kube/types.ts';
import { adminClient } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { testNamespace } from '../support/namespace.ts';
import { installTrunnion, startOperator } from '../support/operator.ts';
import { TrainingUnderTest, trainingSpec } from '../support/training.ts';
import { types } from '../support/types.ts';

const admin = adminClient();
const RANKS = 8;
const PRODUCT = 'training-test';

const priorityClass: ResourceType = {
  group: 'scheduling.k8s.io',
  version: 'v1',
  kind: 'PriorityClass',
  plural: 'priorityclasses',
};

beforeAll(() => installTrunnion(admin));

/** Two nodes of this test alone, on which the ranks just fit. */
async function nodes(): Promise<readonly string[]> {
  const made = simulatedNodes({ nodes: 2, gpusPerNode: RANKS / 2, gpuProduct: PRODUCT, kubeletPort: 10_250 }).slice(1);
  const names: string[] = [];
  for (const { status, ...node } of made) {
    const name = `${PRODUCT}-${names.length}`;
    const metadata = { ...node.metadata, name };
    // Pods of other nodes have their addresses from the first ranges.
    const range = `10.200.${names.length}.0/24`;
    const spec = { ...node.spec, podCIDR: range, podCIDRs: [range] };
    await admin.create(types.node, { ...node, metadata, spec });
    await admin.patch(types.node, { name }, { status }, { subresource: 'status' });
    names.push(name);
  }
  onTestFinished(async () => {
    for (const name of names) await admin.delete(types.node, { name });
  });
  return names;
}

/** Tells, of every change of pods, of how many attempts there are pods that may run. */
function watchOverlap(namespace: string): () => readonly string[] {
  const pods = new Map<string, string>();
  const overlaps: string[] = [];
  const reflector = new Reflector<KubeObject>({
    client: admin,
    type: types.pod,
    namespace,
    labelSelector: 'app.kubernetes.io/name=distributed-training',
    store: new Store<KubeObject>({ transform: (object) => object }),
  });
  reflector.onChange((change) => {
    if (change.type === 'deleted') pods.delete(change.before.metadata.uid);
    else pods.set(change.value.metadata.uid, change.value.metadata.labels?.['trunnion.dev/attempt'] ?? '');
    const attempts = new Set(pods.values());
    if (attempts.size > 1) overlaps.push([...attempts].join(' and '));
  });
  reflector.start();
  onTestFinished(() => reflector.stop());
  return () => overlaps;
}

/** A pod that is more important than any rank, and needs the GPU of one. */
async function preempt(namespace: string): Promise<() => Promise<void>> {
  const name = `urgent-${namespace}`;
  await admin.create(priorityClass, {
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: { name },
    value: 1000,
  });
  const ref = { namespace, name: 'urgent' };
  await admin.create(types.pod, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: ref,
    spec: {
      priorityClassName: name,
      nodeSelector: { 'nvidia.com/gpu.product': PRODUCT },
      tolerations: [{ operator: 'Exists' }],
      containers: [
        {
          name: 'urgent',
          image: 'example.com/urgent:1',
          resources: { requests: { 'nvidia.com/gpu': '1' }, limits: { 'nvidia.com/gpu': '1' } },
        },
      ],
    },
  });
  return async () => {
    await admin.delete(types.pod, ref);
    await admin.delete(priorityClass, { name });
  };
}

describe('a DistributedTraining of 8 ranks', () => {
  it('ends Completed though rank 5 fails twice, a node is lost and a pod is preempted, charged exactly twice', async () => {
    const namespace = await testNamespace(admin);
    const [lost = ''] = await nodes();
    const overlaps = watchOverlap(namespace);
    const operator = await startOperator(admin, namespace);
    const training = new TrainingUnderTest(admin, namespace);
    await training.apply({
      ...trainingSpec,
      replicas: RANKS,
      resources: { gpu: 1, gpuProduct: PRODUCT },
      retry: { limit: 2, backoffSeconds: 1, maxBackoffSeconds: 1 },
    });
    const runs = (attempt: number) =>
      training.shows(({ status }) => expect(status).toMatchObject({ phase: 'Running', attempt }), 90_000);

    await runs(1);
    await training.simulate(5, { fail: '1' });
    await runs(2);
    // Whoever takes over knows what was charged.
    await operator.stop();
    await startOperator(admin, namespace);
    await training.simulate(5, { fail: '1' });
    await runs(3);

    const taint = { key: 'node.kubernetes.io/out-of-service', value: 'nodeshutdown', effect: 'NoExecute' };
    const node = await admin.get(types.node, { name: lost });
    const { taints = [] } = node['spec'] as { readonly taints?: readonly object[] };
    for (const { metadata, ...pod } of await training.pods()) {
      const { nodeName } = pod['spec'] as { readonly nodeName: string };
      if (nodeName !== lost) continue;
      const annotations = { 'sim.trunnion.dev/lost': 'true' };
      await admin.patch(types.pod, metadata, { metadata: { annotations } });
    }
    await admin.patch(
      types.node,
      { name: lost },
      { spec: { taints: [...taints, { ...taint, key: 'example.com/gone' }] } },
    );
    await training.shows(({ status }) => expect(status?.attempts).toHaveLength(3));
    await eventually(
      async () => {
        const left = await training.pods();
        expect(left.filter(({ metadata }) => metadata.labels?.['trunnion.dev/attempt'] === '3')).toEqual([]);
      },
      { timeout: 90_000 },
    );
    await admin.patch(types.node, { name: lost }, { spec: { taints } });
    await runs(4);

    const done = await preempt(namespace);
    await training.shows(({ status }) => expect(status?.attempts).toHaveLength(4));
    await done();
    await runs(5);

    await training.finish();
    const { status } = await training.reaches('Completed');
    expect(status).toMatchObject({
      failures: 2,
      attempts: [
        { number: 1, reason: 'ProgramFailed', rank: 5, exitCode: 1, charged: 1, node: expect.any(String) },
        { number: 2, reason: 'ProgramFailed', rank: 5, exitCode: 1, charged: 1 },
        { number: 3, reason: 'NodeLost', charged: 0, node: lost },
        { number: 4, reason: 'Preempted', charged: 0 },
      ],
    });
    expect(overlaps()).toEqual([]);
  }, 240_000);
});
