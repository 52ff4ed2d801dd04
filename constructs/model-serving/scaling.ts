import type { Behavior, PrometheusQuery } from '../parts/autoscaling.ts';
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

/**
 * Where no replica has more to do than one request, another one makes nothing faster: then a latency counts for no more
 * than its target, which keeps the replicas that there are.
 */
const cappedAt = (target: number, hasMoreToDo: string): string =>
  `scalar(${target} + ${(MOST - 1) * target} * (${hasMoreToDo}))`;

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
 * scraped, and counts above its target only where a replica has more to do than one request. Where none is scraped a
 * query gives nothing, which is an error, and not a load of 0.
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
  const pods = `{namespace="${namespace}",pod=~"${name}-[a-z0-9]+-[a-z0-9]+"}`;
  const replicas = `count(count by (pod) (${metrics.running ?? metrics.waiting}${pods}))`;
  const total = (gauge: string) => `sum(${ONCE} (${gauge}${pods}))`;
  const peak = (gauge: string) => `sum(${ONCE} (max_over_time(${gauge}${pods}[${WINDOW}])))`;
  const latency = (hasMoreToDo: string | undefined) => (histogram: string, target: number) => {
    const rate = `sum by (le) (${ONCE_BY_BUCKET} (rate(${histogram}_bucket${pods}[${WINDOW}])))`;
    const most = hasMoreToDo === undefined ? MOST * target : cappedAt(target, hasMoreToDo);
    const milliseconds = `clamp_max(1000 * histogram_quantile(${QUANTILE}, ${rate}), ${most})`;
    // Without requests the quantile is no number, which no comparison lets through: an idle service takes no time.
    return `((${milliseconds} >= 0) or vector(0)) * ${replicas}`;
  };
  const waits = metrics.waiting && `${peak(metrics.waiting)} > bool 0`;
  // Tokens come more slowly as more requests share a replica.
  const shares = metrics.running && `${peak(metrics.running)} > bool ${replicas}`;
  const queries: readonly (PrometheusQuery | undefined)[] = [
    queryFor('ttft', targets.ttftMilliseconds, metrics.timeToFirstToken, latency(waits)),
    queryFor('itl', targets.itlMilliseconds, metrics.interTokenLatency, latency(shares)),
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
