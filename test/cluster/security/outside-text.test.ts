import { beforeAll, expect, test } from 'vitest';
import type { ResourceStatus } from '../../../cli/status/types.ts';
import { OPERATOR_NAME } from '../../../operator/rbac.ts';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';
import { unseenIn } from '../../support/hostile-text.ts';
import { run } from '../../support/run.ts';
import { trunnion } from '../../support/trunnion.ts';
import { adminClient } from '../support/client.ts';
import { cluster } from '../support/cluster.ts';
import { eventually } from '../support/eventually.ts';
import { testNamespace } from '../support/namespace.ts';
import { installTrunnion, startOperator } from '../support/operator.ts';
import { servingSpec, ServingUnderTest } from '../support/serving.ts';
import { TrainingUnderTest, trainingSpec } from '../support/training.ts';

const admin = adminClient();

beforeAll(() => installTrunnion(admin));

const ESCAPE = '\u001B';

/** The clipboard written, the screen cleared, a line of one's own, text turned around, and nothing seen of it. */
const HOSTILE =
  'loss is NaN\u001B]52;c;cm0gLXJmIH4=\u0007\u001B[2J\n\u001B[32m✓ Forged\u001B[39m\u009B2J\u202Eneddih\u202C\u{E0041}\uFEFF';

const runPlain = async (...args: readonly string[]) => {
  const result = await trunnion([...args, '--kubeconfig', cluster().kubeconfig]);
  expect(unseenIn(result.stdout + result.stderr)).toEqual([]);
  expect(result.stdout.split('\n').filter((line) => line.startsWith('✓ Forged'))).toEqual([]);
  return result;
};

/** The texts of an object but for what its user wrote. */
const textsOf = (value: unknown): readonly string[] =>
  typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [String(value)];

test('the last words of a program come into the status, the events and the terminal as plain text', async () => {
  const namespace = await testNamespace(admin);
  await startOperator(admin, namespace);
  const training = new TrainingUnderTest(admin, namespace);
  await training.apply({ ...trainingSpec, retry: { limit: 0 } });
  await training.reaches('Running');
  // The simulated kubelet writes YAML, which has no C1 controls.
  await training.simulate(1, { fail: '1', message: HOSTILE.replaceAll(/[\u009B\uFEFF]/g, '') });
  const { status } = await training.reaches('Failed');
  expect(JSON.stringify(status)).toContain('loss is NaN␛]52;c;cm0gLXJmIH4=␇␛[2J');
  expect(textsOf(status).flatMap(unseenIn)).toEqual([]);

  await eventually(async () => {
    const { items } = await admin.list(TYPES.coreEvent, { namespace });
    const notes = items.filter(({ reportingComponent }) => reportingComponent === 'trunnion.dev/operator');
    expect(notes.map(({ message }) => message)).toEqual(
      expect.arrayContaining([expect.stringContaining('loss is NaN')]),
    );
    expect(textsOf(notes.map(({ message }) => message)).flatMap(unseenIn)).toEqual([]);
  });

  expect((await runPlain('status', 'resnet', '-n', namespace)).stdout).toContain('loss is NaN');
  expect((await runPlain('status', '-n', namespace)).stdout).toContain('loss is NaN');
  for (const output of ['json', 'yaml']) await runPlain('status', 'resnet', '-n', namespace, '-o', output);
  await runPlain('logs', 'resnet', '-n', namespace);
  await runPlain('doctor', '-n', namespace);
});

test('a status, an event and a Lease that others wrote are printed as plain text', async () => {
  const namespace = await testNamespace(admin);
  const serving = new ServingUnderTest(admin, namespace);
  await serving.apply(servingSpec);
  const { metadata } = await serving.get();
  const lastTransitionTime = '2026-01-01T00:00:00Z';
  const condition = { type: 'Ready', status: 'False', reason: HOSTILE, message: HOSTILE, lastTransitionTime };
  const status = { phase: 'Failed', observedGeneration: metadata.generation, conditions: [condition] };
  await admin.patch(serving.type, serving, { status }, { subresource: 'status' });
  const involvedObject = { apiVersion: 'trunnion.dev/v1alpha1', kind: 'ModelServing', name: 'llama', namespace };
  await admin.create(TYPES.coreEvent, {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: 'hostile', namespace },
    involvedObject: { ...involvedObject, uid: metadata.uid },
    type: 'Warning',
    reason: 'Failed',
    message: HOSTILE,
  });
  const spec = { holderIdentity: HOSTILE, leaseDurationSeconds: 15, renewTime: '2026-01-01T00:00:00.000000Z' };
  const lease = {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name: OPERATOR_NAME, namespace },
    spec,
  };
  await admin.create(TYPES.lease, lease);

  expect((await runPlain('status', 'llama', '-n', namespace)).stdout).toContain('loss is NaN');
  expect((await runPlain('status', '-n', namespace)).stdout).toContain('loss is NaN');
  const { stdout } = await runPlain('status', 'llama', '-n', namespace, '-o', 'json');
  const { conditions }: ResourceStatus = JSON.parse(stdout);
  expect(conditions[0]?.message).toBe(HOSTILE);
  expect((await runPlain('doctor', '-n', namespace, '--operator-namespace', namespace)).stdout).toContain(
    'loss is NaN',
  );
  await runPlain('plan', '-f', '-', '-n', namespace);
});

test('what the API server quotes of a resource that it refuses is printed as plain text', async () => {
  const namespace = await testNamespace(admin);
  const name = JSON.stringify(HOSTILE);
  const input = `{apiVersion: trunnion.dev/v1alpha1, kind: ModelServing, metadata: {name: llama, labels: {a: ${name}}}, spec: {model: {uri: ${name}}, engine: {type: vllm}, resources: {gpu: 0, memory: 1Gi}}}`;
  const { code, stdout, stderr } = await trunnion(
    ['plan', '-f', '-', '-n', namespace, '--kubeconfig', cluster().kubeconfig],
    input,
  );
  expect(code).toBe(1);
  expect(stderr).toContain('loss is NaN');
  expect(unseenIn(stdout + stderr)).toEqual([]);
});

test('a terminal gets no control character of others, though it gets colours', async () => {
  const namespace = await testNamespace(admin);
  const serving = new ServingUnderTest(admin, namespace);
  await serving.apply(servingSpec);
  const lastTransitionTime = '2026-01-01T00:00:00Z';
  const condition = { type: 'Ready', status: 'False', reason: 'Failed', message: HOSTILE, lastTransitionTime };
  await admin.patch(
    serving.type,
    serving,
    { status: { phase: 'Failed', conditions: [condition] } },
    { subresource: 'status' },
  );
  const args = ['cli/main.ts', 'status', 'llama', '-n', namespace, '--kubeconfig', cluster().kubeconfig];
  const env = { ...process.env, FORCE_COLOR: '1', NO_COLOR: undefined, NODE_DISABLE_COLORS: undefined };
  const { stdout } = await run(process.execPath, args, { env });
  expect(stdout).toContain('loss is NaN␛]52;c;cm0gLXJmIH4=␇');
  const colours = new RegExp(`${ESCAPE}\\[[\\d;]*m`, 'g');
  expect(stdout).toMatch(colours);
  expect(unseenIn(stdout.replaceAll(colours, ''))).toEqual([]);
  expect(stdout).not.toContain('\u001B[32m✓ Forged');
});
