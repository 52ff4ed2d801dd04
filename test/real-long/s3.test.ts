import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createHash, randomBytes } from 'node:crypto';
import type { ModelServingSpecInput } from '../../constructs/index.ts';
import type { KubeClient } from '../../operator/kube/client/client.ts';
import { TYPES } from '../../operator/kube/client/resource-types.ts';
import { ServingUnderTest } from '../cluster/support/serving.ts';
import { debianImage, LIGHT_WITH_PYTHON } from '../real/images/debian.ts';
import { killFetch, volumeOf } from '../real/support/fetches.ts';
import { lightModel, restrictedNamespace } from '../real/support/model.ts';
import { installOperator, loadOperatorImage } from '../real/support/operator.ts';
import { storyOf } from '../real/support/story.ts';
import { startTestbed, type Testbed } from '../real/support/testbed.ts';
import { KEYS, type ObjectStore, startObjectStore } from './support/object-store.ts';

const NAMESPACE = 'models';
const PATIENCE = 240_000;
const MIB = 2 ** 20;
/** Three parts of an upload. The fetch, which has a tenth of a processor, takes seconds. */
const BYTES = 96 * MIB;
const FILE = 'model.safetensors';
/** What may be on its way, in buffers of the kernels, when the client is killed. */
const BUFFERS = 16 * MIB;

let testbed: Testbed;
let client: KubeClient;
let store: ObjectStore;
const content = randomBytes(BYTES);

beforeAll(async () => {
  testbed = await startTestbed();
  client = testbed.client;
  await testbed.cluster.loadImage(await debianImage(LIGHT_WITH_PYTHON));
  await loadOperatorImage(testbed);
  await installOperator(testbed);
  await restrictedNamespace(client, NAMESPACE);
  store = await startObjectStore(testbed.dir);
  const folder = join(testbed.dir, 'upload');
  mkdirSync(folder);
  writeFileSync(join(folder, 'config.json'), '{}');
  writeFileSync(join(folder, FILE), content);
  await store.upload('models', folder);
  for (const [name, keys] of [
    ['keys', KEYS],
    ['other-keys', { ...KEYS, AWS_SECRET_ACCESS_KEY: 'of-somebody-else' }],
  ] as const) {
    await client.create(TYPES.secret, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name, namespace: NAMESPACE },
      stringData: keys,
    });
  }
});
afterAll(async () => {
  await store?.stop();
  await testbed.stop();
});

const fromBucket = (secretName: string): ModelServingSpecInput => ({
  ...lightModel,
  model: { uri: 's3://models/tiny/', credentials: { secretName } },
  storage: { size: '1Gi', accessMode: 'ReadWriteMany' },
  env: [{ name: 'AWS_ENDPOINT_URL', value: store.endpoint }],
});

test('a model of a bucket is served, verified, though its fetch is killed, and what was there is not sent again', async () => {
  const model = new ServingUnderTest(client, NAMESPACE, 'bucket');
  let kept = 0;
  await storyOf(
    's3',
    model,
    async () => {
      kept = await killFetch(testbed, NAMESPACE, 'bucket', { file: FILE, bytes: BYTES / 3 });
      await model.reaches('Running', PATIENCE);
    },
    () => model.apply(fromBucket('keys')),
  );
  const sent = await store.sent('models');
  console.log(JSON.stringify({ kept, total: BYTES, sent }));
  expect(kept).toBeGreaterThan(BUFFERS);
  expect(kept).toBeLessThan(BYTES);
  expect(sent).toBeGreaterThanOrEqual(BYTES);
  expect(sent).toBeLessThan(BYTES + BUFFERS);
  const volume = await volumeOf(testbed, NAMESPACE, 'bucket');
  expect(volume.sha256(FILE)).toBe(createHash('sha256').update(content).digest('hex'));
});

test('a bucket that may not be read is said at once', async () => {
  const model = new ServingUnderTest(client, NAMESPACE, 'closed');
  await model.apply(fromBucket('other-keys'));
  const { status } = await model.reaches('Failed', PATIENCE);
  const said = status?.conditions?.find(({ type }) => type === 'WeightsReady');
  console.log(JSON.stringify(said));
  expect(said).toMatchObject({ status: 'False', reason: 'DownloadFailed' });
  expect(said?.message).toMatch(/403/);
});
