import { beforeAll, expect, it } from 'vitest';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';
import { adminClient } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { testNamespace } from '../support/namespace.ts';
import { installTrunnion, startOperator } from '../support/operator.ts';
import { ServingUnderTest, servingSpec } from '../support/serving.ts';

const admin = adminClient();

beforeAll(() => installTrunnion(admin));

async function setUp(): Promise<ServingUnderTest> {
  const namespace = await testNamespace(admin);
  await startOperator(admin, namespace);
  return new ServingUnderTest(admin, namespace);
}

it('waits for the node that an autoscaler adds, by the events that it writes', async () => {
  const serving = await setUp();
  const { namespace } = serving;
  await serving.apply({ ...servingSpec, resources: { ...servingSpec.resources, gpu: 64 } });
  const pod = await eventually(async () => {
    const { items } = await admin.list(TYPES.pod, { namespace, labelSelector: 'app.kubernetes.io/component=server' });
    expect(items).toHaveLength(1);
    return items[0];
  });
  await admin.create(TYPES.coreEvent, {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: 'scale-up', namespace },
    involvedObject: { apiVersion: 'v1', kind: 'Pod', name: pod?.metadata.name, namespace, uid: pod?.metadata.uid },
    type: 'Normal',
    reason: 'TriggeredScaleUp',
    message: 'pod triggered scale-up: [{h900-pool 0->1 (max: 4)}]',
    source: { component: 'cluster-autoscaler' },
    firstTimestamp: new Date().toISOString(),
    lastTimestamp: new Date().toISOString(),
    count: 1,
  });
  await serving.hasCondition('Progressing', 'True', 'WaitingForNode', /h900-pool 0->1/);
  expect((await serving.get()).status?.phase).toBe('Pending');
});

it('has a volume that may not grow told by the words of the server, and its size set back', async () => {
  const serving = await setUp();
  const sized = (size: string) => ({ ...servingSpec, storage: { ...servingSpec.storage, size } });
  await serving.apply(sized('10Gi'));
  await serving.reaches('Running');
  await serving.apply(sized('20Gi'));
  await serving.hasCondition('Ready', 'False', 'Forbidden', /must support resize.*allowVolumeExpansion: true/);
  await serving.apply(sized('10Gi'));
  await serving.hasCondition('Ready', 'True', 'Ready');
  await expect(serving.apply(sized('9Gi'))).rejects.toThrow(/must not shrink below what the volume has/);
});

it('says that it is not scaled where nobody tells how busy pods are, and is not ready', async () => {
  const serving = await setUp();
  const { replicas: _, ...unscaled } = servingSpec;
  await serving.apply({
    ...unscaled,
    autoscaling: { minReplicas: 1, maxReplicas: 2, targets: { cpuPercent: 80 } },
  });
  await serving.hasCondition('Ready', 'False', 'FailedGetResourceMetric', /Install metrics-server/);
  await serving.hasCondition('ScalingActive', 'False', 'FailedGetResourceMetric');
  await serving.hasCondition('Available', 'True', 'Available');
  expect(await admin.find(TYPES.horizontalPodAutoscaler, serving)).toBeDefined();
});
