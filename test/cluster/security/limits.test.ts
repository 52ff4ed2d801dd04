import { beforeAll, test } from 'vitest';
import { adminClient } from '../support/client.ts';
import { testNamespace } from '../support/namespace.ts';
import { installTrunnion, startOperator } from '../support/operator.ts';
import { ServingUnderTest, servingSpec } from '../support/serving.ts';

const admin = adminClient();

beforeAll(() => installTrunnion(admin));

/** Variables of as many bytes as the API server takes in one value, and some more. */
const env = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ name: `E${index}`, value: 'x'.repeat(32 * 1024) }));

test('a spec that is larger than the operator takes is refused with what to do, and served once it is smaller', async () => {
  const namespace = await testNamespace(admin);
  await startOperator(admin, namespace);
  const serving = new ServingUnderTest(admin, namespace);
  const small = { ...servingSpec, resources: { gpu: 0, cpu: '1', memory: '1Gi' } };
  await serving.apply({ ...small, engine: { ...small.engine, env: env(26) } });
  await serving.hasCondition('Accepted', 'False', 'InvalidSpec', /spec: must have at most 524288 bytes as JSON/);
  await serving.apply({ ...small, engine: { ...small.engine, env: env(1) } });
  await serving.reaches('Running');
});
