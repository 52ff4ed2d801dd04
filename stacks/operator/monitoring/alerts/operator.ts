import type { Alert } from './alert.ts';

/**
 * About the operator itself.
 *
 * @param job - the label `job` of its scrape: other operators' metrics have the same names
 */
export const operatorAlerts = (job: string): readonly Alert[] => {
  const ours = `job="${job}"`;
  return [
    {
      name: 'TrunnionOperatorDown',
      severity: 'critical',
      expr: `absent(trunnion_build_info{${ours}})`,
      for: '5m',
      summary: 'No Trunnion operator is scraped.',
      description:
        'What runs continues running, but no change is carried out, nothing that fails is tried again, and no drain ends.',
      steps: [
        '`kubectl get pods -n trunnion-system`: whether it runs, and what keeps it from starting.',
        '`kubectl logs -n trunnion-system deploy/trunnion-operator --previous`: why it ended.',
        'If it runs, Prometheus does not reach it: look at its targets, the ServiceMonitor and the NetworkPolicy.',
      ],
    },
    {
      name: 'TrunnionNoLeader',
      severity: 'critical',
      expr: `max by (name) (leader_election_master_status{${ours}}) == 0`,
      for: '5m',
      summary: 'No Trunnion operator leads.',
      description: 'No operator leads (all are on standby), so no change is carried out.',
      steps: [
        '`kubectl get lease trunnion-operator -n trunnion-system -o yaml`: who holds it, and until when.',
        'If the holder is no pod any more, the Lease runs out by itself after 15 s; if it does not, look for 403 in the log: the Role in the namespace of the Lease may be missing.',
      ],
    },
    {
      name: 'TrunnionReconcileErrors',
      severity: 'warning',
      expr: `sum by (controller) (rate(controller_runtime_reconcile_errors_total{${ours}}[10m])) / sum by (controller) (rate(controller_runtime_reconcile_total{${ours}}[10m])) > 0.1`,
      for: '15m',
      summary: 'More than a tenth of the reconciles of {{ $labels.controller }} fail.',
      description:
        '{{ $value | humanizePercentage }} of the passes over {{ $labels.controller }} end in an error and are tried again.',
      steps: [
        'The log of the operator that leads has a line of level `error` for each, with the kind, namespace and name of the resource.',
        'If they are of one resource, `kubectl describe` it. If they are of all, the API server does not answer, or refuses: see TrunnionApiErrors.',
      ],
    },
    {
      name: 'TrunnionStepsRefused',
      severity: 'warning',
      expr: `sum by (controller, reason) (rate(trunnion_step_failures_total{${ours},reason!="ApiError"}[10m])) > 0`,
      for: '15m',
      summary: 'The API server refuses what {{ $labels.controller }} needs: {{ $labels.reason }}.',
      description:
        'Some resource of kind {{ $labels.controller }} is not as it should be, since a write of one of its children is refused.',
      steps: [
        'The log has the words of the API server, with the resource: look for `some steps failed, will retry`.',
        '`Forbidden`: a right is missing, or an admission policy refuses. `QuotaExceeded`: raise the quota, or ask for less. `NameTaken`: another object has the name. `Invalid`: the message says which field. `NotServed`: a CRD that the spec needs is not installed.',
      ],
    },
    {
      name: 'TrunnionQueueSlow',
      severity: 'warning',
      expr: `histogram_quantile(0.99, sum by (le, name) (rate(workqueue_queue_duration_seconds_bucket{${ours}}[10m]))) > 30`,
      for: '15m',
      summary: 'Changes of {{ $labels.name }} wait for long until they are looked at.',
      description: 'One in a hundred waits for {{ $value | humanizeDuration }} for a worker.',
      steps: [
        'The dashboard Trunnion / Operator: whether the workers are all busy, and whether requests to the API server are slow.',
        'If a few resources keep the workers busy, find them in the log by their names. If the processor is the limit, raise what the pod gets.',
      ],
    },
    {
      name: 'TrunnionApiErrors',
      severity: 'warning',
      expr: `sum by (job) (rate(rest_client_requests_total{${ours},code!~"[234].."}[10m])) / sum by (job) (rate(rest_client_requests_total{${ours}}[10m])) > 0.1`,
      for: '15m',
      summary: 'More than a tenth of the requests of the operator fail at the API server.',
      description: '{{ $value | humanizePercentage }} of its requests get no answer, or one of 500 and above.',
      steps: [
        'The panel Answers of the dashboard Trunnion / Operator: a word is an error of the network, a number a status.',
        'Look at the API server itself, and at what lies between: NetworkPolicy, proxy, certificates.',
      ],
    },
    {
      name: 'TrunnionCacheNotLive',
      severity: 'warning',
      expr: `max by (type, state) (trunnion_cache_state{${ours},state!="live"}) == 1`,
      for: '10m',
      summary: 'The cache of {{ $labels.type }} is {{ $labels.state }}.',
      description: 'Changes of {{ $labels.type }} are not seen, so what depends on them does not happen.',
      steps: [
        '`forbidden`: a right is missing; apply the RBAC of this version. `missing`: the CRD is not there. `retrying`: the API server does not answer.',
        'The log has a line `watch failed` with the type and the words of the API server.',
      ],
    },
    {
      name: 'TrunnionEventsDropped',
      severity: 'info',
      expr: `sum by (job) (increase(trunnion_events_dropped_total{${ours}}[15m])) > 0`,
      summary: 'Kubernetes events were not sent.',
      description:
        '{{ $value | humanize }} events were dropped in 15 minutes. The workloads are not affected: their conditions say the same.',
      steps: ['At level `debug` the log says why each was dropped: a full queue, or a refusal of the API server.'],
    },
  ];
};
