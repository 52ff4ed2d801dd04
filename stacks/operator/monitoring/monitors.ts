import { KIND_LABEL } from '../../../constructs/model-serving/blueprint.ts';
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

/** Has Prometheus scrape the engines of all models, on the port that they serve on or, where they have one, on that for metrics. */
export const enginePodMonitor = (input: MonitorInput): Manifest => {
  const endpoint = { path: ENGINE_METRICS_PATH, interval: input.interval };
  return {
    apiVersion: MONITORING,
    kind: 'PodMonitor',
    metadata: metadataOf('trunnion-engines', input),
    spec: {
      selector: { matchLabels: { 'app.kubernetes.io/name': KIND_LABEL, 'app.kubernetes.io/component': 'server' } },
      namespaceSelector: { any: true },
      podMetricsEndpoints: [
        { ...endpoint, port: 'http', relabelings: [...NAMING, SILENT] },
        { ...endpoint, port: 'metrics', relabelings: NAMING },
      ],
    },
  };
};
