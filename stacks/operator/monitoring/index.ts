import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import type { Manifest } from '../../../constructs/workload.ts';
import { OPERATOR_LABELS, OPERATOR_NAME } from '../../../operator/name.ts';
import { ruleFile } from './alerts/rules.ts';
import { operatorDashboard } from './dashboards/operator.ts';
import { workloadsDashboard } from './dashboards/workloads.ts';
import { dashboardConfigMap } from './grafana/config-map.ts';
import type { Dashboard } from './grafana/dashboard.ts';
import { enginePodMonitor, operatorPodMonitor, serviceMonitor } from './monitors.ts';

/** How an operator is watched. Each piece needs what reads it: Prometheus' operator, or Grafana's sidecar. */
export interface MonitoringInput {
  /** The namespace of the operator. */
  readonly namespace: string;
  /**
   * How Prometheus finds the operator: through its Service, by its pods, or not by us.
   *
   * @default 'service'
   */
  readonly operator?: 'service' | 'pods' | 'none';
  /**
   * Whether the engines of all models are scraped.
   *
   * @default true
   */
  readonly engines?: boolean;
  /**
   * Whether alerts are installed.
   *
   * @default true
   */
  readonly alerts?: boolean;
  /**
   * Whether dashboards are installed.
   *
   * @default true
   */
  readonly dashboards?: boolean;
  /**
   * Between two scrapes.
   *
   * @default '30s'
   */
  readonly interval?: string;
  /**
   * Labels by which the cluster's Prometheus selects monitors and rules: `release: kube-prometheus-stack`.
   *
   * @default - none
   */
  readonly labels?: Readonly<Record<string, string>>;
  /**
   * Labels by which the cluster's Grafana selects dashboards, beside `grafana_dashboard: "1"`.
   *
   * @default - none
   */
  readonly dashboardLabels?: Readonly<Record<string, string>>;
  /**
   * Where the runbooks of the alerts are read.
   *
   * @default 'https://trunnion.dev/docs/alerts'
   */
  readonly runbooks?: string;
}

/** All dashboards. */
export const DASHBOARDS: readonly Dashboard[] = [operatorDashboard, workloadsDashboard];

/** All objects that watch an operator. */
export function monitoring(input: MonitoringInput): readonly Manifest[] {
  const { namespace, operator = 'service', engines = true, alerts = true, dashboards = true } = input;
  const { interval = '30s', labels = {}, dashboardLabels = {}, runbooks } = input;
  const monitor = { namespace, labels, interval };
  return [
    ...(operator === 'service' ? [serviceMonitor(monitor)] : []),
    ...(operator === 'pods' ? [operatorPodMonitor(monitor)] : []),
    ...(engines ? [enginePodMonitor(monitor)] : []),
    ...(alerts ? [prometheusRule(namespace, labels, runbooks)] : []),
    ...(dashboards ? DASHBOARDS.map((each) => dashboardConfigMap(each, namespace, dashboardLabels)) : []),
  ];
}

const prometheusRule = (
  namespace: string,
  labels: Readonly<Record<string, string>>,
  runbooks: string | undefined,
): Manifest => ({
  apiVersion: 'monitoring.coreos.com/v1',
  kind: 'PrometheusRule',
  metadata: { name: OPERATOR_NAME, namespace, labels: { ...OPERATOR_LABELS, ...labels } },
  spec: ruleFile(OPERATOR_NAME, runbooks),
});

/** All that watches an operator, as a construct. */
export class Monitoring extends Construct {
  constructor(scope: Construct, id: string, input: MonitoringInput) {
    super(scope, id);
    for (const manifest of monitoring(input)) {
      new ApiObject(this, `${manifest.kind}-${manifest.metadata.name}`, manifest);
    }
  }
}
