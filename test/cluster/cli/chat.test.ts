import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { trunnion } from '../../support/trunnion.ts';
import { tenantOf } from '../security/support/tenant.ts';
import type { PolicyRule } from '../security/support/rules.ts';
import { adminClient, serviceAccountToken } from '../support/client.ts';
import { cluster } from '../support/cluster.ts';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';
import { testNamespace } from '../support/namespace.ts';
import { installTrunnion, startOperator } from '../support/operator.ts';
import { servingSpec, ServingUnderTest } from '../support/serving.ts';

const admin = adminClient();

const { storage: _, ...rest } = servingSpec;
/** Nothing is fetched. */
const spec = { ...rest, model: { uri: 'oci://registry.example.com/llama:1' } };

beforeAll(() => installTrunnion(admin));

/** A model that runs. */
async function running(): Promise<ServingUnderTest> {
  const namespace = await testNamespace(admin);
  await startOperator(admin, namespace);
  const serving = new ServingUnderTest(admin, namespace);
  await serving.apply(spec);
  await serving.reaches('Running');
  return serving;
}

const chat = (namespace: string, kubeconfig: string) =>
  trunnion(['chat', 'llama', 'Hello?', '-n', namespace, '--kubeconfig', kubeconfig]);

/** A kubeconfig of somebody else. */
function kubeconfigWith(token: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'trunnion-chat-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const { url, ca } = cluster();
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'a',
    contexts: [{ name: 'a', context: { cluster: 'a', user: 'a' } }],
    clusters: [
      { name: 'a', cluster: { server: url, 'certificate-authority-data': Buffer.from(ca).toString('base64') } },
    ],
    users: [{ name: 'a', user: { token } }],
  };
  const file = join(folder, 'kubeconfig');
  writeFileSync(file, JSON.stringify(config));
  return file;
}

const LOOK: PolicyRule = { apiGroups: ['trunnion.dev'], resources: ['modelservings'], verbs: ['get'] };
const LIST: PolicyRule = { apiGroups: [''], resources: ['pods'], verbs: ['list'] };
const GET_PORT: PolicyRule = { apiGroups: [''], resources: ['pods/portforward'], verbs: ['get'] };

test('a tenant learns which right is missing, one after the other', async () => {
  const { namespace } = await running();
  const cases: readonly (readonly [readonly PolicyRule[], RegExp])[] = [
    [[LOOK], /cannot list resource "pods" .*; chat needs the rights to list pods/],
    [[LOOK, LIST], /cannot get resource "pods\/portforward" .*; chat needs the rights/],
    [
      [LOOK, LIST, GET_PORT],
      /error: pods "llama-\S+" is forbidden; chat needs the rights to list pods, and to get and create pods\/portforward\n$/,
    ],
  ];
  await tenantOf(admin, namespace, []);
  const kubeconfig = kubeconfigWith(await serviceAccountToken(admin, namespace, 'tenant'));
  for (const [rules, words] of cases) {
    await admin.patch(TYPES.role, { namespace, name: 'tenant' }, { rules });
    const { code, stderr } = await chat(namespace, kubeconfig);
    expect(stderr).toMatch(words);
    expect(code).toBe(1);
  }
});

test('a model whose kubelet can not be reached, and one that is scaled to zero, are told in one sentence', async () => {
  const serving = await running();
  const { namespace } = serving;
  const { code, stderr } = await chat(namespace, cluster().kubeconfig);
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /^error: no connection to the pod \S+ by way of the API server: error forwarding port 8000 .+\n$/,
  );
  await serving.apply({ ...spec, replicas: 0 });
  await serving.shows(({ status }) => expect(status).toMatchObject({ readyReplicas: 0 }));
  expect((await chat(namespace, cluster().kubeconfig)).stderr).toContain(
    `kubectl scale -n ${namespace} modelserving/llama --replicas=1`,
  );
});

test('the versions of a cluster are those that it serves', async () => {
  const { stdout } = await trunnion(['version', '--kubeconfig', cluster().kubeconfig]);
  expect(stdout).toMatch(
    /^Client: +\d+\.\d+\.\d+\nOperator: +none: .*\nCRDs: +trunnion\.dev\/v1alpha1 \(AgentService, .*\n/,
  );
  expect(stdout).toMatch(/^Kubernetes: v1\.\d+\.\d+$/m);
});
