import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Table } from '../../../cli/top/types.ts';
import type { KubeClient } from '../../../operator/kube/client/client.ts';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';
import { trunnion } from '../../support/trunnion.ts';
import { MAY_SERVE, tenantOf } from '../security/support/tenant.ts';
import type { PolicyRule } from '../security/support/rules.ts';
import { adminClient, serviceAccountToken } from '../support/client.ts';
import { cluster } from '../support/cluster.ts';
import { eventually } from '../support/eventually.ts';
import { testNamespace } from '../support/namespace.ts';
import { installTrunnion, startOperator } from '../support/operator.ts';
import { servingSpec, ServingUnderTest } from '../support/serving.ts';

const admin = adminClient();

beforeAll(() => installTrunnion(admin));

/** `trunnion top` as the admin, unless somebody else's kubeconfig is given. */
const top = (args: readonly string[], kubeconfig = cluster().kubeconfig) =>
  trunnion(['top', ...args, '--kubeconfig', kubeconfig]);

/** A service whose pod is ready, in a namespace of its own. */
async function readyServing(gpu = 2): Promise<string> {
  const namespace = await testNamespace(admin);
  await startOperator(admin, namespace);
  const serving = new ServingUnderTest(admin, namespace);
  await serving.apply({ ...servingSpec, resources: { ...servingSpec.resources, gpu } });
  await serving.reaches('Running');
  return namespace;
}

/** The kubeconfig of a user who may do in a namespace what the rules say, and nothing else. */
async function kubeconfigOf(client: KubeClient, namespace: string, rules: readonly PolicyRule[]): Promise<string> {
  await tenantOf(client, namespace, rules);
  const folder = mkdtempSync(join(tmpdir(), 'trunnion-top-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'kubeconfig');
  const { url, ca } = cluster();
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'a',
    contexts: [{ name: 'a', context: { cluster: 'a', user: 'a', namespace } }],
    clusters: [
      { name: 'a', cluster: { server: url, 'certificate-authority-data': Buffer.from(ca).toString('base64') } },
    ],
    users: [{ name: 'a', user: { token: await serviceAccountToken(client, namespace, 'tenant') } }],
  };
  writeFileSync(file, JSON.stringify(config));
  return file;
}

test('GPUs of pods are counted, and what simulated pods and nodes do not tell is a dash with a note', async () => {
  const namespace = await readyServing();
  const { code, stdout, stderr } = await top(['-n', namespace]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const [head, row, ...notes] = stdout.trimEnd().split('\n');
  expect(head).toMatch(/^NAMESPACE +RESOURCE +PHASE +REPLICAS +GPUS +GPU% +IDLE +RUNNING +WAITING +TOK\/S$/);
  expect(row).toMatch(/^\S+ +modelserving\/llama +Running +1\/1 +2 +- +- +- +- +-$/);
  expect(notes).toEqual([
    'note: GPU% and IDLE are unknown: no dcgm-exporter runs on the nodes of these pods',
    expect.stringMatching(/^note: 1 of 1 engines tell no requests and tokens: no connection to the pod /),
  ]);
});

test('in all namespaces there are sums, and the GPUs of the nodes', async () => {
  const namespace = await readyServing(3);
  const { metadata } = await admin.create(TYPES.pod, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'other', namespace },
    spec: {
      containers: [{ name: 'a', image: 'a', resources: { limits: { 'nvidia.com/gpu': '1' } } }],
      tolerations: [{ operator: 'Exists' }],
    },
  });
  await eventually(async () => {
    const pod = (await admin.get(TYPES.pod, { namespace, name: metadata.name })) as { spec?: { nodeName?: string } };
    expect(pod.spec?.nodeName).toBeDefined();
  });
  const { code, stdout } = await top(['-A', '-o', 'json']);
  expect(code).toBe(0);
  const table: Table = JSON.parse(stdout);
  const figures = { gpus: 3, gpusWaiting: 0 };
  expect(table.resources.filter((each) => each.namespace === namespace)).toEqual([
    { namespace, kind: 'ModelServing', name: 'llama', phase: 'Running', ready: 1, desired: 1, ...figures },
  ]);
  expect(table.namespaces).toContainEqual({ namespace, ...figures });
  const { total = 0, ours = 0, others = 0, free = 0, closed = 0 } = table.nodes ?? {};
  expect(ours).toBeGreaterThanOrEqual(3);
  expect(others).toBeGreaterThanOrEqual(1);
  expect(ours + others + free + closed).toBe(total);
  const text = await top(['-A']);
  expect(text.stdout).toMatch(/^\S+ +total +3 +- /m);
  expect(text.stdout).toMatch(/^GPUs of the nodes: \d+\. Trunnion's resources hold \d+, other pods \d+; \d+ are free/m);
});

test('a tenant sees what it may, and is told of the rest', async () => {
  const namespace = await readyServing();
  const kubeconfig = await kubeconfigOf(admin, namespace, [MAY_SERVE]);
  const few = await top([], kubeconfig);
  expect({ code: few.code, stderr: few.stderr }).toEqual({ code: 0, stderr: '' });
  expect(few.stdout).toMatch(/ modelserving\/llama +Running +1\/1 +- +- +- +- +- +-\n/);
  expect(few.stdout).toContain('note: Some resources are left out: you may not list agentservices, ');
  expect(few.stdout).toContain(`note: GPUs, requests and tokens are unknown: you may not list pods in ${namespace}\n`);

  const all = await top(['-A'], kubeconfig);
  expect(all).toMatchObject({ code: 1, stdout: '' });
  expect(all.stderr).toMatch(/^error: you may not list .*modelservings.* in all namespaces\n$/);
});

test('a tenant who may list pods, and not forward ports to them, has their GPUs', async () => {
  const namespace = await readyServing();
  const pods = { apiGroups: [''], resources: ['pods'], verbs: ['get', 'list'] };
  const { code, stdout } = await top([], await kubeconfigOf(admin, namespace, [MAY_SERVE, pods]));
  expect(code).toBe(0);
  expect(stdout).toMatch(/ modelserving\/llama +Running +1\/1 +2 +- +- +- +- +-\n/);
  expect(stdout).toMatch(
    /note: 1 of 1 engines tell no requests .*: it was refused; it needs the rights to get and create pods\/portforward\n/,
  );
  expect(stdout).toContain('you may not list pods in all namespaces, where dcgm-exporter runs');
});
