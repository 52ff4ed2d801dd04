import type { Behavior, PrometheusQuery } from '../parts/scaling/index.ts';
import type { MetricNames } from './engine.ts';
import { engineOf } from './launch.ts';
import type { ModelServingSpec } from './spec.ts';

type Autoscaling = NonNullable<ModelServingSpec['autoscaling']>;
type Targets = Autoscaling['targets'];

/** Whether KEDA scales. Where CPU is all that counts, Kubernetes does so by itself, whatever Prometheus there is. */
export const takesKeda = ({ targets, prometheus }: Autoscaling): boolean =>
  prometheus !== undefined &&
  Object.entries(targets).some(([name, target]) => name !== 'cpuPercent' && target !== undefined);

/** Latencies are those of the slowest twentieth. */
const QUANTILE = 0.95;

/** Over how long rates are taken: four scrapes at the usual 30 s. */
const WINDOW = '2m';

/**
 * How many times its target a latency counts at most: a few stuck requests must not ask for all of the cluster's GPUs.
 */
const MOST = 4;

/**
 * A pod that is scraped twice, by its annotations and by a monitor, counts once, and each of its ranks of data parallelism
 * by itself: vLLM tells them by `engine`, SGLang by `dp_rank`.
 */
const ONCE = 'max by (pod, engine, dp_rank)';
const ONCE_BY_BUCKET = 'max by (pod, engine, dp_rank, le)';

/** How much longer than the mean the slowest twentieth waits, where waits are as those of random arrivals: ln 20. */
const SLOWEST = 3;

/**
 * Where no replica has more to do than one request, another one makes no token faster: then a latency counts for no more
 * than its target, which keeps the replicas that there are.
 */
const cappedAt = (target: number, hasMoreToDo: string): string =>
  `scalar(${target} + ${(MOST - 1) * target} * (${hasMoreToDo}))`;

/**
 * Another replica takes off no more than the time that requests wait, so a latency counts above its target by no more
 * than that. What they wait on average is the number of those that wait over the number that comes each second (Little's
 * law): once nothing waits, another replica brings nothing.
 */
const cappedByWait = (target: number, waiting: string, perSecond: string): string =>
  `scalar(clamp_max(${target} + ${SLOWEST * 1000} * ${waiting} / ${perSecond}, ${MOST * target}))`;

/**
 * A replica takes minutes to load a model. So a burst must last a minute before one is added, and a lull ten before one
 * is given up, and then no more than one every two minutes.
 */
export const BEHAVIOR: Behavior = {
  scaleUp: { stabilizationWindowSeconds: 60 },
  scaleDown: {
    stabilizationWindowSeconds: 600,
    policies: [{ type: 'Pods', value: 1, periodSeconds: 120 }],
  },
};

/**
 * What Prometheus is asked for each target.
 *
 * An autoscaler divides the value by the threshold to get the number of replicas. Requests that wait, and the use of
 * the KV cache, are summed over the replicas for that; a latency is multiplied by the number of replicas that are
 * scraped, and counts above its target only as far as another replica can better it: the first token by what requests
 * wait, the next ones where requests share a replica. It asks for no more replicas than there are requests. Where none is
 * scraped a query gives nothing, which is an error, and not a load of 0.
 *
 * @param metrics - of the engine whose pods serve now
 */
export function queriesOf({
  name,
  namespace,
  targets,
  metrics,
}: {
  readonly name: string;
  readonly namespace: string;
  readonly targets: Targets;
  readonly metrics: MetricNames;
}): readonly PrometheusQuery[] {
  // A Deployment's pods are named NAME-TEMPLATE-POD; neither hash has a dash.
  const labels = `namespace="${namespace}",pod=~"${name}-[a-z0-9]+-[a-z0-9]+"`;
  const pods = `{${labels}}`;
  const replicas = `count(count by (pod) (${metrics.running ?? metrics.waiting}${pods}))`;
  const total = (gauge: string) => `sum(${ONCE} (${gauge}${pods}))`;
  const over = (gauge: string, how: 'avg' | 'max') => `sum(${ONCE} (${how}_over_time(${gauge}${pods}[${WINDOW}])))`;
  const gauges = [metrics.running, metrics.waiting].filter((gauge) => gauge !== undefined);
  // A request runs on one replica: more of them than requests bring nothing.
  const inWork = metrics.running === undefined ? [] : [gauges.map((gauge) => over(gauge, 'max')).join(' + ')];
  const latency =
    (mostOf: (target: number, histogram: string) => string, bounds: readonly string[]) =>
    (histogram: string, target: number) => {
      const rate = `sum by (le) (${ONCE_BY_BUCKET} (rate(${histogram}_bucket${pods}[${WINDOW}])))`;
      const milliseconds = `clamp_max(1000 * histogram_quantile(${QUANTILE}, ${rate}), ${mostOf(target, histogram)})`;
      // Without requests the quantile is no number, which no comparison lets through: an idle service takes no time.
      const sum = `((${milliseconds} >= 0) or vector(0)) * ${replicas}`;
      return bounds.reduce((value, bound) => `clamp_max(${value}, scalar(${target} * (${bound})))`, sum);
    };
  const { waiting, running } = metrics;
  // One more for each request that waits: of more, some would be without work.
  const perWaiting = waiting === undefined ? [] : [`${replicas} + ${over(waiting, 'avg')}`];
  const firstToken = (target: number, histogram: string) => {
    const all = `${histogram}_bucket{${labels},le="+Inf"}`;
    const perSecond = `sum(${ONCE} (rate(${all}[${WINDOW}])))`;
    return waiting === undefined ? String(MOST * target) : cappedByWait(target, over(waiting, 'avg'), perSecond);
  };
  // Tokens come more slowly as more requests share a replica.
  const nextToken = (target: number) =>
    running === undefined ? String(MOST * target) : cappedAt(target, `${over(running, 'max')} > bool ${replicas}`);
  const queries: readonly (PrometheusQuery | undefined)[] = [
    queryFor(
      'ttft',
      targets.ttftMilliseconds,
      metrics.timeToFirstToken,
      latency(firstToken, [...inWork, ...perWaiting]),
    ),
    queryFor('itl', targets.itlMilliseconds, metrics.interTokenLatency, latency(nextToken, inWork)),
    queryFor('queue-depth', targets.queueDepth, metrics.waiting, total),
    queryFor('running', targets.runningRequests, metrics.running, total),
    queryFor(
      'kv-cache',
      targets.kvCachePercent,
      metrics.kvCacheUsage,
      (gauge) => `100 * sum(max by (pod) (${gauge}${pods}))`,
    ),
  ];
  return queries.filter((each) => each !== undefined);
}

/** The names under which the engine of a spec publishes what scaling needs. */
export const metricNamesOf = (spec: ModelServingSpec): MetricNames => engineOf(spec).metrics?.names ?? {};

const queryFor = (
  name: string,
  threshold: number | undefined,
  metric: string | undefined,
  query: (metric: string, threshold: number) => string,
): PrometheusQuery | undefined =>
  threshold === undefined || metric === undefined ? undefined : { name, query: query(metric, threshold), threshold };
