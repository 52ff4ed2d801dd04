import { once } from 'node:events';
import { readdirSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { UPLINK } from '../../cluster/real-node/layout.ts';
import type { KubeClient } from '../../operator/kube/client/client.ts';
import { TYPES } from '../../operator/kube/client/resource-types.ts';
import { LIGHT } from './images/programs.ts';
import type { Report } from './load/report.ts';
import { startLoad } from './support/load.ts';
import { addressOfMachine } from './support/outside.ts';
import { available, logOfJob, RESTRICTED_CONTAINER, RESTRICTED_POD } from './support/pods.ts';
import { startTestbed, type Testbed } from './support/testbed.ts';

const NAMESPACE = 'default';
const labels = { app: 'tiny' };

let testbed: Testbed;
let client: KubeClient;
let volumes: string;

beforeAll(async () => {
  testbed = await startTestbed();
  client = testbed.client;
  volumes = join(testbed.dir, 'node/volumes');
});
afterAll(() => testbed.stop());

/** A model's server, as the constructs render it where it matters here: a user of its own, a read-only root, a volume. */
async function serve(replicas: number): Promise<void> {
  await client.create(TYPES.configMap, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'model', namespace: NAMESPACE },
    data: { 'config.json': '{}' },
  });
  await client.create(TYPES.persistentVolumeClaim, {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'scratch', namespace: NAMESPACE },
    spec: { accessModes: ['ReadWriteMany'], resources: { requests: { storage: '1Gi' } } },
  });
  const server = {
    name: 'server',
    image: LIGHT.name,
    command: ['vllm', 'serve', '/model', '--served-model-name=tiny', '--port=8000'],
    readinessProbe: { httpGet: { path: '/health', port: 8000 }, periodSeconds: 1 },
    securityContext: RESTRICTED_CONTAINER,
    volumeMounts: [
      { name: 'model', mountPath: '/model' },
      { name: 'scratch', mountPath: '/scratch' },
    ],
  };
  const pod = {
    securityContext: RESTRICTED_POD,
    containers: [server],
    volumes: [
      { name: 'model', configMap: { name: 'model' } },
      { name: 'scratch', persistentVolumeClaim: { claimName: 'scratch' } },
    ],
  };
  await client.create(TYPES.deployment, {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'tiny', namespace: NAMESPACE },
    spec: { replicas, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: pod } },
  });
  await client.create(TYPES.service, {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'tiny', namespace: NAMESPACE },
    spec: { selector: labels, ports: [{ port: 8000 }] },
  });
  await available(client, NAMESPACE, 'tiny', replicas);
}

/** What a pod sees that asks the Service by its name, for some seconds. */
async function ask(name: string, podLabels: Readonly<Record<string, string>> = {}): Promise<Report> {
  const host = 'tiny.default.svc.cluster.local:8000';
  const ended = await startLoad(client, {
    name,
    namespace: NAMESPACE,
    host,
    labels: podLabels,
    timeout: 2,
    seconds: 3,
  });
  return ended();
}

test('pods with a user of their own answer behind the name of a Service, and their volume has their group', async () => {
  await serve(2);
  // The rules of a Service come a moment after its pods are ready: what comes before is refused.
  await ask('first');
  const report = await ask('before');
  expect(report.failures).toEqual({});
  expect(report.requests).toBeGreaterThan(10);

  const [volume = ''] = readdirSync(volumes);
  const { gid, mode } = statSync(join(volumes, volume));
  expect({ gid, isOpenToGroup: (mode & 0o070) === 0o070 }).toEqual({ gid: 1000, isOpenToGroup: true });
});

test('a NetworkPolicy lets in those that it names, and nobody else', async () => {
  await client.create(TYPES.networkPolicy, {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: 'closed', namespace: NAMESPACE },
    spec: {
      podSelector: { matchLabels: labels },
      policyTypes: ['Ingress'],
      ingress: [{ from: [{ podSelector: { matchLabels: { may: 'ask' } } }] }],
    },
  });
  const [stranger, friend] = [await ask('stranger'), await ask('friend', { may: 'ask' })];
  expect(stranger.failed).toBe(stranger.requests);
  expect(stranger.requests).toBeGreaterThan(0);
  // Those of the first moments may come before the policy knows the new pod.
  expect(friend.requests - friend.failed).toBeGreaterThan(10);
});

test('a pod reaches what this machine reaches, but not what listens on its loopback alone', async () => {
  const server = createServer((_, response) => response.end('reached'));
  server.listen(0);
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const gateway = UPLINK.range.replace(/0\/24$/, '2');
  const script = `for (const host of ['${addressOfMachine()}', '${gateway}'])
    console.log(await fetch('http://' + host + ':${port}', { signal: AbortSignal.timeout(5000) }).then((all) => all.text(), () => 'refused'))`;
  const container = { name: 'main', image: LIGHT.name, command: ['node', '--input-type=module', '-e', script] };
  await client.create(TYPES.job, {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'outside', namespace: NAMESPACE },
    spec: { template: { spec: { restartPolicy: 'Never', containers: [container] } } },
  });
  expect(await logOfJob(client, NAMESPACE, 'outside')).toBe('reached\nrefused\n');
});

test('a volume goes with its claim', async () => {
  await client.delete(TYPES.deployment, { namespace: NAMESPACE, name: 'tiny' });
  await client.delete(TYPES.persistentVolumeClaim, { namespace: NAMESPACE, name: 'scratch' });
  await expect.poll(() => readdirSync(volumes), { timeout: 60_000 }).toEqual([]);
});
