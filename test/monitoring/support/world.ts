import type { DistributedTrainingSpecInput } from '../../../constructs/index.ts';
import type { KubeClient } from '../../../operator/kube/client/client.ts';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';
import { AgentUnderTest, agentSpec } from '../../cluster/support/agent.ts';
import { eventually } from '../../cluster/support/eventually.ts';
import { testNamespace } from '../../cluster/support/namespace.ts';
import { sabotage } from '../../cluster/support/sabotage.ts';
import { finishTrials, searchSpec } from '../../cluster/support/search.ts';
import { ServingUnderTest, servingSpec } from '../../cluster/support/serving.ts';
import { simulated, TrainingUnderTest, trainingSpec } from '../../cluster/support/training.ts';
import { serveEngine } from './engine.ts';

/** All of it comes about at the same time, on a machine that may have little left. */
const PATIENCE_MS = 300_000;

/** Its program fails at once, so that a few attempts take seconds. */
const FAILING: DistributedTrainingSpecInput = {
  ...trainingSpec,
  podTemplate: { metadata: { annotations: simulated({ fail: '1', 'delay-seconds': '0' }) } },
};

/**
 * One of everything that dashboards and alerts are about, and that does not go away by itself: a model that serves,
 * one whose weights do not come, one that has drained and cut requests, one whose name is taken, an agent, a training
 * that fails, a search.
 */
export async function liveAll(admin: KubeClient): Promise<void> {
  const [namespace, stalled] = [await testNamespace(admin), await testNamespace(admin)];
  const serving = (name: string) => new ServingUnderTest(admin, namespace, name);
  sabotage(admin, stalled, 'fetcher', { 'delay-seconds': '600' });
  await takeName(admin, namespace, 'taken');

  await Promise.all([
    serves(admin, serving('llama')),
    drains(admin, serving('old')),
    serving('taken').apply(servingSpec),
    new ServingUnderTest(admin, stalled, 'stalled').apply(servingSpec),
    runs(new AgentUnderTest(admin, namespace)),
    fails(new TrainingUnderTest(admin, namespace, 'failing')),
    searches(admin, new TrainingUnderTest(admin, namespace, 'search')),
  ]);
}

async function serves(admin: KubeClient, serving: ServingUnderTest): Promise<void> {
  await serving.apply(servingSpec);
  await serving.reaches('Running', PATIENCE_MS);
  await serveEngine(admin, serving, 2);
}

/** Its engine never ends its requests, so that they are cut. */
async function drains(admin: KubeClient, serving: ServingUnderTest): Promise<void> {
  const spec = { ...servingSpec, drain: { timeoutSeconds: 15 } };
  await serving.apply(spec);
  await serving.reaches('Running', PATIENCE_MS);
  await serveEngine(admin, serving, 3);
  await serving.apply({ ...spec, retired: true });
  await serving.reaches('Retired', PATIENCE_MS);
}

async function takeName(admin: KubeClient, namespace: string, name: string): Promise<void> {
  const spec = { ports: [{ port: 80 }] };
  await admin.create(TYPES.service, { apiVersion: 'v1', kind: 'Service', metadata: { name, namespace }, spec });
}

async function runs(agent: AgentUnderTest): Promise<void> {
  await agent.apply(agentSpec);
  await agent.reaches('Running', PATIENCE_MS);
}

async function fails(training: TrainingUnderTest): Promise<void> {
  await training.apply(FAILING);
  await training.reaches('Failed', PATIENCE_MS);
}

async function searches(admin: KubeClient, search: TrainingUnderTest): Promise<void> {
  await search.apply({ ...searchSpec, tuning: { ...searchSpec.tuning, maxTrials: 4, parallelTrials: 2 } });
  await eventually(
    async () => {
      await finishTrials(admin, search.namespace);
      const { status } = await search.get();
      if ((status?.tuning?.succeeded ?? 0) < 2)
        throw new Error(`the search stands at ${JSON.stringify(status?.tuning)}`);
    },
    { timeout: PATIENCE_MS },
  );
}
