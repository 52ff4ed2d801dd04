import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ModelServingSpecInput } from '../../constructs/index.ts';
import type { KubeClient } from '../../operator/kube/client/client.ts';
import { TYPES } from '../../operator/kube/client/resource-types.ts';
import { ServingUnderTest } from '../cluster/support/serving.ts';
import { debianImage, LIGHT_WITH_PYTHON } from './images/debian.ts';
import { archive, sha256Of, weights, WEIGHTS_BYTES } from './sources/content.ts';
import { PORTS } from './sources/ports.ts';
import { killFetch, volumeOf } from './support/fetches.ts';
import { lightModel, restrictedNamespace } from './support/model.ts';
import { installOperator, loadOperatorImage } from './support/operator.ts';
import { type Asked, type Sources, startSources } from './support/sources.ts';
import { type Moment, storyOf } from './support/story.ts';
import { startTestbed, type Testbed } from './support/testbed.ts';

// pvc:// is in serving.test.ts, and s3:// in test/real-long. oci:// needs image volumes, which containerd 1.6 of Debian does not have.

const NAMESPACE = 'models';
const PATIENCE = 180_000;
/** A third of the weights: who is killed then is in the middle. */
const SOME = WEIGHTS_BYTES / 3;
const WEIGHTS_FILE = 'model.safetensors';

let testbed: Testbed;
let client: KubeClient;
let sources: Sources;

beforeAll(async () => {
  testbed = await startTestbed();
  client = testbed.client;
  await testbed.cluster.loadImage(await debianImage(LIGHT_WITH_PYTHON));
  await loadOperatorImage(testbed);
  await installOperator(testbed);
  await restrictedNamespace(client, NAMESPACE);
  sources = await startSources(testbed.cluster, client, NAMESPACE);
  await client.create(TYPES.configMap, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'ca', namespace: NAMESPACE },
    data: { 'ca.crt': sources.certificate },
  });
});
afterAll(() => testbed.stop());

const modelNamed = (name: string): ServingUnderTest => new ServingUnderTest(client, NAMESPACE, name);

/** From a Hub, by a Job of its own. */
const fromHub = (port: number): ModelServingSpecInput => ({
  ...lightModel,
  model: { uri: 'hf://acme/tiny' },
  storage: { size: '1Gi', accessMode: 'ReadWriteMany' },
  env: [{ name: 'HF_ENDPOINT', value: `http://${sources.host}:${port}` }],
});

/** From a web server, by the pod of the server. */
const fromWeb = (sha256: string): ModelServingSpecInput => ({
  ...lightModel,
  model: { uri: `https://${sources.host}:${PORTS.web}/tiny.tar#sha256=${sha256}` },
  storage: { size: '1Gi', accessMode: 'ReadWriteOnce' },
});

/** The certificate of a private authority, as a server is given one. */
const trusting = (spec: ModelServingSpecInput): ModelServingSpecInput => ({
  ...spec,
  env: [{ name: 'SSL_CERT_FILE', value: '/etc/ca/ca.crt' }],
  podTemplate: {
    spec: {
      containers: [{ name: 'server', volumeMounts: [{ name: 'ca', mountPath: '/etc/ca' }] }],
      volumes: [{ name: 'ca', configMap: { name: 'ca' } }],
    },
  },
});

/** What was there is not sent again: the second answer begins where the first one ended. */
function expectResumed(asked: readonly Asked[], kept: number, total: number): void {
  const sent = asked.reduce((sum, each) => sum + each.sent, 0);
  console.log(JSON.stringify({ kept, total, sent, asked }));
  const [first, second, ...more] = asked.filter(({ range }) => range !== 'bytes=0-0');
  expect(more).toEqual([]);
  expect(first?.range).toBe('');
  expect(second?.range).toBe(`bytes=${kept}-`);
  expect(second?.sent).toBe(total - kept);
}

/** A fetch that is killed continues: it is no failure of the model, and no words are made up for it. */
function expectDownloading(story: readonly Moment[]): void {
  expect(story.map(({ phase }) => phase)).not.toContain('Failed');
  const killed = story.find(({ message }) => message.includes('137'));
  expect(killed).toMatchObject({ phase: 'Downloading', reason: 'FetchingWeights' });
  expect(killed?.message).toMatch(
    /failed with exit code 137 \(SIGKILL\)\. It is being tried again; what arrived is kept\.$/,
  );
}

/** The condition that tells about the weights of a model. */
async function refused(name: string, words: RegExp): Promise<void> {
  const model = modelNamed(name);
  const seen = await model.reaches('Failed', PATIENCE);
  const said = seen.status?.conditions?.find(({ type }) => type === 'WeightsReady');
  console.log(JSON.stringify({ refused: name, ...said }));
  expect(said).toMatchObject({ status: 'False', reason: 'DownloadFailed' });
  expect(said?.message).toMatch(words);
  expect((await volumeOf(testbed, NAMESPACE, name)).isComplete).toBe(false);
  await model.delete();
}

test('a model of a Hub is served, verified, though its fetch is killed in the middle, and nothing is fetched twice', async () => {
  const model = modelNamed('hub');
  let kept = 0;
  const story = await storyOf(
    'hf',
    model,
    async () => {
      kept = await killFetch(testbed, NAMESPACE, 'hub', { file: WEIGHTS_FILE, bytes: SOME });
      await model.reaches('Running', PATIENCE);
    },
    () => model.apply(fromHub(PORTS.hub)),
  );
  expectDownloading(story);
  const asked = await sources.asked('hub');
  expectResumed(
    asked.filter(({ url }) => url.endsWith(WEIGHTS_FILE)),
    kept,
    WEIGHTS_BYTES,
  );
  expect((await volumeOf(testbed, NAMESPACE, 'hub')).sha256(WEIGHTS_FILE)).toBe(sha256Of(weights()));
});

test('a model of a web server that a private authority vouches for is served, though its fetch is killed, and nothing is fetched twice', async () => {
  const model = modelNamed('web');
  let kept = 0;
  const whole = archive();
  const story = await storyOf(
    'https',
    model,
    async () => {
      kept = await killFetch(testbed, NAMESPACE, 'web', { file: 'tiny.tar', bytes: SOME });
      await model.reaches('Running', PATIENCE);
    },
    () => model.apply(trusting(fromWeb(sha256Of(whole)))),
  );
  expectDownloading(story);
  expectResumed(await sources.asked('web'), kept, whole.length);
  expect((await volumeOf(testbed, NAMESPACE, 'web')).sha256(WEIGHTS_FILE)).toBe(sha256Of(weights()));
});

test('what is damaged, and who is not trusted, is refused with words that tell why, and never served', async () => {
  await modelNamed('hub-damaged').apply(fromHub(PORTS.damagedHub));
  await modelNamed('web-damaged').apply(trusting(fromWeb('0'.repeat(64))));
  await modelNamed('web-untrusted').apply(fromWeb(sha256Of(archive())));
  await refused('web-untrusted', /the certificate of .* is not trusted \(.*\): /);
  await refused('hub-damaged', /model\.safetensors is damaged at its source \(.*, twice\)/);
  await refused('web-damaged', /tiny\.tar is damaged at its source \(.*, twice\)/);
});
