import { printYaml } from '../../../yaml/print.ts';
import { OPERATOR_NAME } from '../../../operator/name.ts';
import { ruleFile } from './alerts/rules.ts';
import { dashboardText } from './grafana/config-map.ts';
import type { BuiltFile } from '../chart/chart.ts';
import { DASHBOARDS, monitoring } from './index.ts';

/**
 * What watches an operator, as files: `monitoring.yaml` for a cluster with Prometheus' operator and Grafana's sidecar,
 * and rules and dashboards as plain files for all others.
 *
 * @param namespace - that of the operator
 */
export const monitoringFiles = (namespace: string): readonly BuiltFile[] =>
  [
    ['monitoring.yaml', monitoring({ namespace }).map(printYaml).join('---\n')] as const,
    ['rules.yaml', printYaml(ruleFile(OPERATOR_NAME))] as const,
    ...DASHBOARDS.map((dashboard) => [`${dashboard.uid}.json`, dashboardText(dashboard)] as const),
  ].map(([name, text]) => ({ path: `monitoring/${name}`, text }));
