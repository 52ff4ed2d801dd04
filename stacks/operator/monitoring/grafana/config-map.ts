import type { Manifest } from '../../../../constructs/workload.ts';
import { OPERATOR_LABELS } from '../../../../operator/name.ts';
import type { Dashboard } from './dashboard.ts';
import { dashboardJson } from './json.ts';

/** A dashboard as the text of a file. */
export const dashboardText = (dashboard: Dashboard): string => `${JSON.stringify(dashboardJson(dashboard), null, 2)}\n`;

/** A dashboard where the sidecar of Grafana's chart finds it, by its label. */
export const dashboardConfigMap = (
  dashboard: Dashboard,
  namespace: string,
  labels: Readonly<Record<string, string>>,
): Manifest => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: {
    name: `${dashboard.uid}-dashboard`,
    namespace,
    labels: { ...OPERATOR_LABELS, grafana_dashboard: '1', ...labels },
    annotations: { grafana_folder: 'Trunnion' },
  },
  data: { [`${dashboard.uid}.json`]: dashboardText(dashboard) },
});
