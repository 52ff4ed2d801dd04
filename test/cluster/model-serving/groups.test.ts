import { beforeAll, describe, it } from 'vitest';
import { adminClient } from '../support/client.ts';
import { testNamespace } from '../support/namespace.ts';
import { installTrunnion, startOperator } from '../support/operator.ts';
import { ServingUnderTest, servingSpec } from '../support/serving.ts';

const admin = adminClient();

beforeAll(() => installTrunnion(admin));

describe('a ModelServing of several nodes a replica', () => {
  it('says that LeaderWorkerSet is not installed, and runs once one pod is enough', async () => {
    const namespace = await testNamespace(admin);
    await startOperator(admin, namespace);
    const serving = new ServingUnderTest(admin, namespace);
    await serving.apply({ ...servingSpec, nodes: 2 });
    await serving.hasCondition('Progressing', 'False', 'LeaderWorkerSetNotInstalled', /Install it: https:/);
    await serving.hasCondition('WeightsReady', 'True', 'Fetched');
    await serving.apply(servingSpec);
    await serving.hasCondition('Ready', 'True', 'Ready');
  });
});
