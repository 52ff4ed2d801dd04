import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ModelServingSpecInput } from '../../constructs/index.ts';
import type { KubeClient } from '../../operator/kube/client/client.ts';
import { TYPES } from '../../operator/kube/client/resource-types.ts';
import { ServingUnderTest } from '../cluster/support/serving.ts';
import { OPERATOR } from '../../scripts/image/config.ts';
import { writeOperatorImage } from '../../scripts/image/operator.ts';
import { trunnion } from '../support/trunnion.ts';
import { debianImage, LIGHT_WITH_PYTHON } from './images/debian.ts';
import { LIGHT } from './images/programs.ts';
import { startLoad } from './support/load.ts';
import { available, logOfJob, RESTRICTED_CONTAINER, RESTRICTED_POD } from './support/pods.ts';
import { startTestbed, type Testbed } from './support/testbed.ts';

const NAMESPACE = 'models';
const RESTRICTED = { 'pod-security.kubernetes.io/enforce': 'restricted' };

const spec = {
  model: { uri: 'pvc://weights/tiny' },
  engine: { type: 'vllm', image: LIGHT_WITH_PYTHON.name },
  resources: { gpu: 0, cpu: '100m', memory: '256Mi' },
  drain: { timeoutSeconds: 30 },
  replicas: 1,
} satisfies ModelServingSpecInput;

let testbed: Testbed;
let client: KubeClient;
let model: ServingUnderTest;

beforeAll(async () => {
  testbed = await startTestbed();
  client = testbed.client;
  const image = join(testbed.dir, 'operator.tar');
  await writeOperatorImage(image, { ...OPERATOR, compressed: false });
  await testbed.cluster.loadImage(image);
  await testbed.cluster.loadImage(await debianImage(LIGHT_WITH_PYTHON));
  model = new ServingUnderTest(client, NAMESPACE, 'tiny');
});
afterAll(() => testbed.stop());

/** A volume that somebody has filled with a model. */
async function fillVolume(): Promise<void> {
  await client.create(TYPES.namespace, {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: NAMESPACE, labels: RESTRICTED },
  });
  await client.create(TYPES.persistentVolumeClaim, {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'weights', namespace: NAMESPACE },
    spec: { accessModes: ['ReadWriteMany'], resources: { requests: { storage: '1Gi' } } },
  });
  const script = "fs.mkdirSync('/weights/tiny'); fs.writeFileSync('/weights/tiny/config.json', '{}')";
  const filler = {
    name: 'fill',
    image: LIGHT.name,
    command: ['node', '-e', script],
    securityContext: RESTRICTED_CONTAINER,
    volumeMounts: [{ name: 'weights', mountPath: '/weights' }],
  };
  const volumes = [{ name: 'weights', persistentVolumeClaim: { claimName: 'weights' } }];
  const spec = { restartPolicy: 'Never', securityContext: RESTRICTED_POD, containers: [filler], volumes };
  await client.create(TYPES.job, {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'fill', namespace: NAMESPACE },
    spec: { template: { spec } },
  });
  expect(await logOfJob(client, NAMESPACE, 'fill')).toBe('');
}

test('the operator runs from its own image, with two replicas, by what `trunnion install` installs', async () => {
  const { code, stderr } = await trunnion(['install', '--kubeconfig', testbed.cluster.kubeconfig]);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  await available(client, 'trunnion-system', 'trunnion-operator', 2);
});

test('a ModelServing serves the model of a volume, under the level `restricted` of Pod Security', async () => {
  await fillVolume();
  await model.apply(spec);
  await model.reaches('Running', 120_000);
});

test('no request fails while arguments change, replicas come, and replicas go', async () => {
  const host = `tiny.${NAMESPACE}.svc.cluster.local:8000`;
  const ended = await startLoad(client, { name: 'load', namespace: NAMESPACE, host, seconds: 75 });
  const serves = (replicas: number) =>
    model.shows(({ status }) => expect(status).toMatchObject({ phase: 'Running', readyReplicas: replicas }));

  const engine = { ...spec.engine, args: ['--max-model-len=1024'] };
  await model.apply({ ...spec, engine });
  await serves(1);
  await model.apply({ ...spec, engine, replicas: 2 });
  await serves(2);
  await model.apply({ ...spec, engine });
  await serves(1);

  const report = await ended();
  console.log(JSON.stringify(report));
  expect(report).toMatchObject({ failed: 0, failures: {} });
  expect(report.requests).toBeGreaterThan(100);
});
