import { afterAll, beforeAll, expect, test } from 'vitest';
import type { KubeClient } from '../../operator/kube/client/client.ts';
import { ServingUnderTest } from '../cluster/support/serving.ts';
import { debianImage, LIGHT_WITH_PYTHON } from './images/debian.ts';
import { startLoad } from './support/load.ts';
import { fillVolume, lightModel, restrictedNamespace } from './support/model.ts';
import { installOperator, loadOperatorImage } from './support/operator.ts';
import { startTestbed, type Testbed } from './support/testbed.ts';

const NAMESPACE = 'models';

let testbed: Testbed;
let client: KubeClient;
let model: ServingUnderTest;

beforeAll(async () => {
  testbed = await startTestbed();
  client = testbed.client;
  await testbed.cluster.loadImage(await debianImage(LIGHT_WITH_PYTHON));
  model = new ServingUnderTest(client, NAMESPACE, 'tiny');
});
afterAll(() => testbed.stop());

test('the operator runs from its own image, with two replicas, by what `trunnion install` installs', async () => {
  await loadOperatorImage(testbed);
  await installOperator(testbed);
});

test('a ModelServing serves the model of a volume, under the level `restricted` of Pod Security', async () => {
  await restrictedNamespace(client, NAMESPACE);
  await fillVolume(client, NAMESPACE);
  await model.apply(lightModel);
  await model.reaches('Running', 120_000);
});

test('no request fails while arguments change, replicas come, and replicas go', async () => {
  const host = `tiny.${NAMESPACE}.svc.cluster.local:8000`;
  const ended = await startLoad(client, { name: 'load', namespace: NAMESPACE, host, seconds: 75 });
  const serves = (replicas: number) =>
    model.shows(({ status }) => expect(status).toMatchObject({ phase: 'Running', readyReplicas: replicas }));

  const engine = { ...lightModel.engine, args: ['--max-model-len=1024'] };
  await model.apply({ ...lightModel, engine });
  await serves(1);
  await model.apply({ ...lightModel, engine, replicas: 2 });
  await serves(2);
  await model.apply({ ...lightModel, engine });
  await serves(1);

  const report = await ended();
  console.log(JSON.stringify(report));
  expect(report).toMatchObject({ failed: 0, failures: {} });
  expect(report.requests).toBeGreaterThan(100);
});
