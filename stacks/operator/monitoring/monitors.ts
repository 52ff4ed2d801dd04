import { KIND_LABEL } from '../../../constructs/model-serving/render-input.ts';
import type { Manifest } from '../../../constructs/workload.ts';
import { OPERATOR_LABELS, OPERATOR_NAME } from '../../../operator/name.ts';
import { METRICS_PORT } from '../deployment.ts';
import { ENGINE_METRICS_PATH, SILENT_IMAGES } from './engines.ts';

export interface MonitorInput {
  readonly namespace: string;
  /** Labels that the Prometheus of the cluster selects monitors by. */
  readonly labels: Readonly<Record<string, string>>;
  /** Between two scrapes: `30s`. */
  readonly interval: string;
}

/** A step that Prometheus takes with the labels of a target, in the words of its operator. */
export interface Relabeling {
  readonly sourceLabels?: readonly string[];
  readonly targetLabel?: string;
  readonly regex?: string;
  readonly replacement?: string;
  readonly action: 'drop' | 'keep' | 'replace';
}

const MONITORING = 'monitoring.coreos.com/v1';

const metadataOf = (name: string, { namespace, labels }: MonitorInput): Manifest['metadata'] => ({
  name,
  namespace,
  labels: { ...OPERATOR_LABELS, ...labels },
});

/** Has Prometheus scrape the operator through its Service. */
export const serviceMonitor = (input: MonitorInput): Manifest => ({
  apiVersion: MONITORING,
  kind: 'ServiceMonitor',
  metadata: metadataOf(OPERATOR_NAME, input),
  spec: {
    selector: { matchLabels: OPERATOR_LABELS },
    namespaceSelector: { matchNames: [input.namespace] },
    // The namespace that a metric tells is its resource's, not the operator's.
    endpoints: [{ port: METRICS_PORT, path: '/metrics', interval: input.interval, honorLabels: true }],
  },
});

/** Has Prometheus scrape the operator's pods, where nobody wants a Service for it. */
export const operatorPodMonitor = (input: MonitorInput): Manifest => ({
  apiVersion: MONITORING,
  kind: 'PodMonitor',
  metadata: metadataOf(OPERATOR_NAME, input),
  spec: {
    selector: { matchLabels: { 'app.kubernetes.io/name': OPERATOR_NAME } },
    namespaceSelector: { matchNames: [input.namespace] },
    podMetricsEndpoints: [
      {
        port: METRICS_PORT,
        path: '/metrics',
        interval: input.interval,
        honorLabels: true,
        relabelings: [{ targetLabel: 'job', replacement: OPERATOR_NAME, action: 'replace' }],
      },
    ],
  },
});

/** The label of a pod, or an annotation, as Prometheus calls it. */
const meta = (what: 'annotation' | 'label', name: string): string =>
  `__meta_kubernetes_pod_${what}_${name.replaceAll(/[^\w]/g, '_')}`;

/** Names the resource as the operator's own metrics do, and leaves out who asked for that. */
const NAMING: readonly Relabeling[] = [
  {
    sourceLabels: [meta('annotation', 'prometheus.io/scrape')],
    regex: 'false',
    action: 'drop',
  },
  { sourceLabels: [meta('label', 'app.kubernetes.io/instance')], targetLabel: 'name', action: 'replace' },
];

/** Engines that have their metrics on another port, or none at all. */
const SILENT: Relabeling = {
  sourceLabels: ['__meta_kubernetes_pod_container_image'],
  regex: `.*(${SILENT_IMAGES.join('|')})[:@].*`,
  action: 'drop',
};

/**
 * What Prometheus takes from one engine in one scrape. Above it that scrape fails, and no other: an engine is a program of
 * a tenant, and its metrics lie beside those of the whole cluster.
 *
 * - `sampleLimit`: vLLM has about 800 for each of its engines (some 20 histograms of 20 to 30 buckets), and 16 of these
 *   where a server is data-parallel
 * - `labelLimit`: `vllm:cache_config_info` has about 30; Prometheus' operator adds 8
 * - `labelValueLengthLimit`: `vllm:lora_requests_info` lists the names of all adapters in one
 * - `bodySizeLimit`: so many samples at 500 bytes each, three times what they have on average
 *
 * No `targetLimit`: that one fails all engines together, so that a tenant with many pods could blind the others.
 */
export const ENGINE_LIMITS = {
  sampleLimit: 20_000,
  labelLimit: 64,
  labelNameLengthLimit: 128,
  labelValueLengthLimit: 4096,
  bodySizeLimit: '10MB',
} as const;

/**
 * What an engine must not decide: where Prometheus asks next, from its own place in the network, and when a sample was
 * taken. No engine needs either.
 */
const DISTRUST = { followRedirects: false, honorTimestamps: false };

/** Has Prometheus scrape the engines of all models, on the port that they serve on or, where they have one, on that for metrics. */
export const enginePodMonitor = (input: MonitorInput): Manifest => {
  const endpoint = { path: ENGINE_METRICS_PATH, interval: input.interval, ...DISTRUST };
  return {
    apiVersion: MONITORING,
    kind: 'PodMonitor',
    metadata: metadataOf('trunnion-engines', input),
    spec: {
      selector: { matchLabels: { 'app.kubernetes.io/name': KIND_LABEL, 'app.kubernetes.io/component': 'server' } },
      namespaceSelector: { any: true },
      ...ENGINE_LIMITS,
      podMetricsEndpoints: [
        { ...endpoint, port: 'http', relabelings: [...NAMING, SILENT] },
        { ...endpoint, port: 'metrics', relabelings: NAMING },
      ],
    },
  };
};
