import { TRUNNION } from '../../../operator/trunnion.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { planRelease } from '../../../cli/handover/release.ts';
import { unprotect } from '../../../cli/install/unprotect.ts';
import type { Resource } from '../../../operator/engine/api/resource.ts';
import { agentService } from '../../../operator/kinds/agent-service/index.ts';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';
import { AgentUnderTest, agentServiceType } from '../support/agent.ts';
import { adminClient } from '../support/client.ts';
import { COLLECTED, eventually } from '../support/eventually.ts';
import { installTrunnion, startOperator } from '../support/operator.ts';
import { searchSpec } from '../support/search.ts';
import { ServingUnderTest } from '../support/serving.ts';
import { simulated, TrainingUnderTest } from '../support/training.ts';
import {
  agent,
  gapsUntilTheEnd,
  podsIn,
  policiesIn,
  type Scene,
  scene,
  serving,
  slow,
  stopped,
  training,
} from './support/policies.ts';

const admin = adminClient();

beforeAll(() => installTrunnion(admin));

async function runningAgent(here: Scene): Promise<AgentUnderTest> {
  const one = new AgentUnderTest(admin, here.namespace);
  await one.apply(agent);
  await one.reaches('Running');
  return one;
}

const policyOf = async (here: Scene) => (await policiesIn(here))[0];

/** Somebody deletes the policy, and it stays. */
async function deletePolicy(here: Scene): Promise<void> {
  for (const { metadata } of await policiesIn(here)) await admin.delete(TYPES.networkPolicy, metadata);
  expect((await policyOf(here))?.metadata.deletionTimestamp).toBeDefined();
}

describe('a NetworkPolicy covers its pods', () => {
  it('where a service retires, and is brought back before its pods have stopped', async () => {
    const here = await scene(admin);
    const llama = new ServingUnderTest(admin, here.namespace);
    await llama.apply(serving);
    await llama.reaches('Running');
    await llama.apply({ ...serving, retired: true });
    await llama.reaches('Retired');
    await eventually(async () => expect((await policyOf(here))?.metadata.deletionTimestamp).toBeDefined());
    await llama.apply(serving);
    await llama.reaches('Running');
    await stopped(here);
    expect(here.cover.gaps()).toEqual([]);
    await llama.apply({ ...serving, retired: true });
    await llama.reaches('Retired');
    expect(await gapsUntilTheEnd(here)).toEqual([]);
  });

  it('through the attempts of a training, its suspension, and its expiry', async () => {
    const here = await scene(admin);
    const resnet = new TrainingUnderTest(admin, here.namespace);
    await resnet.apply(training);
    await resnet.reaches('Running');
    await resnet.simulate(1, { fail: '1' });
    await resnet.shows(({ status }) => expect(status).toMatchObject({ phase: 'Running', attempt: 2 }));
    await resnet.apply({ ...training, suspend: true });
    await resnet.reaches('Suspended');
    await resnet.apply({ ...training, ttlSecondsAfterFinished: 0 });
    await resnet.reaches('Running');
    await resnet.finish();
    expect(await gapsUntilTheEnd(here)).toEqual([]);
  });

  it('of each trial of a search that is deleted', async () => {
    const here = await scene(admin);
    const search = new TrainingUnderTest(admin, here.namespace, 'search');
    await search.apply({ ...searchSpec, ...slow({ 'delay-seconds': '600' }) });
    await eventually(async () => {
      expect((await podsIn(here)).map(({ status }) => (status as { phase: string }).phase)).toEqual(
        Array.from({ length: 4 }, () => 'Running'),
      );
    }, COLLECTED);
    await search.delete();
    expect(await gapsUntilTheEnd(here)).toEqual([]);
  });

  it('where the operator is away when it is deleted, and comes back', async () => {
    const here = await scene(admin);
    const resource = await runningAgent(here);
    await here.operator.stop();
    await resource.delete();
    await eventually(async () => expect(await podsIn(here)).toEqual([]), COLLECTED);
    expect((await policyOf(here))?.metadata.deletionTimestamp).toBeDefined();
    await startOperator(admin, here.namespace);
    expect(await gapsUntilTheEnd(here)).toEqual([]);
  });

  it('where somebody deletes it, and still follows the spec, without a pod that waits for it', async () => {
    const here = await scene(admin);
    const resource = await runningAgent(here);
    await deletePolicy(here);
    const egress = [{ cidr: '203.0.113.7/32', ports: [5432] }];
    await resource.apply({ ...agent, temperature: 0.5, egress });
    await eventually(async () => expect(JSON.stringify(await policyOf(here))).toContain('203.0.113.7/32'));
    await resource.reaches('Running');
    await resource.apply({ ...agent, replicas: 0 });
    await resource.reaches('Stopped');
    await stopped(here);
    await resource.apply({ ...agent, replicas: 2 });
    await resource.shows(({ status }) => expect(status).toMatchObject({ phase: 'Running', readyReplicas: 2 }));
    expect(here.cover.gaps()).toEqual([]);
    await resource.delete();
    expect(await gapsUntilTheEnd(here)).toEqual([]);
  });

  it('where a pod of a tenant’s own bears its labels, too, and is force-deleted in the end', async () => {
    const here = await scene(admin);
    const resource = await runningAgent(here);
    const [pod] = await podsIn(here);
    const { 'app.kubernetes.io/part-of': _, 'pod-template-hash': __, ...labels } = pod?.metadata.labels ?? {};
    const ref = { name: 'theirs', namespace: here.namespace };
    const annotations = simulated({ lost: 'true' });
    const spec = { containers: [{ name: 'main', image: 'example.com/theirs:1' }] };
    await admin.create(TYPES.pod, { apiVersion: 'v1', kind: 'Pod', metadata: { ...ref, labels, annotations }, spec });
    await resource.delete();
    await eventually(
      async () => expect((await podsIn(here)).map(({ metadata }) => metadata.name)).toEqual(['theirs']),
      COLLECTED,
    );
    expect((await policyOf(here))?.metadata.deletionTimestamp).toBeDefined();
    await admin.delete(TYPES.pod, ref, { gracePeriodSeconds: 0 });
    expect(await gapsUntilTheEnd(here)).toEqual([]);
  });
});

describe('where the operator is removed', () => {
  it('no policy waits for it, and another operator takes them up again without a restart', async () => {
    const here = await scene(admin);
    const resource = await runningAgent(here);
    const before = (await podsIn(here)).map(({ metadata }) => metadata.uid);
    await here.operator.stop();
    expect(await unprotect(admin, here.namespace)).toEqual({ freed: 1, waiting: [] });
    expect((await policyOf(here))?.metadata.finalizers).toBeUndefined();

    await startOperator(admin, here.namespace);
    await eventually(async () => expect((await policyOf(here))?.metadata.finalizers).toEqual([TRUNNION.podProtection]));
    expect((await podsIn(here)).map(({ metadata }) => metadata.uid)).toEqual(before);
    await resource.delete();
    expect(await gapsUntilTheEnd(here)).toEqual([]);
  });

  it('a policy that is being deleted stays for its pods, and goes when it is asked for again', async () => {
    const here = await scene(admin);
    const { name } = await runningAgent(here);
    await here.operator.stop();
    await admin.delete(agentServiceType, { namespace: here.namespace, name });
    await eventually(async () => expect((await policyOf(here))?.metadata.deletionTimestamp).toBeDefined(), COLLECTED);
    expect(await unprotect(admin, here.namespace)).toEqual({
      freed: 0,
      waiting: [`NetworkPolicy ${here.namespace}/${name}`],
    });
    await eventually(async () => expect(await podsIn(here)).toEqual([]), COLLECTED);
    expect(await unprotect(admin, here.namespace)).toEqual({ freed: 1, waiting: [] });
    expect(await gapsUntilTheEnd(here)).toEqual([]);
  });
});

it('what would be open at once is not released', async () => {
  const here = await scene(admin);
  const resource = await runningAgent(here);
  await deletePolicy(here);
  const live = (await resource.get()) as unknown as Resource;
  await expect(planRelease(admin, agentService, live)).rejects.toThrow(
    /can't be released now: NetworkPolicy support-agent/,
  );
});
