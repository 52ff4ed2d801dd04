import { expect } from 'vitest';
import { simulatedNodes } from '../../../cluster/nodes.ts';
import type { DistributedTrainingStatus } from '../../../constructs/distributed-training/status.ts';
import type { KubeClient } from '../../../operator/kube/client/client.ts';
import { Reflector } from '../../../operator/kube/cache/reflector.ts';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';
import { Store } from '../../../operator/kube/cache/store.ts';
import type { KubeObject } from '../../../operator/kube/client/types.ts';
import { eventually } from './eventually.ts';
import { simulated, TrainingUnderTest, trainingSpec } from './training.ts';

const RANKS = 8;

/** Two nodes with a product of their own, on which eight ranks just fit. */
export interface OwnNodes {
  readonly product: string;
  readonly names: readonly string[];
  remove(): Promise<void>;
}

/** @param place - tells several of them apart: from 0 to 50 */
export async function ownNodes(admin: KubeClient, place = 0): Promise<OwnNodes> {
  const product = `eight-ranks-${place}`;
  const made = simulatedNodes({
    nodes: 2,
    cpuNodes: 1,
    gpusPerNode: RANKS / 2,
    gpuProduct: product,
    kubeletPort: 10_250,
  }).slice(1);
  const names = made.map((_, index) => `${product}-${index}`);
  for (const [index, { status, ...node }] of made.entries()) {
    const name = names[index] ?? '';
    // Pods of other nodes have their addresses from the first ranges.
    const range = `10.${200 + place}.${index}.0/24`;
    const spec = { ...node.spec, podCIDR: range, podCIDRs: [range] };
    await admin.create(TYPES.node, { ...node, metadata: { ...node.metadata, name }, spec });
    await admin.patch(TYPES.node, { name }, { status }, { subresource: 'status' });
  }
  const remove = async () => {
    for (const name of names) await admin.delete(TYPES.node, { name });
  };
  return { product, names, remove };
}

/** Tells, of every change of pods, of how many attempts there are pods that may run. */
export function watchOverlaps(admin: KubeClient, namespace: string) {
  const pods = new Map<string, string>();
  const seen: string[] = [];
  const reflector = new Reflector<KubeObject>({
    client: admin,
    type: TYPES.pod,
    namespace,
    labelSelector: 'app.kubernetes.io/name=distributed-training',
    store: new Store<KubeObject>({ transform: (object) => object }),
  });
  reflector.onChange((change) => {
    if (change.type === 'deleted') pods.delete(change.before.metadata.uid);
    else pods.set(change.value.metadata.uid, change.value.metadata.labels?.['trunnion.dev/attempt'] ?? '');
    const attempts = new Set(pods.values());
    if (attempts.size > 1) seen.push([...attempts].join(' and '));
  });
  reflector.start();
  return { seen: seen as readonly string[], stop: () => reflector.stop() };
}

/** What a training of eight ranks is led through. */
export interface EightRanks {
  readonly admin: KubeClient;
  readonly namespace: string;
  readonly nodes: OwnNodes;
  /** How long each step may take, in milliseconds. */
  readonly patience: number;
  /**
   * Called when the second attempt runs.
   *
   * @default - nothing happens
   */
  readonly interlude?: () => Promise<void>;
}

/** Rank 5 fails twice, a node is lost, and a pod is preempted; then all ranks are done. Resolves with the end. */
export async function leadEightRanks(options: EightRanks): Promise<DistributedTrainingStatus | undefined> {
  const { admin, namespace, nodes, patience, interlude } = options;
  const training = new TrainingUnderTest(admin, namespace);
  const runs = (attempt: number) =>
    training.shows(({ status }) => expect(status).toMatchObject({ phase: 'Running', attempt }), patience);
  const hasEnded = (count: number) =>
    training.shows(({ status }) => expect(status?.attempts).toHaveLength(count), patience);

  await training.apply({
    ...trainingSpec,
    replicas: RANKS,
    resources: { gpu: 1, gpuProduct: nodes.product },
    retry: { limit: 2, backoffSeconds: 1, maxBackoffSeconds: 1 },
  });
  await runs(1);
  await training.simulate(5, { fail: '1' });
  await runs(2);
  await interlude?.();
  await training.simulate(5, { fail: '1' });
  await runs(3);

  const comesBack = await lose(training, nodes.names[0] ?? '');
  await hasEnded(3);
  await eventually(
    async () => {
      const left = await training.pods();
      expect(left.filter(({ metadata }) => metadata.labels?.['trunnion.dev/attempt'] === '3')).toEqual([]);
    },
    { timeout: patience },
  );
  await comesBack();
  await runs(4);

  const isDone = await preempt(options);
  await hasEnded(4);
  await isDone();
  await runs(5);
  await training.finish();
  return (await training.reaches('Completed', patience)).status;
}

/** What it must have come to in the end, however often somebody else had to take over. */
export const expectEnd = (status: DistributedTrainingStatus | undefined, { names: [lost] }: OwnNodes): void =>
  expect(status).toMatchObject({
    phase: 'Completed',
    failures: 2,
    attempts: [
      { number: 1, reason: 'ProgramFailed', rank: 5, exitCode: 1, charged: 1, node: expect.any(String) },
      { number: 2, reason: 'ProgramFailed', rank: 5, exitCode: 1, charged: 1 },
      { number: 3, reason: 'NodeLost', charged: 0, node: lost },
      { number: 4, reason: 'Preempted', charged: 0 },
    ],
  });

/** The node is gone, with all that is on it: nobody says that its pods have stopped. */
async function lose(training: TrainingUnderTest, name: string): Promise<() => Promise<void>> {
  const { admin } = training;
  for (const { metadata, ...pod } of await training.pods()) {
    const { nodeName } = pod['spec'] as { readonly nodeName: string };
    if (nodeName === name) {
      await admin.patch(TYPES.pod, metadata, { metadata: { annotations: simulated({ lost: 'true' }) } });
    }
  }
  const node = await admin.get(TYPES.node, { name });
  const { taints = [] } = node['spec'] as { readonly taints?: readonly object[] };
  const gone = { key: 'example.com/gone', value: 'nodeshutdown', effect: 'NoExecute' };
  await admin.patch(TYPES.node, { name }, { spec: { taints: [...taints, gone] } });
  return async () => {
    await admin.patch(TYPES.node, { name }, { spec: { taints } });
  };
}

/** A pod that is more important than any rank, and needs the GPU of one. */
async function preempt({ admin, namespace, nodes }: EightRanks): Promise<() => Promise<void>> {
  const name = `urgent-${namespace}`;
  await admin.create(TYPES.priorityClass, {
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: { name },
    value: 1000,
  });
  const ref = { namespace, name: 'urgent' };
  const gpu = { 'nvidia.com/gpu': '1' };
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: ref,
    spec: {
      priorityClassName: name,
      nodeSelector: { 'nvidia.com/gpu.product': nodes.product },
      tolerations: [{ operator: 'Exists' }],
      containers: [{ name: 'urgent', image: 'example.com/urgent:1', resources: { requests: gpu, limits: gpu } }],
    },
  };
  // The API server takes a moment to learn of the class.
  await eventually(() => admin.create(TYPES.pod, pod));
  return async () => {
    await admin.delete(TYPES.pod, ref);
    await admin.delete(TYPES.priorityClass, { name });
  };
}
