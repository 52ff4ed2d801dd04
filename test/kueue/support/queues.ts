import { onTestFinished } from 'vitest';
import type { KubeClient } from '../../../operator/kube/client/client.ts';
import type { ResourceType } from '../../../operator/kube/client/types.ts';
import { testNamespace } from '../../cluster/support/namespace.ts';
import { startOperator } from '../../cluster/support/operator.ts';
import { trainingSpec } from '../../cluster/support/training.ts';

export const PRODUCT = 'NVIDIA-A100-SXM4-80GB';

const kueueType = (kind: string, plural: string): ResourceType => ({
  group: 'kueue.x-k8s.io',
  version: 'v1beta1',
  kind,
  plural,
});
const flavors = kueueType('ResourceFlavor', 'resourceflavors');
export const clusterQueues = kueueType('ClusterQueue', 'clusterqueues');
const localQueues = kueueType('LocalQueue', 'localqueues');

/** A namespace with an operator and the queue team-a, which has room for four GPUs. */
export async function setUp(admin: KubeClient): Promise<string> {
  const namespace = await testNamespace(admin, { queues: 'kueue' });
  const make = async (type: ResourceType, name: string, spec: object, where: { namespace?: string } = {}) => {
    const apiVersion = `${type.group}/${type.version}`;
    await admin.create(type, { apiVersion, kind: type.kind, metadata: { name, ...where }, spec });
    if (where.namespace === undefined) onTestFinished(async () => void (await admin.delete(type, { name })));
  };
  await make(flavors, namespace, {
    nodeLabels: { 'nvidia.com/gpu.product': PRODUCT },
    // Parameter servers, which ask for no GPU, come to these nodes, too.
    tolerations: [{ key: 'nvidia.com/gpu', operator: 'Exists' }],
  });
  await make(clusterQueues, namespace, {
    namespaceSelector: {},
    preemption: { withinClusterQueue: 'LowerPriority' },
    resourceGroups: [
      {
        coveredResources: ['nvidia.com/gpu', 'cpu', 'memory', 'pods'],
        flavors: [
          {
            name: namespace,
            resources: [
              { name: 'nvidia.com/gpu', nominalQuota: 4 },
              { name: 'cpu', nominalQuota: 100 },
              { name: 'memory', nominalQuota: '1Ti' },
              { name: 'pods', nominalQuota: 100 },
            ],
          },
        ],
      },
    ],
  });
  await make(localQueues, 'team-a', { clusterQueue: namespace }, { namespace });
  await startOperator(admin, namespace);
  return namespace;
}

export const spec = { ...trainingSpec, replicas: 4, resources: { gpu: 1 }, queue: 'team-a' };
