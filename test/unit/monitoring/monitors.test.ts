import { App, Chart } from 'cdk8s';
import { describe, expect, it } from 'vitest';
import type { Manifest } from '../../../constructs/workload.ts';
import { Monitoring, monitoring } from '../../../stacks/operator/monitoring/index.ts';
import type { MonitoringInput } from '../../../stacks/operator/monitoring/index.ts';
import type { Relabeling } from '../../../stacks/operator/monitoring/monitors.ts';
import { Operator } from '../../../stacks/operator/operator.ts';

const namespace = 'trunnion-system';

const titles = (input: Partial<MonitoringInput> = {}): readonly string[] =>
  monitoring({ namespace, ...input }).map(({ kind, metadata }) => `${kind} ${metadata.name}`);

function manifestOf(kind: string, name: string, input: Partial<MonitoringInput> = {}): Manifest {
  const found = monitoring({ namespace, ...input }).find((each) => each.kind === kind && each.metadata.name === name);
  if (found === undefined) throw new Error(`there is no ${kind} ${name}`);
  return found;
}

interface Endpoint {
  readonly port: string;
  readonly interval: string;
  readonly honorLabels?: boolean;
  readonly relabelings?: readonly Relabeling[];
}

const endpointsOf = (manifest: Manifest): readonly Endpoint[] => {
  const spec = manifest['spec'] as { endpoints?: readonly Endpoint[]; podMetricsEndpoints?: readonly Endpoint[] };
  return spec.endpoints ?? spec.podMetricsEndpoints ?? [];
};

it('watching has monitors, alerts and dashboards, each of which can be left out', () => {
  expect(titles()).toEqual([
    'ServiceMonitor trunnion-operator',
    'PodMonitor trunnion-engines',
    'PrometheusRule trunnion-operator',
    'ConfigMap trunnion-operator-dashboard',
    'ConfigMap trunnion-workloads-dashboard',
  ]);
  expect(titles({ operator: 'pods', engines: false, dashboards: false })).toEqual([
    'PodMonitor trunnion-operator',
    'PrometheusRule trunnion-operator',
  ]);
  expect(titles({ operator: 'none', engines: false, alerts: false, dashboards: false })).toEqual([]);
});

it('the construct has the same objects', () => {
  const chart = new Chart(new App(), 'chart');
  new Monitoring(chart, 'monitoring', { namespace });
  expect(chart.toJson()).toEqual(monitoring({ namespace }));
});

describe('the monitor of the operator', () => {
  it('selects its Service and the port that this has', () => {
    const objects = new Operator(new Chart(new App(), 'chart'), 'operator', { namespace, version: '1.2.3' }).render();
    const service = objects.find(({ kind }) => kind === 'Service') as Manifest & {
      spec: { ports: readonly { name: string }[] };
    };
    const monitor = manifestOf('ServiceMonitor', 'trunnion-operator');
    expect(monitor['spec']).toMatchObject({ selector: { matchLabels: service.metadata.labels } });
    expect(endpointsOf(monitor).map(({ port }) => port)).toEqual(service.spec.ports.map(({ name }) => name));
  });

  it.each([['ServiceMonitor', 'service'] as const, ['PodMonitor', 'pods'] as const])(
    'a %s keeps the namespace that a metric tells: the resource is there, not the operator',
    (kind, operator) => {
      const [endpoint] = endpointsOf(manifestOf(kind, 'trunnion-operator', { operator, interval: '5s' }));
      expect(endpoint).toMatchObject({ port: 'metrics', interval: '5s', honorLabels: true });
    },
  );
});

describe('the monitor of engines', () => {
  const regexOf = (port: string) => {
    const { relabelings = [] } = endpointsOf(manifestOf('PodMonitor', 'trunnion-engines')).find(
      (endpoint) => endpoint.port === port,
    ) ?? { relabelings: [] };
    const drop = relabelings.find(({ sourceLabels }) =>
      sourceLabels?.includes('__meta_kubernetes_pod_container_image'),
    );
    return drop && new RegExp(`^(?:${drop.regex})$`);
  };

  it.each([
    ['docker.io/vllm/vllm-openai:v0.30.0@sha256:00', true],
    ['registry.example.com/my-engine:1', true],
    ['docker.io/tensorflow/serving:2.19.1-gpu', false],
    ['nvcr.io/nvidia/tritonserver:25.06-py3@sha256:00', false],
    ['registry.example.com/mirror/nvidia/tritonserver:25.06-py3', false],
  ])('asks %s for metrics on the port that it serves on: %s', (image, asked) => {
    expect(regexOf('http')?.test(image)).toBe(!asked);
  });

  it('takes no more from one engine than Prometheus can bear, and fails no other for its sake', () => {
    const { spec } = manifestOf('PodMonitor', 'trunnion-engines');
    expect(spec).toMatchObject({
      sampleLimit: 20_000,
      labelLimit: 64,
      labelNameLengthLimit: 128,
      labelValueLengthLimit: 4096,
      bodySizeLimit: '10MB',
    });
    expect(spec).not.toHaveProperty('targetLimit');
  });

  it('lets no engine say where Prometheus asks next, when a sample was taken, or whose it is', () => {
    for (const endpoint of endpointsOf(manifestOf('PodMonitor', 'trunnion-engines'))) {
      expect(endpoint).toMatchObject({ followRedirects: false, honorTimestamps: false });
      expect(endpoint.honorLabels).toBeUndefined();
    }
  });

  it('asks anyone who has a port for metrics', () => {
    expect(regexOf('metrics')).toBeUndefined();
  });
});

it('monitors, rules and dashboards have the labels that they are selected by', () => {
  const labels = { release: 'kube-prometheus-stack' };
  for (const { kind, metadata } of monitoring({ namespace, labels, dashboardLabels: { grafana: 'main' } })) {
    const own = kind === 'ConfigMap' ? { grafana_dashboard: '1', grafana: 'main' } : labels;
    expect(metadata.labels).toMatchObject({ ...own, 'app.kubernetes.io/part-of': 'trunnion' });
  }
});
