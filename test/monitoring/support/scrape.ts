import type { Manifest } from '../../../constructs/workload.ts';
import type { ENGINE_LIMITS, Relabeling } from '../../../stacks/operator/monitoring/monitors.ts';
import { OPERATOR_NAME } from '../../../operator/rbac.ts';

/** A job of Prometheus' configuration. */
export type ScrapeJob = Readonly<Record<string, unknown>>;

interface Endpoint {
  readonly port: string;
  readonly path: string;
  readonly honorLabels?: boolean;
  readonly relabelings?: readonly Relabeling[];
  readonly followRedirects?: boolean;
  readonly honorTimestamps?: boolean;
}

interface MonitorSpec extends Partial<typeof ENGINE_LIMITS> {
  readonly selector: { readonly matchLabels: Readonly<Record<string, string>> };
  readonly endpoints?: readonly Endpoint[];
  readonly podMetricsEndpoints?: readonly Endpoint[];
}

const specOf = (monitor: Manifest): MonitorSpec => monitor['spec'] as MonitorSpec;

/** What a ServiceMonitor of the operator asks for, of an operator that runs as a process of its own. */
export const jobOfOperator = (monitor: Manifest, port: number): readonly ScrapeJob[] =>
  (specOf(monitor).endpoints ?? []).map(({ path, honorLabels = false }) => ({
    // The name of the Service, as the label `job` of a ServiceMonitor.
    job_name: OPERATOR_NAME,
    metrics_path: path,
    honor_labels: honorLabels,
    static_configs: [{ targets: [`127.0.0.1:${port}`] }],
  }));

const meta = (name: string): string => `__meta_kubernetes_pod_${name.replaceAll(/\W/g, '_')}`;

const relabeling = ({ sourceLabels, targetLabel, ...rest }: Relabeling) => ({
  ...rest,
  ...(sourceLabels && { source_labels: sourceLabels }),
  ...(targetLabel !== undefined && { target_label: targetLabel }),
});

/** What a PodMonitor asks for, as Prometheus' operator would write it; simulated pods are on the loopback. */
export const jobsOfPods = (monitor: Manifest, kubeconfig: string): readonly ScrapeJob[] => {
  const { selector, podMetricsEndpoints = [], ...spec } = specOf(monitor);
  const keep = (label: string, value: string): Relabeling => ({ sourceLabels: [label], regex: value, action: 'keep' });
  return podMetricsEndpoints.map(({ port, path, honorLabels = false, relabelings = [], ...endpoint }, index) => ({
    job_name: `${monitor.metadata.name}/${index}`,
    metrics_path: path,
    honor_labels: honorLabels,
    honor_timestamps: endpoint.honorTimestamps ?? true,
    follow_redirects: endpoint.followRedirects ?? true,
    sample_limit: spec.sampleLimit ?? 0,
    label_limit: spec.labelLimit ?? 0,
    label_name_length_limit: spec.labelNameLengthLimit ?? 0,
    label_value_length_limit: spec.labelValueLengthLimit ?? 0,
    body_size_limit: spec.bodySizeLimit ?? '0',
    kubernetes_sd_configs: [{ role: 'pod', kubeconfig_file: kubeconfig }],
    relabel_configs: [
      ...Object.entries(selector.matchLabels).map(([name, value]) => keep(meta(`label_${name}`), value)),
      keep(meta('container_port_name'), port),
      { sourceLabels: ['__meta_kubernetes_namespace'], targetLabel: 'namespace', action: 'replace' } as const,
      { sourceLabels: [meta('name')], targetLabel: 'pod', action: 'replace' } as const,
      ...relabelings,
      {
        sourceLabels: ['__address__'],
        targetLabel: '__address__',
        regex: String.raw`10\.(.*)`,
        replacement: '127.$1',
        action: 'replace',
      } as const,
    ].map(relabeling),
  }));
};
