import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { operatorOf } from '../../../cli/version/observe.ts';
import { packageVersion } from '../../../cli/package.ts';
import { trunnion } from '../../support/trunnion.ts';
import { ForwardingCluster } from './support/forwarding-cluster.ts';
import { live } from './support/objects.ts';

const DEPLOYMENT = '/apis/apps/v1/namespaces/trunnion-system/deployments/trunnion-operator';
const deploymentOf = (image: string) =>
  live('apps/v1', 'Deployment', 'trunnion-operator', {
    metadata: { namespace: 'trunnion-system' },
    spec: { replicas: 2, template: { spec: { containers: [{ name: 'operator', image }] } } },
    status: { readyReplicas: 1 },
  });

const discovery = {
  '/version': { gitVersion: 'v1.36.3' },
  '/apis': {
    groups: [
      { name: 'apps', versions: [{ groupVersion: 'apps/v1' }] },
      { name: 'trunnion.dev', versions: [{ groupVersion: 'trunnion.dev/v1alpha1' }] },
    ],
  },
  '/apis/trunnion.dev/v1alpha1': {
    resources: [
      { name: 'modelservings', kind: 'ModelServing' },
      { name: 'modelservings/status', kind: 'ModelServing' },
      { name: 'agentservices', kind: 'AgentService' },
    ],
  },
};

async function versionOf(objects: Readonly<Record<string, object | number>>, ...args: readonly string[]) {
  const { kubeconfig } = await ForwardingCluster.start({ objects: { ...discovery, ...objects } });
  return trunnion(['version', '--kubeconfig', kubeconfig, ...args]);
}

test('the versions of all that belongs together are printed, a line each', async () => {
  const image = 'registry.example.com:5000/trunnion-operator:0.2.0';
  expect(await versionOf({ [DEPLOYMENT]: deploymentOf(image) })).toEqual({
    code: 0,
    stdout: [
      `Client:     ${packageVersion()}`,
      `Operator:   0.2.0, ${image} in trunnion-system, 1 of 2 pods ready`,
      'CRDs:       trunnion.dev/v1alpha1 (AgentService, ModelServing)',
      'Kubernetes: v1.36.3',
      '',
    ].join('\n'),
    stderr: '',
  });
});

test('what may not be looked at, and what is not there, is named', async () => {
  expect((await versionOf({ [DEPLOYMENT]: 403 })).stdout).toContain(`Operator:   unknown: ${DEPLOYMENT} is forbidden`);
  const { stdout } = await versionOf({ '/apis': { groups: [] } });
  expect(stdout).toContain(
    'Operator:   none: trunnion-system has no Deployment trunnion-operator; --operator-namespace',
  );
  expect(stdout).toContain('CRDs:       none; trunnion install puts them there\n');
});

test('programs read it as JSON', async () => {
  const { stdout } = await versionOf({ [DEPLOYMENT]: deploymentOf('a/b@sha256:0') }, '-o', 'json');
  expect(JSON.parse(stdout)).toEqual({
    client: packageVersion(),
    cluster: {
      known: true,
      value: {
        kubernetes: 'v1.36.3',
        crds: [{ groupVersion: 'trunnion.dev/v1alpha1', kinds: ['AgentService', 'ModelServing'] }],
        operator: {
          known: true,
          value: { namespace: 'trunnion-system', image: 'a/b@sha256:0', ready: 1, replicas: 2 },
        },
      },
    },
  });
});

test.each([
  ['example.com:5000/operator:0.2.0@sha256:0', '0.2.0'],
  ['example.com:5000/operator', undefined],
  ['operator:latest', undefined],
])('the image %s is of the version %s', (image, version) => {
  expect(operatorOf(deploymentOf(image)).version).toBe(version);
});

test('without a cluster the version of the client is printed, and why there is no more', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'trunnion-version-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const { code, stdout, stderr } = await trunnion(['version', '--kubeconfig', join(folder, 'none')]);
  expect({ code, stdout }).toEqual({ code: 0, stdout: `Client:     ${packageVersion()}\n` });
  expect(stderr).toMatch(/^The cluster was not asked: .*none/);
  expect(await trunnion(['version', '--client', '--kubeconfig', join(folder, 'none')])).toMatchObject({ stderr: '' });
});
