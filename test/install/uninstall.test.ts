import { TRUNNION } from '../../operator/trunnion.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { install } from '../../cli/install.ts';
import { OPERATOR_NAMESPACE } from '../../cli/options.ts';
import { crds } from '../../stacks/operator/crds.ts';
import { TYPES } from '../../operator/kube/client/resource-types.ts';
import { adminClient } from '../cluster/support/client.ts';
import { cluster } from '../cluster/support/cluster.ts';
import { testNamespace } from '../cluster/support/namespace.ts';
import { trunnion } from '../support/trunnion.ts';
import { Scenarios } from './support/scenarios.ts';
import { endPod, startPod } from './support/pod.ts';
import { reset } from './support/reset.ts';

const admin = adminClient();
beforeAll(() => reset(admin));
afterAll(() => admin.close());

const run = (...args: readonly string[]) => trunnion([...args, '--kubeconfig', cluster().kubeconfig]);

test('all of it goes and no workload does, once the operator has let go of each', async () => {
  await install(admin, { namespace: OPERATOR_NAMESPACE }, () => undefined);
  const pod = await startPod(admin, OPERATOR_NAMESPACE);
  const namespace = await testNamespace(admin);
  const scenarios = new Scenarios(admin, namespace);
  await scenarios.begin();
  const workloads = await scenarios.workloads();

  const refused = await run('uninstall', '--crds');
  expect(refused.code).toBe(1);
  for (const resource of ['modelserving/qwen', 'agentservice/support-agent', 'distributedtraining/resnet']) {
    expect(refused.stderr).toContain(`  ${resource} -n ${namespace}\n`);
  }
  expect(refused.stderr).toContain('Nothing was done.');
  await admin.get(TYPES.deployment, { namespace: OPERATOR_NAMESPACE, name: 'trunnion-operator' });

  const released = await run('release', 'modelserving/qwen', '-n', namespace, '--yes');
  expect(released).toMatchObject({ code: 0, stdout: expect.stringContaining('kind: Deployment') });
  for (const resource of ['agentservice/support-agent', 'distributedtraining/resnet']) {
    expect(await run('release', resource, '-n', namespace, '--yes')).toMatchObject({ code: 0 });
  }
  const lease = { namespace: OPERATOR_NAMESPACE, name: TRUNNION.name };
  await admin.get(TYPES.lease, lease);
  await endPod(pod);
  const uninstalled = await run('uninstall', '--crds');
  expect(uninstalled.code).toBe(0);
  for (const kind of ['Deployment', 'ClusterRole', 'NetworkPolicy', 'ServiceAccount']) {
    expect(uninstalled.stderr).toContain(`deleted ${kind} trunnion-operator\n`);
  }
  for (const { metadata } of crds()) {
    expect((await admin.find(TYPES.customResourceDefinition, metadata))?.metadata.deletionTimestamp).not.toBe(null);
  }
  // The operator made it, so no way to install knows it.
  expect(await admin.find(TYPES.lease, lease)).toBe(undefined);
  expect(await scenarios.workloads()).toEqual(workloads);
  const again = await run('uninstall');
  expect(again).toMatchObject({ code: 0, stderr: expect.not.stringContaining('deleted ') });
});
