import type { Dashboard, Query, Row } from '../grafana/dashboard.ts';

/** Of the operator alone: other operators' metrics have the same names. */
const OURS = 'job=~"$job"';

const rate = (metric: string, by: string, labels = OURS): string =>
  `sum by (${by}) (rate(${metric}{${labels}}[$__rate_interval]))`;

/** The median and the slowest hundredth of a histogram. */
const quantiles = (metric: string, by: string): readonly Query[] =>
  [0.5, 0.99].map((quantile) => ({
    expr: `histogram_quantile(${quantile}, ${rate(`${metric}_bucket`, `le, ${by}`)})`,
    legend: `{{${by}}} p${quantile * 100}`,
  }));

const OVERVIEW: Row = {
  title: 'Overview',
  panels: [
    {
      type: 'stat',
      title: 'Leader',
      description: 'The pod that leads has 1, those that stand by have 0.',
      width: 6,
      queries: [{ expr: `leader_election_master_status{${OURS}}`, legend: '{{instance}}' }],
    },
    {
      type: 'stat',
      title: 'Version',
      description: 'Pods by the version that they run: more than one while the operator is being upgraded.',
      width: 6,
      queries: [{ expr: `count by (version) (trunnion_build_info{${OURS}})`, legend: '{{version}}' }],
    },
    {
      type: 'stat',
      title: 'Resources',
      description: 'Resources that the operator runs, by kind.',
      width: 6,
      queries: [
        {
          expr: `count by (kind) (max by (kind, namespace, name) (trunnion_resource_unobserved_generations{${OURS}}))`,
          legend: '{{kind}}',
        },
      ],
    },
    {
      type: 'stat',
      title: 'Changes not taken up',
      description:
        'Changes of specs that no status reports yet. More than 0 for minutes: see TrunnionChangeNotObserved.',
      width: 6,
      redFrom: 1,
      queries: [
        { expr: `sum(max by (kind, namespace, name) (trunnion_resource_unobserved_generations{${OURS}}))`, legend: '' },
      ],
    },
  ],
};

const RECONCILES: Row = {
  title: 'Reconciles',
  panels: [
    {
      type: 'timeseries',
      title: 'Reconciles',
      description: 'Passes over resources, by kind. At rest there are next to none.',
      unit: 'ops',
      queries: [{ expr: rate('controller_runtime_reconcile_total', 'controller'), legend: '{{controller}}' }],
    },
    {
      type: 'timeseries',
      title: 'How they ended',
      description: 'success: no action is left; requeue_after: looked at again at a time; requeue: tried again.',
      unit: 'ops',
      stacked: true,
      queries: [{ expr: rate('controller_runtime_reconcile_total', 'result'), legend: '{{result}}' }],
    },
    {
      type: 'timeseries',
      title: 'Time of a reconcile',
      description: 'The median and the slowest hundredth, by kind. Most of it is waiting for the API server.',
      unit: 's',
      queries: quantiles('controller_runtime_reconcile_time_seconds', 'controller'),
    },
    {
      type: 'timeseries',
      title: 'Errors',
      description: 'Passes that failed as a whole: the log says why.',
      unit: 'ops',
      queries: [{ expr: rate('controller_runtime_reconcile_errors_total', 'controller'), legend: '{{controller}}' }],
    },
    {
      type: 'timeseries',
      title: 'Steps that failed',
      description: 'Writes of children that were refused, by reason. The condition of the resource has the words.',
      unit: 'ops',
      queries: [{ expr: rate('trunnion_step_failures_total', 'reason'), legend: '{{reason}}' }],
    },
    {
      type: 'timeseries',
      title: 'Workers',
      description: 'Workers that are busy, and how many there are.',
      queries: [
        { expr: `sum by (controller) (controller_runtime_active_workers{${OURS}})`, legend: '{{controller}} busy' },
        {
          expr: `max by (controller) (controller_runtime_max_concurrent_reconciles{${OURS}})`,
          legend: '{{controller}}',
        },
      ],
    },
  ],
};

const QUEUE: Row = {
  title: 'Queue',
  panels: [
    {
      type: 'timeseries',
      title: 'Depth',
      description: 'Resources that wait to be looked at now.',
      queries: [{ expr: `sum by (name) (workqueue_depth{${OURS}})`, legend: '{{name}}' }],
    },
    {
      type: 'timeseries',
      title: 'Time waited',
      description: 'How long a resource waits for a worker.',
      unit: 's',
      queries: quantiles('workqueue_queue_duration_seconds', 'name'),
    },
    {
      type: 'timeseries',
      title: 'Time worked on',
      description: 'How long a worker is busy with a resource.',
      unit: 's',
      queries: quantiles('workqueue_work_duration_seconds', 'name'),
    },
    {
      type: 'timeseries',
      title: 'Adds',
      description: 'Resources that were added to the queue.',
      unit: 'ops',
      queries: [{ expr: rate('workqueue_adds_total', 'name'), legend: '{{name}}' }],
    },
    {
      type: 'timeseries',
      title: 'Retries',
      description: 'Resources that were put back after a failure.',
      unit: 'ops',
      queries: [{ expr: rate('workqueue_retries_total', 'name'), legend: '{{name}}' }],
    },
    {
      type: 'timeseries',
      title: 'Under way',
      description: 'For how long the slowest reconcile under way has been; it is broken off after two minutes.',
      unit: 's',
      queries: [
        { expr: `max by (name) (workqueue_longest_running_processor_seconds{${OURS}})`, legend: '{{name}} longest' },
        { expr: `sum by (name) (workqueue_unfinished_work_seconds{${OURS}})`, legend: '{{name}} in all' },
      ],
    },
  ],
};

const API_SERVER: Row = {
  title: 'API server',
  panels: [
    {
      type: 'timeseries',
      title: 'Requests',
      description: 'Requests to the API server, by verb.',
      unit: 'reqps',
      queries: [{ expr: rate('rest_client_requests_total', 'verb'), legend: '{{verb}}' }],
    },
    {
      type: 'timeseries',
      title: 'Answers',
      description: 'The same by HTTP status; a word is the error of a request that got no answer.',
      unit: 'reqps',
      queries: [{ expr: rate('rest_client_requests_total', 'code'), legend: '{{code}}' }],
    },
    {
      type: 'timeseries',
      title: 'Time of a request',
      description: 'The median and the slowest hundredth, by verb, without watches.',
      unit: 's',
      queries: quantiles('rest_client_request_duration_seconds', 'verb'),
    },
  ],
};

const CACHES: Row = {
  title: 'Caches',
  panels: [
    {
      type: 'timeseries',
      title: 'Objects',
      description: 'Objects that the operator keeps, by type.',
      queries: [{ expr: `max by (type) (trunnion_cache_objects{${OURS}})`, legend: '{{type}}' }],
    },
    {
      type: 'timeseries',
      title: 'State',
      description: 'Caches by how they stand to the API server: all should be live.',
      stacked: true,
      queries: [{ expr: `count by (state) (trunnion_cache_state{${OURS}})`, legend: '{{state}}' }],
    },
    {
      type: 'timeseries',
      title: 'Watches that failed',
      description: 'Lists and watches that had to be begun again, by type.',
      unit: 'ops',
      queries: [{ expr: rate('trunnion_watch_failures_total', 'type'), legend: '{{type}}' }],
    },
    {
      type: 'timeseries',
      title: 'Events not sent',
      description: 'Kubernetes events that were dropped. Nothing else fails for it.',
      unit: 'ops',
      queries: [{ expr: rate('trunnion_events_dropped_total', 'instance'), legend: '{{instance}}' }],
    },
    {
      type: 'stat',
      title: 'First sync',
      description:
        'How long it took at the start until all caches were complete, and the longest turn of the event loop.',
      unit: 's',
      queries: [
        { expr: `max(trunnion_initial_sync_seconds{${OURS}})`, legend: 'in all' },
        { expr: `max(trunnion_initial_sync_longest_turn_seconds{${OURS}})`, legend: 'longest turn' },
      ],
    },
  ],
};

const PROCESS: Row = {
  title: 'Process',
  panels: [
    {
      type: 'timeseries',
      title: 'Processor',
      description: 'Seconds of processor time a second, by pod.',
      queries: [{ expr: rate('process_cpu_seconds_total', 'instance'), legend: '{{instance}}' }],
    },
    {
      type: 'timeseries',
      title: 'Memory',
      description: 'Resident memory, and how much of it JavaScript uses.',
      unit: 'bytes',
      queries: [
        { expr: `process_resident_memory_bytes{${OURS}}`, legend: '{{instance}}' },
        { expr: `nodejs_heap_size_used_bytes{${OURS}}`, legend: '{{instance}} heap' },
      ],
    },
    {
      type: 'timeseries',
      title: 'Event loop',
      description: 'How late timers are. Above 2 s for long, the kubelet starts the pod again.',
      unit: 's',
      queries: [{ expr: `nodejs_eventloop_lag_p99_seconds{${OURS}}`, legend: '{{instance}}' }],
    },
  ],
};

/** How the operator itself is doing. */
export const operatorDashboard: Dashboard = {
  uid: 'trunnion-operator',
  title: 'Trunnion / Operator',
  description: 'How the operator itself is doing: its reconciles, its queue, its requests to the API server.',
  variables: [{ name: 'job', of: 'trunnion_build_info' }],
  rows: [OVERVIEW, RECONCILES, QUEUE, API_SERVER, CACHES, PROCESS],
};
