import type { Alert } from './alert.ts';
import { operatorAlerts } from './operator.ts';
import { WORKLOAD_ALERTS } from './workloads.ts';

export type { Alert };

/** Alerts of one group, which Prometheus evaluates together. */
export interface AlertGroup {
  readonly name: string;
  readonly title: string;
  readonly alerts: readonly Alert[];
}

/** All alerts. @param job - the label `job` of the operator's scrape */
export const alertGroups = (job: string): readonly AlertGroup[] => [
  { name: 'trunnion-operator', title: 'The operator', alerts: operatorAlerts(job) },
  { name: 'trunnion-workloads', title: 'The workloads', alerts: WORKLOAD_ALERTS },
];
