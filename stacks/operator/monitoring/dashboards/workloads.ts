import type { Dashboard, Row } from '../grafana/dashboard.ts';
import { ENGINE_METRICS } from '../engines.ts';

const CHOSEN = 'kind=~"$kind",namespace=~"$namespace",name=~"$name"';

/** Once a resource: while the lead changes hands, two operators may have told of it. */
const once = (
  metric: string,
  { where = '', by = '' }: { readonly where?: string; readonly by?: string } = {},
): string =>
  `max by (${['kind', 'namespace', 'name', ...(by === '' ? [] : [by])].join(', ')}) (${metric}{${CHOSEN}${where}})`;

const NAMED = '{{namespace}}/{{name}}';

const PHASES: Row = {
  title: 'Phases',
  panels: [
    {
      type: 'timeseries',
      title: 'Resources by phase',
      description: 'How many resources are in each phase.',
      width: 16,
      stacked: true,
      queries: [
        {
          expr: `sum by (kind, phase) (${once('trunnion_resource_phase', { by: 'phase' })}) > 0`,
          legend: '{{kind}} {{phase}}',
        },
      ],
    },
    {
      type: 'stat',
      title: 'Failed',
      description: 'Resources that do not work, and will not until something is changed.',
      redFrom: 1,
      queries: [
        { expr: `sum(${once('trunnion_resource_phase', { where: ',phase=~"Failed|Error"' })})`, legend: 'failed' },
      ],
    },
    {
      type: 'table',
      title: 'Where each stands',
      description: 'The phase of each resource.',
      width: 12,
      columns: ['kind', 'namespace', 'name', 'phase'],
      queries: [{ expr: `${once('trunnion_resource_phase', { by: 'phase' })} == 1` }],
    },
    {
      type: 'table',
      title: 'Conditions that do not hold',
      description: 'kubectl describe of the resource says why, and what to do.',
      width: 12,
      columns: ['kind', 'namespace', 'name', 'condition'],
      none: 'all hold',
      queries: [
        {
          expr: `${once('trunnion_resource_condition', { where: ',condition=~"Accepted|Ready|Available"', by: 'condition' })} == 0`,
        },
      ],
    },
  ],
};

const REPLICAS: Row = {
  title: 'Replicas',
  panels: [
    {
      type: 'timeseries',
      title: 'Ready',
      description: 'Pods that take requests, or, of a training, run.',
      width: 12,
      queries: [{ expr: once('trunnion_resource_ready_replicas'), legend: NAMED }],
    },
    {
      type: 'timeseries',
      title: 'Missing',
      description: 'Pods that there should be and that are not ready.',
      width: 12,
      queries: [
        { expr: `${once('trunnion_resource_replicas')} - ${once('trunnion_resource_ready_replicas')}`, legend: NAMED },
      ],
    },
  ],
};

const MODELS: Row = {
  title: 'Models',
  panels: [
    {
      type: 'bargauge',
      title: 'Weights',
      description: 'How much of the weights is there.',
      unit: 'percentunit',
      queries: [
        { expr: `${once('trunnion_weights_fetched_bytes')} / ${once('trunnion_weights_size_bytes')}`, legend: NAMED },
      ],
    },
    {
      type: 'timeseries',
      title: 'Download',
      description: 'Bytes of weights a second, as the status tells: it is updated every ten seconds.',
      unit: 'Bps',
      queries: [
        {
          expr: `max by (kind, namespace, name) (deriv(trunnion_weights_fetched_bytes{${CHOSEN}}[2m]))`,
          legend: NAMED,
        },
      ],
    },
    {
      type: 'timeseries',
      title: 'Drains: requests in flight',
      description: 'Requests that a service on its way out still waits for.',
      none: 'no drain is under way',
      queries: [{ expr: once('trunnion_drain_requests_in_flight'), legend: NAMED }],
    },
    {
      type: 'stat',
      title: 'Drains: requests cut',
      description: 'Requests that were still in flight when the time for their drain was over, in this range.',
      redFrom: 1,
      queries: [
        {
          expr: 'sum by (controller) (increase(trunnion_drain_requests_cut_total{controller=~"$kind"}[$__range]))',
          legend: '{{controller}}',
        },
      ],
    },
    {
      type: 'stat',
      title: 'Drains',
      description: 'Drains that were over in this range.',
      queries: [
        {
          expr: 'sum by (controller) (increase(trunnion_drains_total{controller=~"$kind"}[$__range]))',
          legend: '{{controller}}',
        },
      ],
    },
  ],
};

const ENGINES: Row = {
  title: 'Engines',
  panels: [
    {
      type: 'timeseries',
      title: 'Requests running',
      description: 'Requests that the engines work on, by model; scraped from their pods.',
      queries: [{ expr: engineSum(ENGINE_METRICS.running), legend: NAMED }],
    },
    {
      type: 'timeseries',
      title: 'Requests waiting',
      description: 'Requests that wait for room in an engine: what to scale on.',
      queries: [{ expr: engineSum(ENGINE_METRICS.waiting), legend: NAMED }],
    },
    {
      type: 'timeseries',
      title: 'KV cache',
      description: 'How full the cache of the fullest engine of a model is.',
      unit: 'percentunit',
      queries: [{ expr: `max by (namespace, name) ({${engineLabels(ENGINE_METRICS.kvCacheUsage)}})`, legend: NAMED }],
    },
    {
      type: 'timeseries',
      title: 'Time to first token',
      description: 'The median and the slowest hundredth.',
      unit: 's',
      width: 12,
      queries: engineQuantiles(ENGINE_METRICS.timeToFirstToken),
    },
    {
      type: 'timeseries',
      title: 'Time between tokens',
      description: 'The median and the slowest hundredth.',
      unit: 's',
      width: 12,
      queries: engineQuantiles(ENGINE_METRICS.interTokenLatency),
    },
  ],
};

function engineLabels(names: readonly string[], suffix = ''): string {
  return `__name__=~"(${names.join('|')})${suffix}",namespace=~"$namespace",name=~"$name"`;
}

function engineSum(names: readonly string[]): string {
  return `sum by (namespace, name) ({${engineLabels(names)}})`;
}

function engineQuantiles(names: readonly string[]) {
  return [0.5, 0.99].map((quantile) => ({
    expr: `histogram_quantile(${quantile}, sum by (le, namespace, name) (rate({${engineLabels(names, '_bucket')}}[$__rate_interval])))`,
    legend: `${NAMED} p${quantile * 100}`,
  }));
}

const TRAININGS: Row = {
  title: 'Trainings',
  panels: [
    {
      type: 'timeseries',
      title: 'Attempt',
      description: 'The attempt that each training is at: a step is a restart.',
      queries: [{ expr: once('trunnion_training_attempt'), legend: NAMED }],
    },
    {
      type: 'timeseries',
      title: 'Failures',
      description: 'How much of its retry.limit a training has used up.',
      queries: [{ expr: once('trunnion_training_failures'), legend: NAMED }],
    },
    {
      type: 'stat',
      title: 'Attempts that ended',
      description: 'Attempts that ended without success in this range: charged where the program failed.',
      queries: [
        {
          expr: 'sum by (charged) (increase(trunnion_training_attempts_total{controller=~"$kind"}[$__range]))',
          legend: 'charged: {{charged}}',
        },
      ],
    },
    {
      type: 'timeseries',
      title: 'Trials',
      description: 'Trials of searches, by how they stand.',
      width: 12,
      stacked: true,
      queries: [{ expr: once('trunnion_tuning_trials', { by: 'state' }), legend: `${NAMED} {{state}}` }],
    },
    {
      type: 'timeseries',
      title: 'Best value',
      description: 'The value of the best trial of each search so far.',
      width: 12,
      queries: [{ expr: once('trunnion_tuning_best_value'), legend: NAMED }],
    },
  ],
};

/** How the workloads are doing. */
export const workloadsDashboard: Dashboard = {
  uid: 'trunnion-workloads',
  title: 'Trunnion / Workloads',
  description: 'How models, agents and trainings are doing: phases, replicas, downloads, drains, attempts, trials.',
  variables: [
    { name: 'kind', of: 'trunnion_resource_phase' },
    { name: 'namespace', of: 'trunnion_resource_phase{kind=~"$kind"}' },
    { name: 'name', of: 'trunnion_resource_phase{kind=~"$kind",namespace=~"$namespace"}' },
  ],
  rows: [PHASES, REPLICAS, MODELS, ENGINES, TRAININGS],
};
