/** A series, with its values minute by minute in promtool's notation: `0+5x60` begins at 0 and grows by 5, 60 times. */
export type InputSeries = readonly [series: string, values: string];

/** What makes an alert fire, and what is much like it and does not. */
export interface AlertCase {
  readonly fires: readonly InputSeries[];
  /** When it is looked at. */
  readonly at: string;
  /** The labels that it fires with, beside its name and severity. */
  readonly labels: Readonly<Record<string, string>>;
  /** Its line, with these labels in it. */
  readonly summary: string;
  readonly quiet: readonly InputSeries[];
}

const JOB = 'job="trunnion-operator"';
const LLAMA = 'kind="ModelServing",namespace="models",name="llama"';
const RESNET = 'kind="DistributedTraining",namespace="ml",name="resnet"';
const llama = { kind: 'ModelServing', namespace: 'models', name: 'llama' };
const resnet = { kind: 'DistributedTraining', namespace: 'ml', name: 'resnet' };

const build: InputSeries = [`trunnion_build_info{${JOB},version="1.0.0"}`, '1x1440'];
const phase = (resource: string, name: string, values: string): InputSeries => [
  `trunnion_resource_phase{${resource},phase="${name}",${JOB}}`,
  values,
];
const queue = (slow: boolean): readonly InputSeries[] =>
  [
    ['10', slow ? '0x60' : '0+10x60'],
    ['30', slow ? '0x60' : '0+10x60'],
    ['60', '0+10x60'],
    ['+Inf', '0+10x60'],
  ].map(([le = '', values = '']) => [
    `workqueue_queue_duration_seconds_bucket{${JOB},name="Widget",le="${le}"}`,
    values,
  ]);

/** A case of each alert, by its name. */
export const ALERT_CASES: Readonly<Record<string, AlertCase>> = {
  TrunnionOperatorDown: {
    fires: [['trunnion_build_info{job="another-operator"}', '1x60']],
    at: '10m',
    labels: { job: 'trunnion-operator' },
    summary: 'No Trunnion operator is scraped.',
    quiet: [build],
  },
  TrunnionNoLeader: {
    fires: ['a', 'b'].map((pod) => [
      `leader_election_master_status{${JOB},name="trunnion-operator",pod="${pod}"}`,
      '0x60',
    ]),
    at: '10m',
    labels: { name: 'trunnion-operator' },
    summary: 'No Trunnion operator leads.',
    quiet: [
      [`leader_election_master_status{${JOB},name="trunnion-operator",pod="a"}`, '0x60'],
      [`leader_election_master_status{${JOB},name="trunnion-operator",pod="b"}`, '1x60'],
    ],
  },
  TrunnionReconcileErrors: {
    fires: [
      [`controller_runtime_reconcile_errors_total{${JOB},controller="Widget"}`, '0+2x60'],
      [`controller_runtime_reconcile_total{${JOB},controller="Widget",result="error"}`, '0+2x60'],
      [`controller_runtime_reconcile_total{${JOB},controller="Widget",result="success"}`, '0+8x60'],
    ],
    at: '40m',
    labels: { controller: 'Widget' },
    summary: 'More than a tenth of the reconciles of Widget fail.',
    quiet: [
      [`controller_runtime_reconcile_errors_total{${JOB},controller="Widget"}`, '0+1x60'],
      [`controller_runtime_reconcile_total{${JOB},controller="Widget",result="error"}`, '0+1x60'],
      [`controller_runtime_reconcile_total{${JOB},controller="Widget",result="success"}`, '0+99x60'],
    ],
  },
  TrunnionStepsRefused: {
    fires: [[`trunnion_step_failures_total{${JOB},controller="Widget",reason="Forbidden"}`, '0+1x60']],
    at: '40m',
    labels: { controller: 'Widget', reason: 'Forbidden' },
    summary: 'The API server refuses what Widget needs: Forbidden.',
    quiet: [
      [`trunnion_step_failures_total{${JOB},controller="Widget",reason="Forbidden"}`, '3x60'],
      [`trunnion_step_failures_total{${JOB},controller="Widget",reason="ApiError"}`, '0+1x60'],
    ],
  },
  TrunnionQueueSlow: {
    fires: queue(true),
    at: '40m',
    labels: { name: 'Widget' },
    summary: 'Changes of Widget wait for long until they are looked at.',
    quiet: queue(false),
  },
  TrunnionApiErrors: {
    fires: [
      [`rest_client_requests_total{${JOB},code="503",verb="apply"}`, '0+1x60'],
      [`rest_client_requests_total{${JOB},code="ECONNREFUSED",verb="apply"}`, '0+1x60'],
      [`rest_client_requests_total{${JOB},code="200",verb="apply"}`, '0+8x60'],
    ],
    at: '40m',
    labels: { job: 'trunnion-operator' },
    summary: 'More than a tenth of the requests of the operator fail at the API server.',
    quiet: [
      [`rest_client_requests_total{${JOB},code="409",verb="apply"}`, '0+5x60'],
      [`rest_client_requests_total{${JOB},code="200",verb="apply"}`, '0+5x60'],
    ],
  },
  TrunnionCacheNotLive: {
    fires: [[`trunnion_cache_state{${JOB},type="apps/Deployment",state="forbidden"}`, '1x60']],
    at: '20m',
    labels: { type: 'apps/Deployment', state: 'forbidden' },
    summary: 'The cache of apps/Deployment is forbidden.',
    quiet: [[`trunnion_cache_state{${JOB},type="apps/Deployment",state="live"}`, '1x60']],
  },
  TrunnionEventsDropped: {
    fires: [[`trunnion_events_dropped_total{${JOB}}`, '0+1x60']],
    at: '20m',
    labels: { job: 'trunnion-operator' },
    summary: 'Kubernetes events were not sent.',
    quiet: [[`trunnion_events_dropped_total{${JOB}}`, '4x60']],
  },
  TrunnionResourceFailed: {
    fires: [phase(LLAMA, 'Failed', '1x60')],
    at: '10m',
    labels: llama,
    summary: 'ModelServing models/llama has failed.',
    quiet: [phase(LLAMA, 'Failed', '1x3 0x60'), phase(LLAMA, 'Running', '0x3 1x60')],
  },
  TrunnionResourceStalled: {
    fires: [[`trunnion_resource_condition{${LLAMA},condition="Stalled"}`, '1x60']],
    at: '10m',
    labels: llama,
    summary: 'The operator makes no progress with ModelServing models/llama.',
    quiet: [
      [`trunnion_resource_condition{${LLAMA},condition="Stalled"}`, '1x3 0x60'],
      [`trunnion_resource_condition{${LLAMA},condition="Ready"}`, '1x60'],
    ],
  },
  TrunnionReplicasMissing: {
    fires: [
      [`trunnion_resource_replicas{${LLAMA}}`, '3x120'],
      [`trunnion_resource_ready_replicas{${LLAMA}}`, '2x120'],
    ],
    at: '45m',
    labels: llama,
    summary: 'ModelServing models/llama has fewer ready pods than it should.',
    quiet: [
      [`trunnion_resource_replicas{${LLAMA}}`, '3x120'],
      [`trunnion_resource_ready_replicas{${LLAMA}}`, '2x20 3x100'],
      // A training says itself what it waits for.
      [`trunnion_resource_replicas{${RESNET}}`, '3x120'],
      [`trunnion_resource_ready_replicas{${RESNET}}`, '2x120'],
    ],
  },
  TrunnionResourcePending: {
    fires: [phase(RESNET, 'Pending', '1x120')],
    at: '70m',
    labels: resnet,
    summary: 'DistributedTraining ml/resnet has been Pending for an hour.',
    quiet: [
      phase(RESNET, 'Pending', '1x50 0x70'),
      // Its pods are told of by TrunnionReplicasMissing.
      phase(LLAMA, 'Pending', '1x120'),
      [`trunnion_resource_replicas{${LLAMA}}`, '1x120'],
      [`trunnion_resource_ready_replicas{${LLAMA}}`, '0x120'],
    ],
  },
  TrunnionChangeNotObserved: {
    fires: [[`trunnion_resource_unobserved_generations{${LLAMA}}`, '2x60']],
    at: '20m',
    labels: llama,
    summary: 'A change of ModelServing models/llama is not taken up.',
    quiet: [[`trunnion_resource_unobserved_generations{${LLAMA}}`, '1 0 1 0x60']],
  },
  TrunnionDownloadStalled: {
    fires: [phase(LLAMA, 'Downloading', '1x60'), [`trunnion_weights_fetched_bytes{${LLAMA}}`, '0+100x5 500x60']],
    at: '50m',
    labels: llama,
    summary: 'The weights of ModelServing models/llama do not come.',
    quiet: [phase(LLAMA, 'Downloading', '1x60'), [`trunnion_weights_fetched_bytes{${LLAMA}}`, '0+100x60']],
  },
  TrunnionDrainSlow: {
    fires: [phase(LLAMA, 'Draining', '1x60')],
    at: '45m',
    labels: llama,
    summary: 'ModelServing models/llama has been draining for half an hour.',
    quiet: [phase(LLAMA, 'Draining', '1x10 0x60')],
  },
  TrunnionRequestsCut: {
    fires: [['trunnion_drain_requests_cut_total{controller="ModelServing"}', '0x10 3x60']],
    at: '15m',
    labels: { controller: 'ModelServing' },
    summary: 'Requests were cut when a ModelServing was taken out of service.',
    quiet: [['trunnion_drain_requests_cut_total{controller="ModelServing"}', '3x60']],
  },
  TrunnionTrainingFailing: {
    fires: [[`trunnion_training_failures{${RESNET}}`, '0x20 1x10 2x10 4x30']],
    at: '60m',
    labels: resnet,
    summary: 'DistributedTraining ml/resnet fails again and again.',
    quiet: [[`trunnion_training_failures{${RESNET}}`, '3x40 4x30']],
  },
  TrunnionTrainingQueued: {
    fires: [phase(RESNET, 'Queued', '1x600')],
    at: '400m',
    labels: resnet,
    summary: 'DistributedTraining ml/resnet has waited in its queue for six hours.',
    quiet: [phase(RESNET, 'Queued', '1x300 0x300')],
  },
  TrunnionTrialsFailing: {
    fires: [
      [`trunnion_tuning_trials{${RESNET},state="failed"}`, '4x10'],
      [`trunnion_tuning_trials{${RESNET},state="succeeded"}`, '1x10'],
    ],
    at: '5m',
    labels: resnet,
    summary: 'Most trials of DistributedTraining ml/resnet end without a value.',
    quiet: [
      [`trunnion_tuning_trials{${RESNET},state="failed"}`, '4x10'],
      [`trunnion_tuning_trials{${RESNET},state="succeeded"}`, '9x10'],
    ],
  },
};
