import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ENGINE_TABLE } from '../../constructs/model-serving/engine.table.ts';
import type { KubeClient } from '../../operator/kube/client/client.ts';
import { TYPES } from '../../operator/kube/client/resource-types.ts';
import { eventually } from '../cluster/support/eventually.ts';
import { ServingUnderTest } from '../cluster/support/serving.ts';
import { pythonImage } from '../real/images/python.ts';
import { VLLM } from '../real/images/vllm.ts';
import { startKeda } from '../real/support/keda.ts';
import { startLoad } from '../real/support/load.ts';
import { restrictedNamespace } from '../real/support/model.ts';
import { installOperator, loadOperatorImage } from '../real/support/operator.ts';
import { killContainer } from '../real/support/processes.ts';
import { NodePrometheus } from '../real/support/prometheus.ts';
import { firstTokenBeside, scaled, serversOf, shortenLulls } from '../real/support/scaling.ts';
import { storyOf } from '../real/support/story.ts';
import { startTestbed, type Testbed } from '../real/support/testbed.ts';
import { DRAFTED, LINES, placesByVllm, placesWanted, VLLM_SPLITS, type Read } from './support/flags.ts';
import { askPod, claimWeights, continuationOf, phasesOf, runPython, serverPods, vllmSpec } from './support/vllm.ts';

const NAMESPACE = 'models';
const HOST = `tiny.${NAMESPACE}.svc.cluster.local:8000`;
/** vLLM starts within a minute on an idle machine. */
const START = 300_000;

let testbed: Testbed;
let client: KubeClient;
let model: ServingUnderTest;

const say = (what: object): void => console.log(JSON.stringify(what));

async function seconds<T>(doing: Promise<T>): Promise<number> {
  const start = performance.now();
  await doing;
  return Math.round((performance.now() - start) / 100) / 10;
}

let read: Promise<Read> | undefined;
/** What vLLM makes of all command lines, asked once. */
const readByVllm = (): Promise<Read> =>
  (read ??= runPython(client, NAMESPACE, 'flags.py', [JSON.stringify(LINES)]).then(
    (log) => JSON.parse(log.trimEnd().split('\n').at(-1) ?? '') as Read,
  ));

const pods = () => serverPods(client, NAMESPACE, 'tiny');
const theOnly = async () => {
  const [pod, ...others] = await pods();
  expect(others).toEqual([]);
  return pod as NonNullable<typeof pod>;
};

beforeAll(async () => {
  const image = await pythonImage(VLLM);
  testbed = await startTestbed();
  client = testbed.client;
  model = new ServingUnderTest(client, NAMESPACE, 'tiny');
  say({ secondsToLoadImage: await seconds(testbed.cluster.loadImage(image)) });
  await loadOperatorImage(testbed);
  await installOperator(testbed);
  await restrictedNamespace(client, NAMESPACE);
  await claimWeights(client, NAMESPACE);
});
afterAll(() => testbed.stop());

test('vLLM knows every flag that can be rendered, and every method of speculative decoding', async () => {
  const { lines, methods } = await readByVllm();
  for (const line of lines.slice(0, DRAFTED.length)) expect(line).toMatchObject({ host: '::', port: 8000 });
  expect(methods).toEqual(expect.arrayContaining(DRAFTED.map(({ method }) => method)));
});

test('vLLM takes each split that is accepted, and gives each rank to one pod', async () => {
  const { lines } = await readByVllm();
  expect(placesByVllm(VLLM_SPLITS, lines.slice(DRAFTED.length))).toEqual(placesWanted(VLLM_SPLITS));
});

test('vLLM serves a model on CPUs, under the level `restricted` of Pod Security, to those who ask its Service', async () => {
  await runPython(client, NAMESPACE, 'random-model.py', ['/weights/first', '/weights/second']);
  const running = await seconds(model.apply(vllmSpec).then(() => model.reaches('Running', START)));
  const pod = await theOnly();
  const alone = await (await startLoad(client, load('alone', { workers: 1, tokens: 40, seconds: 5 })))();
  const four = await (await startLoad(client, load('four', { workers: 4, tokens: 40, seconds: 10 })))();
  say({ coldStart: phasesOf(pod), running, alone, four, tokensPerSecond: four.tokens / four.seconds });
  for (const report of [alone, four]) expect(report).toMatchObject({ failed: 0, failures: {} });
  expect(JSON.parse(await askPod(client, pod.metadata, '/v1/models'))).toMatchObject({
    data: [{ id: 'tiny', max_model_len: 32_768 }],
  });
});

test('vLLM publishes each metric by which a model is scaled and drained, with the name of the model', async () => {
  const lines = (await askPod(client, (await theOnly()).metadata, ENGINE_TABLE.vllm.metrics?.path ?? '')).split('\n');
  const { timeToFirstToken, interTokenLatency, generatedTokens, ...gauges } = ENGINE_TABLE.vllm.metrics?.names ?? {};
  expect(lines).toContain(`# TYPE ${generatedTokens} counter`);
  for (const name of Object.values(gauges)) {
    expect(lines).toContain(`# TYPE ${name} gauge`);
    expect(lines.filter((line) => line.startsWith(`${name}{`) && line.includes('model_name="tiny"'))).toHaveLength(1);
  }
  for (const name of [timeToFirstToken, interTokenLatency]) {
    expect(lines).toContain(`# TYPE ${name} histogram`);
    const buckets = lines.filter((line) => line.startsWith(`${name}_bucket{`) && line.includes('model_name="tiny"'));
    expect(buckets.at(-1)).toContain('le="+Inf"');
    expect(Number(buckets.at(-1)?.split(' ').at(-1))).toBeGreaterThan(0);
  }
});

test('a stream in flight outlives the deletion of its pod', async () => {
  const pod = await theOnly();
  const ended = await startLoad(client, load('long', { workers: 1, tokens: 15_000, seconds: 1, timeout: 240 }));
  await eventually(async () => {
    const text = await askPod(client, pod.metadata, '/metrics');
    expect(text).toMatch(/^vllm:num_requests_running\{[^}]*\} 1\.0$/m);
  });
  const deletedAt = performance.now();
  await client.delete(TYPES.pod, pod.metadata);
  const report = await ended();
  const outlived = (performance.now() - deletedAt) / 1_000;
  say({ longStream: report, secondsAfterDeletion: outlived });
  expect(report).toMatchObject({ requests: 1, failed: 0, tokens: 15_000 });
  expect(outlived).toBeGreaterThan(5);
  await model.reaches('Running', START);
});

test('no request fails while another model takes the place of the first', async () => {
  const ended = await startLoad(client, load('change', { tokens: 10 }));
  const before = await theOnly();
  const first = await continuationOf(client, before.metadata, 'Everyone is permitted to');
  const taken = await seconds(
    model
      .apply({ ...vllmSpec, model: { uri: 'pvc://weights/second' } })
      .then(() => model.reaches('Running', START))
      .then(() => eventually(async () => expect((await pods()).length).toBe(1), { timeout: START })),
  );
  await sleep(2_000);
  await stopLoad('change');
  const report = await ended();
  say({ changeOfModel: report, seconds: taken });
  const after = await theOnly();
  expect(after.metadata.name).not.toBe(before.metadata.name);
  const second = await continuationOf(client, after.metadata, 'Everyone is permitted to');
  expect(second).not.toBe(first);
  expect(report).toMatchObject({ failed: 0, failures: {} });
  expect(report.requests).toBeGreaterThan(100);
});

test('a server that is killed is started again, and the status says so until it serves', async () => {
  const pod = await theOnly();
  const moments = await storyOf('a killed vLLM', model, async () => {
    await killContainer(client, pod.metadata, 'server');
    await model.shows(({ status }) => expect(status?.readyReplicas ?? 0).toBe(0));
    await model.reaches('Running', START);
  });
  const again = await theOnly();
  expect(again.metadata.name).toBe(pod.metadata.name);
  expect(again.status?.containerStatuses?.[0]?.restartCount).toBe(1);
  expect(moments.map(({ phase, reason }) => `${phase}: ${reason}`)).toEqual([
    'Running: Complete',
    'Deploying: Restarting',
    'Running: Complete',
  ]);
});

test('an autoscaler adds a server while the first token takes too long, and takes it back after', async () => {
  const prometheus = await NodePrometheus.start(testbed);
  await startKeda(testbed);
  await shortenLulls(client);
  const { replicas: _, ...spec } = vllmSpec;
  const autoscaling = {
    minReplicas: 1,
    maxReplicas: 2,
    targets: { ttftMilliseconds: 1_000 },
    prometheus: { serverAddress: prometheus.url },
  };
  await model.apply({ ...spec, model: { uri: 'pvc://weights/second' }, autoscaling });
  await model.hasCondition('ScalingActive', 'True', 'ScaledObjectReady');
  const known = await serversOf(client, NAMESPACE, 'tiny');
  const began = performance.now();
  await startLoad(client, load('burst', { workers: 16, tokens: 400 }));
  await firstTokenBeside(testbed, NAMESPACE, 'tiny', known);
  say({ secondsFromBurstToFirstTokenOfNewServer: Math.round((performance.now() - began) / 1_000) });
  const servers = (replicas: number) => {
    const asked = { replicas, readyReplicas: replicas };
    return scaled(
      client,
      NAMESPACE,
      model.shows(({ status }) => expect(status).toMatchObject(asked), START),
    );
  };
  await servers(2);
  await client.delete(TYPES.job, { namespace: NAMESPACE, name: 'burst' }, { propagationPolicy: 'Background' });
  await servers(1);
}, 900_000);

/** A load on the model, from a pod. */
function load(name: string, options: { workers?: number; tokens: number; seconds?: number; timeout?: number }) {
  return { name, namespace: NAMESPACE, host: HOST, ...options };
}

/** Tells a load that has no end of its own to report. */
async function stopLoad(name: string): Promise<void> {
  const { items } = await client.list(TYPES.pod, { namespace: NAMESPACE, labelSelector: `job-name=${name}` });
  const [pod] = items;
  if (pod === undefined) throw new Error(`the load ${name} has no pod`);
  await killContainer(client, pod.metadata, 'load', 'SIGTERM');
}
