import { expect, onTestFinished } from 'vitest';
import type { KubeClient } from '../../../../operator/kube/client/client.ts';
import { TYPES } from '../../../../operator/kube/client/resource-types.ts';
import type { KubeObject } from '../../../../operator/kube/client/types.ts';
import { agentSpec } from '../../support/agent.ts';
import { type Cover, watchCover } from '../../support/cover.ts';
import { COLLECTED, eventually } from '../../support/eventually.ts';
import { testNamespace } from '../../support/namespace.ts';
import { type RunningOperator, startOperator } from '../../support/operator.ts';
import { servingSpec } from '../../support/serving.ts';
import { simulated, trainingSpec } from '../../support/training.ts';

/** Pods that take a while to stop, as those of a drain do. */
export const slow = (annotations: Readonly<Record<string, string>> = {}) => ({
  podTemplate: { metadata: { annotations: simulated({ 'termination-seconds': '4', ...annotations }) } },
});
const { storage: _, ...mounted } = servingSpec;

/** A spec of each kind, whose pods take a while to stop. */
export const serving = { ...mounted, model: { uri: 'pvc://models' }, ...slow() };
export const agent = { ...agentSpec, ...slow() };
export const training = {
  ...trainingSpec,
  checkpoint: { ...trainingSpec.checkpoint, graceSeconds: 30 },
  ...slow({ 'delay-seconds': '600' }),
};

/** A namespace of its own, an operator for it, and somebody who watches that no pod is without a policy. */
export interface Scene {
  readonly admin: KubeClient;
  readonly namespace: string;
  readonly operator: RunningOperator;
  readonly cover: Cover;
}

export async function scene(admin: KubeClient): Promise<Scene> {
  const namespace = await testNamespace(admin);
  await admin.create(TYPES.persistentVolumeClaim, {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'models', namespace },
    spec: { accessModes: ['ReadWriteMany'], resources: { requests: { storage: '1Gi' } } },
  });
  const operator = await startOperator(admin, namespace);
  const cover = await watchCover(admin, namespace);
  onTestFinished(() => cover.stop());
  return { admin, namespace, operator, cover };
}

export const podsIn = async ({ admin, namespace }: Scene): Promise<readonly KubeObject[]> =>
  (await admin.list(TYPES.pod, { namespace })).items;

export const policiesIn = async ({ admin, namespace }: Scene): Promise<readonly KubeObject[]> =>
  (await admin.list(TYPES.networkPolicy, { namespace })).items;

/** Waits until nothing is left, and says at which moments a pod had no policy. */
export async function gapsUntilTheEnd(here: Scene): Promise<readonly string[]> {
  await eventually(async () => {
    expect(await podsIn(here)).toEqual([]);
    expect(await policiesIn(here)).toEqual([]);
  }, COLLECTED);
  expect(here.cover.pods).toBeGreaterThan(0);
  return here.cover.gaps();
}

/** Waits until pods that were told to stop have stopped. */
export const stopped = (here: Scene): Promise<void> =>
  eventually(async () => {
    const pods = await podsIn(here);
    expect(pods.filter(({ metadata }) => metadata.deletionTimestamp !== undefined)).toEqual([]);
  });
