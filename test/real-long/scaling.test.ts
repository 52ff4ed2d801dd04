import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ModelServingSpecInput } from '../../constructs/index.ts';
import type { KubeClient } from '../../operator/kube/client/client.ts';
import { TYPES } from '../../operator/kube/client/resource-types.ts';
import { eventually } from '../cluster/support/eventually.ts';
import { ServingUnderTest } from '../cluster/support/serving.ts';
import { debianImage, LIGHT_WITH_PYTHON } from '../real/images/debian.ts';
import { startKeda } from '../real/support/keda.ts';
import { startLoad } from '../real/support/load.ts';
import { startMetricsServer } from '../real/support/metrics-server.ts';
import { fillVolume, lightModel, restrictedNamespace } from '../real/support/model.ts';
import { installOperator, loadOperatorImage } from '../real/support/operator.ts';
import { NodePrometheus } from '../real/support/prometheus.ts';
import { firstTokenBeside, SCALED_OBJECT, serversOf, shortenLulls } from '../real/support/scaling.ts';
import { startTestbed, type Testbed } from '../real/support/testbed.ts';

const NAMESPACE = 'models';
/** Between two looks of an autoscaler. */
const LOOK_SECONDS = 15;
/** A replica is added once a load has lasted a minute. */
const PATIENCE_MS = 200_000;

/** Requests of two seconds, two at a time. */
const SLOW = { LIGHT_TOKENS_PER_SECOND: '20', LIGHT_CONTROL_PATH: '/hidden' };
/** A cache that one request fills at once. */
const SMALL = { LIGHT_TOKENS_PER_SECOND: '20', LIGHT_KV_TOKENS: '20' };
const FAST = { LIGHT_TOKENS_PER_SECOND: '1000' };

type Autoscaling = NonNullable<ModelServingSpecInput['autoscaling']>;

let testbed: Testbed;
let client: KubeClient;
let prometheus: NodePrometheus;
const queue = () => new ServingUnderTest(client, NAMESPACE, 'queue');
const cache = () => new ServingUnderTest(client, NAMESPACE, 'cache');
const cpu = () => new ServingUnderTest(client, NAMESPACE, 'cpu');
/** What a reader wants to know of this machine. */
const figures: Record<string, unknown> = {};

beforeAll(async () => {
  testbed = await startTestbed();
  client = testbed.client;
  await testbed.cluster.loadImage(await debianImage(LIGHT_WITH_PYTHON));
  prometheus = await NodePrometheus.start(testbed);
  await startKeda(testbed);
  await startMetricsServer(testbed);
  await shortenLulls(client);
  await loadOperatorImage(testbed);
  await installOperator(testbed);
});
afterAll(async () => {
  console.log(JSON.stringify(figures));
  await testbed.stop();
});

function specOf(env: Readonly<Record<string, string>>, targets: Autoscaling['targets'], args: readonly string[] = []) {
  const { replicas: _, ...model } = lightModel;
  const variables = Object.entries(env).map(([name, value]) => ({ name, value }));
  return {
    ...model,
    engine: { ...model.engine, env: variables, args: [...args] },
    autoscaling: { minReplicas: 1, maxReplicas: 3, targets, prometheus: { serverAddress: prometheus.url } },
  };
}

/** Puts a load on a service, until its Job is deleted. */
async function burst(name: string, workers: number, tokens: number): Promise<void> {
  await startLoad(client, {
    name: `load-${name}`,
    namespace: NAMESPACE,
    host: `${name}.${NAMESPACE}.svc.cluster.local:8000`,
    model: name,
    workers,
    tokens,
  });
}

/** Ends the load of a service. */
const lull = (name: string) =>
  client.delete(TYPES.job, { namespace: NAMESPACE, name: `load-${name}` }, { propagationPolicy: 'Background' });

const shows = (service: ServingUnderTest, replicas: number) =>
  service.shows(({ status }) => expect(status).toMatchObject({ readyReplicas: replicas, replicas }), PATIENCE_MS);

/** Holds where a service has three replicas, and says that KEDA keeps them, at each look of the autoscalers. */
async function keepsThree(service: ServingUnderTest): Promise<void> {
  for (let second = 0; second < 2 * LOOK_SECONDS; second += 1) {
    const { status } = await service.get();
    expect(status).toMatchObject({ replicas: 3 });
    expect(status?.conditions).toContainEqual(expect.objectContaining({ type: 'Ready', reason: 'FallbackExists' }));
    await sleep(1_000);
  }
}

/** What KEDA asks Prometheus for a service, by the name of the target. */
async function rendered(name: string): Promise<ReadonlyMap<string, string>> {
  const { spec } = (await client.get(SCALED_OBJECT, { namespace: NAMESPACE, name })) as unknown as {
    spec: { triggers: readonly { name: string; metadata: { query: string } }[] };
  };
  return new Map(spec.triggers.map((trigger) => [trigger.name, trigger.metadata.query]));
}

/** Asks each query once a second: each has one number each time. */
async function numbers(state: string, seconds: number): Promise<void> {
  const queries = await rendered('queue');
  const seen: Record<string, number[]> = Object.fromEntries([...queries.keys()].map((target) => [target, []]));
  for (let second = 0; second < seconds; second += 1) {
    for (const [target, query] of queries) {
      const values = await prometheus.ask(query);
      expect({ state, second, target, values }).toEqual({ state, second, target, values: [expect.any(Number)] });
      expect(Number.isFinite(values[0]), `${target} of a service that is ${state}`).toBe(true);
      seen[target]?.push(values[0] ?? NaN);
    }
    await sleep(1_000);
  }
  const most = Object.entries(seen).map(([target, values]) => [target, Math.round(Math.max(...values) * 100) / 100]);
  figures[`most, ${state}`] = Object.fromEntries(most);
}

test('an idle service has a number for each of its targets', async () => {
  await restrictedNamespace(client, NAMESPACE);
  await fillVolume(client, NAMESPACE);
  // Only the depth of the queue is ever exceeded.
  const others = { ttftMilliseconds: 60_000, itlMilliseconds: 60_000, runningRequests: 1_000, kvCachePercent: 100 };
  await queue().apply(specOf(SLOW, { queueDepth: 4, ...others }, ['--max-num-seqs=2']));
  await cache().apply(specOf(SMALL, { kvCachePercent: 40 }));
  await cpu().apply(specOf(FAST, { cpuPercent: 30 }));
  for (const service of [queue(), cache(), cpu()]) await service.reaches('Running', 120_000);
  await eventually(async () =>
    expect(await prometheus.ask([...(await rendered('queue')).values()][0] ?? '')).toHaveLength(1),
  );
  await numbers('idle', 8);
  await queue().hasCondition('ScalingActive', 'True', 'ScaledObjectReady');
});

test('a queue, a full KV cache and busy processors each add replicas, up to the most', async () => {
  const began = performance.now();
  const known = await Promise.all(['queue', 'cache', 'cpu'].map((name) => serversOf(client, NAMESPACE, name)));
  await Promise.all([burst('queue', 24, 40), burst('cache', 6, 100), burst('cpu', 4, 500)]);
  const grows = async (service: ServingUnderTest, at: number): Promise<void> => {
    await firstTokenBeside(testbed, NAMESPACE, service.name, known[at] ?? []);
    figures[`seconds from burst to first token of a new replica, ${service.name}`] = seconds(began);
    await shows(service, 3);
    figures[`seconds from burst to three replicas, ${service.name}`] = seconds(began);
  };
  await Promise.all([numbers('busy', 60), grows(queue(), 0), grows(cache(), 1), grows(cpu(), 2)]);
});

test('a service of which one replica restarts has a number for each of its targets', async () => {
  const [pod = ''] = await serversOf(client, NAMESPACE, 'queue');
  await client
    .raw('POST', `/api/v1/namespaces/${NAMESPACE}/pods/${pod}:8000/proxy/hidden/exit/3`)
    .catch(() => undefined);
  await numbers('restarting', 20);
  await shows(queue(), 3);
});

test('without Prometheus the replicas stay, the status says why and what to check, and heals with Prometheus', async () => {
  await prometheus.kill();
  const killed = performance.now();
  const words = /server of spec\.autoscaling\.prometheus answers/;
  await queue().hasCondition('ScalingActive', 'False', 'FailedGetExternalMetric', words);
  figures['seconds until the status tells that Prometheus is away'] = seconds(killed);
  await eventually(() => queue().hasCondition('ScalingActive', 'False', 'FallbackExists', words), { timeout: 120_000 });
  await queue().hasCondition('Ready', 'False', 'FallbackExists', words);
  await Promise.all([lull('queue'), lull('cache'), lull('cpu')]);
  await keepsThree(queue());
  const back = performance.now();
  await prometheus.restart();
  await eventually(() => queue().hasCondition('ScalingActive', 'True', 'ScaledObjectReady'), { timeout: 120_000 });
  figures['seconds until the status has healed'] = seconds(back);
});

test('after the load one replica is left', async () => {
  await Promise.all([shows(queue(), 1), shows(cache(), 1)]);
  expect(await cpu().get()).toMatchObject({ status: { replicas: 3 } });
});

const seconds = (since: number): number => Math.round((performance.now() - since) / 100) / 10;
