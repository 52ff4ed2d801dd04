import { beforeAll, describe, expect, test } from 'vitest';
import { AgentUnderTest, agentSpec } from '../support/agent.ts';
import { adminClient } from '../support/client.ts';
import { testNamespace } from '../support/namespace.ts';
import { installTrunnion, startOperator } from '../support/operator.ts';
import { ServingUnderTest, servingSpec } from '../support/serving.ts';
import { TrainingUnderTest, trainingSpec } from '../support/training.ts';

const admin = adminClient();

beforeAll(() => installTrunnion(admin));

async function setUp(): Promise<string> {
  const namespace = await testNamespace(admin);
  await startOperator(admin, namespace);
  return namespace;
}

const CLASSES = [
  [
    { priorityClassName: 'nope' },
    /refuses the pods: no PriorityClass with name nope was found\. Create the PriorityClass nope, or correct priorityClassName\./,
  ],
  [
    { runtimeClassName: 'nope' },
    /refuses the pods: RuntimeClass "nope" not found\. Create the RuntimeClass nope, or correct runtimeClassName\./,
  ],
] as const;

describe.each(CLASSES)('pods that the API server refuses for %j are reported in its words', (missing, words) => {
  test('of a training, whose Job tells it by an event alone', async () => {
    const training = new TrainingUnderTest(admin, await setUp());
    await training.apply({ ...trainingSpec, ...missing });
    const { status } = await training.hasCondition('Running', 'False', 'PodsForbidden', words);
    expect(status?.phase).toBe('Pending');
    await training.apply(trainingSpec);
    await training.reaches('Running');
  });

  test('of a service, whether it serves or its weights are fetched', async () => {
    const serving = new ServingUnderTest(admin, await setUp());
    await serving.apply({ ...servingSpec, ...missing });
    if ('priorityClassName' in missing) await serving.hasCondition('WeightsReady', 'False', 'PodsForbidden', words);
    else await serving.hasCondition('Progressing', 'False', 'PodsForbidden', words);
    await serving.apply(servingSpec);
    await serving.reaches('Running', 90_000);
    await serving.apply({ ...servingSpec, ...missing });
    await serving.hasCondition('Progressing', 'False', 'PodsForbidden', words);
  });

  test('of an agent', async () => {
    const agent = new AgentUnderTest(admin, await setUp());
    await agent.apply({ ...agentSpec, ...missing });
    await agent.hasCondition('Progressing', 'False', 'PodsForbidden', words);
  });
});
