import { beforeAll, describe, expect, it } from 'vitest';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';
import type { ResourceType } from '../../../operator/kube/client/types.ts';
import { AgentUnderTest, agentServiceType } from '../support/agent.ts';
import { adminClient } from '../support/client.ts';
import { COLLECTED, eventually } from '../support/eventually.ts';
import { installTrunnion } from '../support/operator.ts';
import type { ResourceUnderTest } from '../support/resource.ts';
import { modelServingType, ServingUnderTest } from '../support/serving.ts';
import { distributedTrainingType, TrainingUnderTest } from '../support/training.ts';
import { agent, gapsUntilTheEnd, policiesIn, scene, serving, stopped, training } from './support/policies.ts';

const admin = adminClient();

beforeAll(() => installTrunnion(admin));

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
    const here = await scene(admin);
    const resource = await run(here.namespace);
    await admin.delete(type, resource, { propagationPolicy });
    expect(await gapsUntilTheEnd(here)).toEqual([]);
    await eventually(async () => expect(await admin.find(type, resource)).toBeUndefined(), COLLECTED);
  });

  it('where its namespace is deleted', async () => {
    const here = await scene(admin);
    await run(here.namespace);
    await admin.delete(TYPES.namespace, { name: here.namespace });
    expect(await gapsUntilTheEnd(here)).toEqual([]);
  });

  it('where somebody deletes the policy, and the resource later', async () => {
    const here = await scene(admin);
    const resource = await run(here.namespace);
    for (const { metadata } of await policiesIn(here)) await admin.delete(TYPES.networkPolicy, metadata);
    await eventually(async () => expect((await policiesIn(here))[0]?.metadata.deletionTimestamp).toBeDefined());
    await admin.delete(type, resource, { propagationPolicy: 'Background' });
    expect(await gapsUntilTheEnd(here)).toEqual([]);
  });

  it('where it is deleted and created again, whose pods it covers from the first', async () => {
    const here = await scene(admin);
    const resource = await run(here.namespace);
    await admin.delete(type, resource, { propagationPolicy: 'Background' });
    await eventually(async () => expect(await admin.find(type, resource)).toBeUndefined(), COLLECTED);
    const again = await run(here.namespace);
    // What is left of the first one goes; and where that was the policy's reason to stay, so does the policy.
    await stopped(here);
    expect(here.cover.gaps()).toEqual([]);
    await admin.delete(type, again, { propagationPolicy: 'Background' });
    expect(await gapsUntilTheEnd(here)).toEqual([]);
  });
});
