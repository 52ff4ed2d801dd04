import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, inject, test } from 'vitest';
import { stringify } from 'yaml';
import { queriesOf } from '../../constructs/model-serving/scaling.ts';
import type { ModelServingSpec } from '../../constructs/model-serving/spec.ts';
import { ENGINE_TABLE } from '../../constructs/model-serving/engine.table.ts';
import { run } from '../support/run.ts';

type Targets = NonNullable<ModelServingSpec['autoscaling']>['targets'];

const folder = mkdtempSync(join(tmpdir(), 'trunnion-scaling-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const metrics = ENGINE_TABLE.vllm.metrics?.names ?? {};
const BUCKETS = ['0.1', '0.3', '0.6', '1', '3', '+Inf'];

/** What one pod publishes: its gauges, and a histogram of which ten requests a minute are in the bucket up to `seconds`. */
const podSeries = (
  pod: string,
  { running, waiting, seconds }: { readonly running: number; readonly waiting: number; readonly seconds: number },
  labels: string = 'job="annotations"',
): readonly { readonly series: string; readonly values: string }[] => {
  const own = `namespace="models",pod="llama-6d5f-${pod}",engine="0",${labels}`;
  const histogram = (name: string) =>
    BUCKETS.map((le) => ({
      series: `${name}_bucket{${own},le="${le}"}`,
      values: (le === '+Inf' ? Infinity : Number(le)) >= seconds ? '0+10x20' : '0x20',
    }));
  return [
    { series: `vllm:num_requests_running{${own}}`, values: `${running}x20` },
    { series: `vllm:num_requests_waiting{${own}}`, values: `${waiting}x20` },
    ...histogram('vllm:time_to_first_token_seconds'),
    ...histogram('vllm:inter_token_latency_seconds'),
  ];
};

/** The replicas that an autoscaler asks for: the value over the threshold, rounded up. */
async function replicasFor(
  targets: Targets,
  series: readonly { readonly series: string; readonly values: string }[],
): Promise<number> {
  const [query] = queriesOf({ name: 'llama', namespace: 'models', targets, metrics });
  if (query === undefined) throw new Error('there is no query');
  for (let replicas = 0; replicas <= 16; replicas += 1) {
    const expr = `ceil(sum(${query.query}) / ${query.threshold}) == bool ${replicas}`;
    const path = join(folder, 'test.yaml');
    writeFileSync(
      path,
      stringify({
        evaluation_interval: '1m',
        tests: [
          {
            interval: '1m',
            input_series: series,
            promql_expr_test: [{ expr, eval_time: '10m', exp_samples: [{ labels: '{}', value: 1 }] }],
          },
        ],
      }),
    );
    const { code } = await run(inject('prometheus').promtool, ['test', 'rules', path]);
    if (code === 0) return replicas;
  }
  throw new Error('no number of replicas is asked for');
}

const unloaded = { running: 1, waiting: 0, seconds: 0.6 };

test('a first token that an idle replica takes longer for than the target adds no replica', async () => {
  const two = [...podSeries('a', unloaded), ...podSeries('b', unloaded)];
  expect(await replicasFor({ ttftMilliseconds: 400 }, two)).toBe(2);
  expect(await replicasFor({ itlMilliseconds: 400 }, two)).toBe(2);
});

test('a first token that is late behind requests that wait adds replicas, at most four for each', async () => {
  const late = { running: 8, waiting: 5, seconds: 1 };
  expect(await replicasFor({ ttftMilliseconds: 400 }, [...podSeries('a', late), ...podSeries('b', late)])).toBe(5);
  expect(await replicasFor({ ttftMilliseconds: 10 }, podSeries('a', late))).toBe(4);
});

test('a first token that waits shortly, and still takes long, adds few replicas', async () => {
  const pods = ['a', 'b', 'c', 'd'].flatMap((pod) => podSeries(pod, { running: 40, waiting: 1, seconds: 2 }));
  const busy = pods.map(({ series, values }) => ({ series, values: values.replace('0+10x', '0+1500x') }));
  expect(await replicasFor({ ttftMilliseconds: 500 }, busy)).toBe(5);
});

test('a late first token adds no more replicas than requests wait', async () => {
  const late = ['a', 'b', 'c', 'd'].flatMap((pod, each) =>
    podSeries(pod, { running: 8, waiting: each === 0 ? 1 : 0, seconds: 3 }),
  );
  expect(await replicasFor({ ttftMilliseconds: 400 }, late)).toBe(5);
});

test('a latency asks for no more replicas than there are requests', async () => {
  const quiet = ['a', 'b', 'c', 'd'].flatMap((pod, each) =>
    podSeries(pod, { running: each === 0 ? 1 : 0, waiting: 0, seconds: 0.6 }),
  );
  expect(await replicasFor({ ttftMilliseconds: 400 }, quiet)).toBe(1);
  expect(await replicasFor({ itlMilliseconds: 400 }, quiet)).toBe(1);
});

test('tokens that come slowly to several requests of a replica add replicas', async () => {
  expect(await replicasFor({ itlMilliseconds: 400 }, podSeries('a', { running: 8, waiting: 0, seconds: 1 }))).toBe(3);
});

test('latencies within their target give replicas up', async () => {
  const quick = { running: 8, waiting: 0, seconds: 0.1 };
  const four = ['a', 'b', 'c', 'd'].flatMap((pod) => podSeries(pod, quick));
  expect(await replicasFor({ ttftMilliseconds: 400 }, four)).toBe(1);
});

test('running requests are counted once where a pod is scraped by its annotations and by a monitor', async () => {
  const busy = { running: 40, waiting: 6, seconds: 0.1 };
  const twice = [...podSeries('a', busy), ...podSeries('a', busy, 'job="monitor",endpoint="http"')];
  expect(await replicasFor({ runningRequests: 20 }, twice)).toBe(2);
  expect(await replicasFor({ queueDepth: 2 }, twice)).toBe(3);
});

test('each rank of data parallelism counts by itself', async () => {
  const busy = { running: 40, waiting: 6, seconds: 0.1 };
  const ranks = [
    ...podSeries('a', busy),
    ...podSeries('a', busy).map((each) => ({ ...each, series: each.series.replace('engine="0"', 'engine="1"') })),
  ];
  expect(await replicasFor({ runningRequests: 20 }, ranks)).toBe(4);
});
