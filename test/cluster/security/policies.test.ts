import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { KubeObject, ResourceType } from '../../../operator/kube/types.ts';
import { AgentUnderTest, agentServiceType, agentSpec } from '../support/agent.ts';
import { adminClient } from '../support/client.ts';
import { type Cover, watchCover } from '../support/cover.ts';
import { COLLECTED, eventually } from '../support/eventually.ts';
import { testNamespace } from '../support/namespace.ts';
import { installTrunnion, startOperator } from '../support/operator.ts';
import type { ResourceUnderTest } from '../support/resource.ts';
import { modelServingType, ServingUnderTest, servingSpec } from '../support/serving.ts';
import { distributedTrainingType, simulated, TrainingUnderTest, trainingSpec } from '../support/training.ts';
import { types } from '../support/types.ts';

const admin = adminClient();

beforeAll(() => installTrunnion(admin));

/** Pods that take a while to stop, as those of a drain do. */
const slow = (annotations: Readonly<Record<string, string>> = {}) => ({
  podTemplate: { metadata: { annotations: simulated({ 'termination-seconds': '4', ...annotations }) } },
});
const { storage: _, ...mounted } = servingSpec;
const serving = { ...mounted, model: { uri: 'pvc://models' }, ...slow() };
const agent = { ...agentSpec, ...slow() };
const training = {
  ...trainingSpec,
  checkpoint: { ...trainingSpec.checkpoint, graceSeconds: 30 },
  ...slow({ 'delay-seconds': '600' }),
};

interface Scene {
  readonly namespace: string;
  readonly cover: Cover;
}

async function scene(): Promise<Scene> {
  const namespace = await testNamespace(admin);
  await admin.create(types.persistentVolumeClaim, {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'models', namespace },
    spec: { accessModes: ['ReadWriteMany'], resources: { requests: { storage: '1Gi' } } },
  });
  await startOperator(admin, namespace);
  const cover = await watchCover(admin, namespace);
  onTestFinished(() => cover.stop());
  return { namespace, cover };
}

const podsIn = async (namespace: string): Promise<readonly KubeObject[]> =>
  (await admin.list(types.pod, { namespace })).items;
const policiesIn = async (namespace: string): Promise<readonly KubeObject[]> =>
  (await admin.list(types.networkPolicy, { namespace })).items;

/** Waits until nothing is left, and says at which moments a pod had no policy. */
async function gapsUntilTheEnd({ namespace, cover }: Scene): Promise<readonly string[]> {
  await eventually(async () => {
    expect(await podsIn(namespace)).toEqual([]);
    expect(await policiesIn(namespace)).toEqual([]);
  }, COLLECTED);
  expect(cover.pods).toBeGreaterThan(0);
  return cover.gaps();
}

type Under = ResourceUnderTest<never, never>;
const KINDS: readonly (readonly [string, ResourceType, (namespace: string) => Promise<Under>])[] = [
  [
    'AgentService',
    agentServiceType,
    async (namespace) => {
      const one = new AgentUnderTest(admin, namespace);
      await one.apply(agent);
      await one.reaches('Running');
      return one as unknown as Under;
    },
  ],
  [
    'ModelServing',
    modelServingType,
    async (namespace) => {
      const one = new ServingUnderTest(admin, namespace);
      await one.apply(serving);
      await one.reaches('Running');
      return one as unknown as Under;
    },
  ],
  [
    'DistributedTraining',
    distributedTrainingType,
    async (namespace) => {
      const one = new TrainingUnderTest(admin, namespace);
      await one.apply(training);
      await one.reaches('Running');
      return one as unknown as Under;
    },
  ],
];

describe.each(KINDS)('the NetworkPolicy of a %s outlives its last pod', (_kind, type, run) => {
  it.each(['Background', 'Foreground'] as const)('where it is deleted in the %s', async (propagationPolicy) => {
    const here = await scene();
    const resource = await run(here.namespace);
    await admin.delete(type, resource, { propagationPolicy });
    expect(await gapsUntilTheEnd(here)).toEqual([]);
    await eventually(async () => expect(await admin.find(type, resource)).toBeUndefined(), COLLECTED);
  });

  it('where its namespace is deleted', async () => {
    const here = await scene();
    await run(here.namespace);
    await admin.delete(types.namespace, { name: here.namespace });
    expect(await gapsUntilTheEnd(here)).toEqual([]);
  });

  it('where somebody deletes the policy, and the resource later', async () => {
    const here = await scene();
    const resource = await run(here.namespace);
    for (const { metadata } of await policiesIn(here.namespace)) await admin.delete(types.networkPolicy, metadata);
    await eventually(async () =>
      expect((await policiesIn(here.namespace))[0]?.metadata.deletionTimestamp).toBeDefined(),
    );
    await admin.delete(type, resource, { propagationPolicy: 'Background' });
    expect(await gapsUntilTheEnd(here)).toEqual([]);
  });

  it('where it is deleted and made anew, whose pods it covers from the first', async () => {
    const here = await scene();
    const resource = await run(here.namespace);
    await admin.delete(type, resource, { propagationPolicy: 'Background' });
    await eventually(async () => expect(await admin.find(type, resource)).toBeUndefined(), COLLECTED);
    const again = await run(here.namespace);
    // What is left of the first one goes; and where that was the policy's reason to stay, so does the policy.
    await eventually(async () => {
      const pods = await podsIn(here.namespace);
      expect(pods.filter(({ metadata }) => metadata.deletionTimestamp !== undefined)).toEqual([]);
    });
    expect(here.cover.gaps()).toEqual([]);
    await admin.delete(type, again, { propagationPolicy: 'Background' });
    expect(await gapsUntilTheEnd(here)).toEqual([]);
  });
});
