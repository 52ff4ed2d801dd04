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
 * scraped. Where none is scraped a query gives nothing, which is an error, and not a load of 0.
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
  const latency = (histogram: string, target: number) => {
    const rate = `sum by (le) (rate(${histogram}_bucket${pods}[${WINDOW}]))`;
    const milliseconds = `clamp_max(1000 * histogram_quantile(${QUANTILE}, ${rate}), ${MOST * target})`;
    // Without requests the quantile is no number, which no comparison lets through: an idle service takes no time.
    return `((${milliseconds} >= 0) or vector(0)) * ${replicas}`;
  };
  const queries: readonly (PrometheusQuery | undefined)[] = [
    queryFor('ttft', targets.ttftMilliseconds, metrics.timeToFirstToken, latency),
    queryFor('itl', targets.itlMilliseconds, metrics.interTokenLatency, latency),
    queryFor('queue-depth', targets.queueDepth, metrics.waiting, (gauge) => `sum(${gauge}${pods})`),
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
