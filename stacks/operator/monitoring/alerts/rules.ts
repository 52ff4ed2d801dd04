import type { Alert } from './alert.ts';
import { alertGroups } from './index.ts';

/** Where the runbooks are read: docs/alerts.md, an anchor an alert. */
const RUNBOOKS = 'https://trunnion.dev/docs/alerts';

/** A rule as Prometheus reads it. */
export interface AlertingRule {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly description: string; readonly runbook_url: string };
}

/** The content of a rule file, and the spec of a PrometheusRule. */
export interface RuleFile {
  readonly groups: readonly { readonly name: string; readonly rules: readonly AlertingRule[] }[];
}

export const ruleFile = (job: string, runbooks: string = RUNBOOKS): RuleFile => ({
  groups: alertGroups(job).map(({ name, alerts }) => ({ name, rules: alerts.map((alert) => ruleOf(alert, runbooks)) })),
});

const ruleOf = (alert: Alert, runbooks: string): AlertingRule => ({
  alert: alert.name,
  expr: alert.expr,
  ...(alert.for !== undefined && { for: alert.for }),
  labels: { severity: alert.severity },
  annotations: {
    summary: alert.summary,
    description: alert.description,
    runbook_url: `${runbooks}#${alert.name.toLowerCase()}`,
  },
});
