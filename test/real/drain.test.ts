import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ModelServingSpecInput } from '../../constructs/index.ts';
import type { KubeClient } from '../../operator/kube/client/client.ts';
import { TYPES } from '../../operator/kube/client/resource-types.ts';
import { eventually } from '../cluster/support/eventually.ts';
import { ServingUnderTest } from '../cluster/support/serving.ts';
import { debianImage, LIGHT_WITH_PYTHON } from './images/debian.ts';
import type { Report } from './load/report.ts';
import { requestsIn, type ServerPod, serversOf } from './support/engines.ts';
import { startLoad } from './support/load.ts';
import { fillVolume, lightModel, restrictedNamespace } from './support/model.ts';
import { installOperator, loadOperatorImage } from './support/operator.ts';
import { startTestbed, type Testbed } from './support/testbed.ts';

const NAMESPACE = 'models';
const PATIENCE = { timeout: 120_000 };

/** An answer of 300 tokens takes 15 s. */
const TOKENS = 300;
const served: ModelServingSpecInput = {
  ...lightModel,
  drain: { timeoutSeconds: 120 },
  engine: { ...lightModel.engine, env: [{ name: 'LIGHT_TOKENS_PER_SECOND', value: '20' }] },
};

let testbed: Testbed;
let client: KubeClient;
let model: ServingUnderTest;

beforeAll(async () => {
  testbed = await startTestbed();
  client = testbed.client;
  await testbed.cluster.loadImage(await debianImage(LIGHT_WITH_PYTHON));
  await loadOperatorImage(testbed);
  await installOperator(testbed);
  await restrictedNamespace(client, NAMESPACE);
  await fillVolume(client, NAMESPACE);
  model = new ServingUnderTest(client, NAMESPACE, 'tiny');
  await model.apply(served);
  await serves(1);
});
afterAll(() => testbed.stop());

const serves = (replicas: number) =>
  model.shows(
    ({ status }) => expect(status).toMatchObject({ phase: 'Running', readyReplicas: replicas, replicas }),
    PATIENCE.timeout,
  );

/** Waits until a pod is gone, and tells when that was. */
const gone = ({ metadata }: ServerPod): Promise<number> =>
  eventually(async () => {
    const pod = await client.find(TYPES.pod, metadata);
    if (pod?.metadata.uid === metadata.uid) throw new Error(`${metadata.name} is still there`);
    return performance.now();
  }, PATIENCE);

/** What came of long streams during which their servers were told to go. */
interface Drained {
  readonly report: Report;
  readonly streams: number;
  /** From the word to go until the last stream was complete, and then until the last pod was gone. */
  readonly streamedSeconds: number;
  readonly goneAfterSeconds: number;
}

/**
 * Starts long streams, has their servers leave while each has one in flight, and waits until they are gone.
 *
 * @param leave - tells the pods to go
 * @param leaving - how many of the pods go
 */
async function drain(name: string, streams: number, leave: (pod: ServerPod) => Promise<void>): Promise<Drained> {
  const host = `tiny.${NAMESPACE}.svc.cluster.local:8000`;
  // Each worker asks once, since its first answer outlasts the second.
  const load = { name, namespace: NAMESPACE, host, seconds: 1, workers: streams, tokens: TOKENS, timeout: 120 };
  const ended = await startLoad(client, load);
  const pods = await serversOf(client, NAMESPACE, 'tiny');
  await eventually(async () => {
    for (const pod of pods) expect(await requestsIn(client, pod)).toBeGreaterThan(0);
  }, PATIENCE);
  const start = performance.now();
  const [first] = pods;
  if (first === undefined) throw new Error('there is no pod');
  await leave(first);
  const going = await eventually(async () => {
    const names = new Set((await serversOf(client, NAMESPACE, 'tiny')).map(({ metadata }) => metadata.name));
    const found = pods.find(({ metadata }) => !names.has(metadata.name));
    if (found === undefined) throw new Error('no pod goes');
    return found;
  }, PATIENCE);
  const wentBy = gone(going);
  const report = await ended();
  const streamed = performance.now();
  const drained = {
    report,
    streams,
    streamedSeconds: seconds(streamed - start),
    goneAfterSeconds: seconds((await wentBy) - streamed),
  };
  console.log(JSON.stringify({ drain: name, ...drained }));
  return drained;
}

const seconds = (ms: number): number => Math.round(ms / 100) / 10;

/** All streams came to their end, the pod's as well, which then went soon. */
function expectComplete({ report, streams, streamedSeconds, goneAfterSeconds }: Drained): void {
  expect(report).toMatchObject({ requests: streams, failed: 0, failures: {}, tokens: streams * TOKENS });
  // It was still in flight for long after the word to go, and after the seconds in which a pod leaves its Service.
  expect(streamedSeconds).toBeGreaterThan(8);
  expect(goneAfterSeconds).toBeLessThan(10);
}

test('a streamed answer outlives the deletion of its pod, and is complete', async () => {
  expectComplete(await drain('deletion', 1, async ({ metadata }) => void (await client.delete(TYPES.pod, metadata))));
  await serves(1);
});

test('streamed answers outlive a change of the model', async () => {
  expectComplete(await drain('model', 1, () => model.apply({ ...served, model: { uri: 'pvc://weights/other' } })));
  await serves(1);
});

test('streamed answers outlive a scale-down', async () => {
  await model.apply({ ...served, replicas: 2 });
  await serves(2);
  // Each pod has some of so many.
  expectComplete(await drain('scale-down', 12, () => model.apply(served)));
  await serves(1);
});

test('a pod without requests ends within 10 s', async () => {
  const [pod] = await serversOf(client, NAMESPACE, 'tiny');
  if (pod === undefined) throw new Error('there is no pod');
  const start = performance.now();
  await client.delete(TYPES.pod, pod.metadata);
  const idle = seconds((await gone(pod)) - start);
  console.log(JSON.stringify({ drain: 'idle', goneAfterSeconds: idle }));
  // 5 s in which proxies learn of it, and two looks, a second apart, that find nothing in flight.
  expect(idle).toBeGreaterThan(5);
  expect(idle).toBeLessThan(10);
});
