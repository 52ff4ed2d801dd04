import { TRUNNION } from '../../../operator/trunnion.ts';
import { beforeAll, expect, test } from 'vitest';
import type { ResourceStatus, StatusNode } from '../../../cli/status/types.ts';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';
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

/** `trunnion status` in a namespace. */
const status = (namespace: string, ...args: readonly string[]) =>
  trunnion(['status', ...args, '-n', namespace, '--kubeconfig', cluster().kubeconfig]);

/** All nodes of a tree, as `Kind: state`. */
const flat = (nodes: readonly StatusNode[]): string[] =>
  nodes.flatMap(({ kind, state, children }) => [`${kind}: ${state}`, ...flat(children)]);

test('resources are reported in a table, and one of them down to its pods, with what these wait for', async () => {
  const namespace = await testNamespace(admin);
  await startOperator(admin, namespace);
  const serving = new ServingUnderTest(admin, namespace);
  await serving.apply({ ...servingSpec, resources: { ...servingSpec.resources, gpu: 64 } });
  const training = new TrainingUnderTest(admin, namespace);
  await training.apply(trainingSpec);
  await training.reaches('Running');
  await serving.hasCondition('Progressing', 'True', 'NoSuchGPU', /No autoscaler is known to have said anything/);

  const table = await status(namespace);
  expect(table).toMatchObject({ code: 0, stderr: '' });
  expect(table.stdout).toMatch(/ modelserving\/llama +Pending .*No node has 64 × nvidia\.com\/gpu/);
  expect(table.stdout).toMatch(/ distributedtraining\/resnet +Running /);

  const tree = await status(namespace, 'llama');
  expect(tree).toMatchObject({ code: 0, stderr: '' });
  expect(tree.stdout).toContain('! spec.resources.gpu 64 fits no node: the largest has 8 × nvidia.com/gpu');
  expect(tree.stdout).toMatch(/✓ Job llama-fetch-.*\n.*✓ Pod llama-fetch-/);
  expect(tree.stdout).toMatch(/◌ Deployment llama .*\n.*◌ ReplicaSet llama-.*\n.*◌ Pod llama-/);

  await eventually(async () => {
    const { stdout } = await status(namespace, 'distributedtraining/resnet', '-o', 'json');
    const reported: ResourceStatus = JSON.parse(stdout);
    expect(reported).toMatchObject({
      kind: 'DistributedTraining',
      namespace,
      name: 'resnet',
      phase: 'Running',
      notes: [],
    });
    expect(flat(reported.children)).toEqual(expect.arrayContaining(['Job: ok', 'Pod: ok', 'Pod: ok']));
  });
});

test('a name that nothing has is an error, and so is one that two kinds have', async () => {
  const namespace = await testNamespace(admin);
  const nobody = await status(namespace, 'nobody');
  expect(nobody).toMatchObject({ code: 1, stdout: '', stderr: `error: there is no resource ${namespace}/nobody\n` });

  await new ServingUnderTest(admin, namespace, 'twin').apply(servingSpec);
  await new TrainingUnderTest(admin, namespace, 'twin').apply(trainingSpec);
  const twins = await status(namespace, 'twin');
  expect(twins.code).toBe(2);
  expect(twins.stderr).toContain('say which: modelserving/twin or distributedtraining/twin');
  expect(await status(namespace, 'msv/twin')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/not looked at yet/),
  });
});

test('that no operator is at work is said before all else, with how long', async () => {
  const namespace = await testNamespace(admin);
  await new ServingUnderTest(admin, namespace).apply(servingSpec);
  const renewTime = new Date(Date.now() - 23.5 * 60_000).toISOString().replace('Z', '000Z');
  await admin.create(TYPES.lease, {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name: TRUNNION.name, namespace },
    spec: { holderIdentity: 'trunnion-operator-a', leaseDurationSeconds: 15, renewTime },
  });
  const away = /No operator has been at work for 23m: what conditions say may be out of date/;
  const elsewhere = ['--operator-namespace', namespace];
  expect(await status(namespace, ...elsewhere)).toMatchObject({ code: 0, stderr: expect.stringMatching(away) });
  expect(await status(namespace, 'llama', ...elsewhere)).toMatchObject({ stdout: expect.stringMatching(away) });
});
