import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { parseManifests } from '../../cli/manifests.ts';
import { OPERATOR_NAMESPACE } from '../../cli/options.ts';
import { kinds } from '../../compat/kinds/index.ts';
import { TYPES } from '../../operator/kube/client/resource-types.ts';
import { adminClient, kubectl } from '../cluster/support/client.ts';
import { cluster } from '../cluster/support/cluster.ts';
import { testNamespace } from '../cluster/support/namespace.ts';
import { trunnion } from '../support/trunnion.ts';
import { helm } from '../support/helm.ts';
import { chart } from './support/chart.ts';
import { reset } from './support/reset.ts';

const folder = mkdtempSync(join(tmpdir(), 'trunnion-values-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const admin = adminClient();
beforeAll(() => reset(admin));
afterAll(() => admin.close());

const file = join(folder, 'values.yaml');
writeFileSync(file, 'replicas: 3\nimage: {repository: registry.example.com/trunnion-operator}\n');

const deploymentIn = (yaml: string) => parseManifests(yaml, 'output').find(({ kind }) => kind === 'Deployment');

test('one file of values serves the command and Helm', async () => {
  const { stdout } = await trunnion(['install', '--print', '--values', file]);
  const helms = await helm('template', 'trunnion', chart(), '--namespace', OPERATOR_NAMESPACE, '--values', file);
  expect(deploymentIn(stdout)).toEqual(deploymentIn(helms));
  expect(deploymentIn(stdout)).toMatchObject({ spec: { replicas: 3 } });
});

test('the command installs by it, and says of each object that it was applied', async () => {
  const reported = await trunnion(['install', '--values', file, '--kubeconfig', cluster().kubeconfig]);
  expect(reported).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('applied Deployment trunnion-operator\n'),
  });
  const deployment = await admin.get(TYPES.deployment, { namespace: OPERATOR_NAMESPACE, name: 'trunnion-operator' });
  expect(deployment['spec']).toMatchObject({ replicas: 3 });
  await trunnion(['uninstall', '--kubeconfig', cluster().kubeconfig]);
});

test('the samples are a resource of each kind that the API server takes', async () => {
  const namespace = await testNamespace(admin);
  await trunnion(['install', '--no-operator', '--kubeconfig', cluster().kubeconfig]);
  const reported = await kubectl('apply', '-n', namespace, '-k', join(inject('install').dist, 'kustomize/samples'));
  for (const { type } of kinds) expect(reported).toContain(`${type.kind.toLowerCase()}.trunnion.dev/`);
});
