import { TRUNNION } from '../../../operator/trunnion.ts';
import { beforeAll, expect, test } from 'vitest';
import type { Check } from '../../../cli/doctor/types.ts';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';
import { trunnion } from '../../support/trunnion.ts';
import { adminClient } from '../support/client.ts';
import { cluster } from '../support/cluster.ts';
import { eventually } from '../support/eventually.ts';
import { testNamespace } from '../support/namespace.ts';
import { installIn, installTrunnion, startOperator } from '../support/operator.ts';
import { servingSpec, ServingUnderTest } from '../support/serving.ts';
import { simulated, TrainingUnderTest, trainingSpec } from '../support/training.ts';

const admin = adminClient();

beforeAll(() => installTrunnion(admin));

/** A command about a namespace, whose operator has its Lease there too. */
const run = (command: string, namespace: string, ...args: readonly string[]) =>
  trunnion([command, ...args, '-n', namespace, ...whose(namespace), '--kubeconfig', cluster().kubeconfig]);

const whose = (operatorNamespace: string) => ['--operator-namespace', operatorNamespace];

/** What doctor says of a part, and its exit code. */
async function diagnosis(namespace: string, part: string): Promise<{ code: number; checks: readonly Check[] }> {
  const { code, stdout } = await run('doctor', namespace, '-o', 'json');
  const checks = JSON.parse(stdout) as readonly Check[];
  return { code, checks: checks.filter(({ about }) => about === part) };
}

test('an operator that has died is told by status and by doctor, though all conditions are as it left them', async () => {
  const namespace = await testNamespace(admin);
  await installIn(admin, namespace);
  const operator = await startOperator(admin, namespace, { account: namespace, leaderElection: { namespace } });
  const serving = new ServingUnderTest(admin, namespace);
  await serving.apply(servingSpec);
  await serving.reaches('Running');
  expect(await run('status', namespace, 'llama')).toMatchObject({ stdout: expect.not.stringMatching(/No operator/) });
  expect((await diagnosis(namespace, 'Operator')).checks).toContainEqual(
    expect.objectContaining({ verdict: 'ok', found: expect.stringMatching(/leads$/) }),
  );

  await operator.stop();
  // As it would stand five minutes after a kill: a leader that is killed lets nothing go.
  const ago = new Date(Date.now() - 5 * 60_000).toISOString().replace('Z', '000Z');
  const spec = { holderIdentity: 'operator-a', renewTime: ago };
  await admin.patch(TYPES.lease, { namespace, name: TRUNNION.name }, { spec });
  expect(await run('status', namespace, 'llama')).toMatchObject({
    stdout: expect.stringMatching(/No operator has been at work for 5m: what conditions say may be out of date/),
  });
  const { code, checks } = await diagnosis(namespace, 'Operator');
  expect(code).toBe(1);
  expect(checks).toContainEqual(
    expect.objectContaining({
      verdict: 'fail',
      found: expect.stringMatching(/operator-a .*has not renewed it for 5m/),
    }),
  );
});

test('doctor counts what is not ready, and names it', async () => {
  const namespace = await testNamespace(admin);
  await startOperator(admin, namespace);
  const serving = new ServingUnderTest(admin, namespace);
  await serving.apply({ ...servingSpec, resources: { ...servingSpec.resources, gpu: 64 } });
  await serving.hasCondition('Ready', 'False', 'NoSuchGPU');
  expect((await diagnosis(namespace, 'Resources')).checks).toEqual([
    {
      about: 'Resources',
      verdict: 'warn',
      found: `1 in ${namespace}: 1 not ready`,
      advice: expect.stringMatching(/^trunnion status tells why of each: modelserving\/llama \(NoSuchGPU\)\./),
    },
  ]);
});

test('a namespace that is not there is an error, and not one without resources', async () => {
  expect(await run('status', 'no-such-namespace')).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('there is no namespace no-such-namespace: kubectl get namespaces lists'),
  });
});

test('the counts of a rollout are true at each moment', async () => {
  const namespace = await testNamespace(admin);
  await startOperator(admin, namespace);
  const serving = new ServingUnderTest(admin, namespace);
  const spec = { ...servingSpec, replicas: 2 };
  await serving.apply(spec);
  await serving.reaches('Running');
  await serving.apply({ ...spec, engine: { ...spec.engine, args: ['--seed=7'] } });
  const messages = new Set<string>();
  await eventually(async () => {
    const { status } = await serving.get();
    const { message = '', reason } = status?.conditions?.find(({ type }) => type === 'Progressing') ?? {};
    messages.add(message);
    expect({ reason, updated: status?.observedGeneration }).toEqual({ reason: 'Complete', updated: 2 });
  });
  const counts = [...messages].flatMap((message) => [
    ...message.matchAll(/(\d+) of (\d+) replicas are of the newest/g),
  ]);
  expect(counts.length).toBeGreaterThan(0);
  for (const [, updated, desired] of counts) expect(Number(updated)).toBeLessThanOrEqual(Number(desired));
});

test('pods that wait are not counted as ranks that run', async () => {
  const namespace = await testNamespace(admin);
  await startOperator(admin, namespace);
  const training = new TrainingUnderTest(admin, namespace);
  await training.apply({
    ...trainingSpec,
    resources: { gpu: 1 },
    nodeSelector: { nobody: 'has-this' },
    podTemplate: { metadata: { annotations: simulated({ 'delay-seconds': '600' }) } },
  });
  await eventually(async () => expect(await training.pods()).toHaveLength(2));
  await eventually(async () => {
    const { stdout } = await run('status', namespace, 'resnet');
    expect(stdout).toMatch(/◌ Job resnet-1 {2}0 of 2 run/);
  });
});
