import { DESCRIBE, RESOURCE } from './alert.ts';
import type { Alert } from './alert.ts';

/** Once a resource: while the lead changes hands, two operators may have told of it. */
const once = (selector: string): string => `max by (kind, namespace, name) (${selector})`;

const inPhase = (phases: string): string => `${once(`trunnion_resource_phase{phase=~"${phases}"}`)} == 1`;

const REPLICAS_MISSING = `${once('trunnion_resource_replicas{kind!="DistributedTraining"}')} > ${once('trunnion_resource_ready_replicas')}`;

/** About the workloads. */
export const WORKLOAD_ALERTS: readonly Alert[] = [
  {
    name: 'TrunnionResourceFailed',
    severity: 'warning',
    expr: inPhase('Failed|Error'),
    for: '5m',
    summary: `${RESOURCE} has failed.`,
    description: `${RESOURCE} does not work, and will not until something is changed.`,
    steps: [DESCRIBE, 'A training that has failed is not tried again: correct it, and make a new one.'],
  },
  {
    name: 'TrunnionResourceStalled',
    severity: 'warning',
    expr: `${once('trunnion_resource_condition{condition="Stalled"}')} == 1`,
    for: '5m',
    summary: `The operator makes no progress with ${RESOURCE}.`,
    description: `The operator failed at ${RESOURCE}, can not write its status, or has set it aside because it held up others. All other resources are served.`,
    steps: [
      DESCRIBE,
      'The condition Stalled has the error and says what to do; the reasons are in the page on troubleshooting.',
    ],
  },
  {
    name: 'TrunnionReplicasMissing',
    severity: 'warning',
    expr: REPLICAS_MISSING,
    for: '30m',
    summary: `${RESOURCE} has fewer ready pods than it should.`,
    description: `${RESOURCE} has wanted {{ $value }} pods for half an hour, and not all of them are ready.`,
    steps: [
      DESCRIBE,
      '`kubectl get pods -l app.kubernetes.io/instance=NAME -n NAMESPACE`: a pod that is Pending waits for a node, a GPU or a volume, one that restarts says why in its log.',
    ],
  },
  {
    // A training, or the pod that fetches weights: what waits for a node is no failure, and may be one that never comes.
    name: 'TrunnionResourcePending',
    severity: 'warning',
    expr: `${inPhase('Pending')} unless on (kind, namespace, name) (${REPLICAS_MISSING})`,
    for: '1h',
    summary: `${RESOURCE} has been Pending for an hour.`,
    description: `${RESOURCE} has waited for an hour for what it needs to run: nodes, GPUs, a volume.`,
    steps: [
      DESCRIBE,
      '`trunnion status NAME -n NAMESPACE`: what its pods lack, how much the largest node has, and what the autoscaler says.',
    ],
  },
  {
    name: 'TrunnionChangeNotObserved',
    severity: 'warning',
    expr: `${once('trunnion_resource_unobserved_generations')} > 0`,
    for: '10m',
    summary: `A change of ${RESOURCE} is not taken up.`,
    description: `Its status does not report its last {{ $value }} changes: the operator has not reconciled it yet, or cannot write its status.`,
    steps: [
      'The log of the operator has the name of the resource: look for `the pass failed`.',
      'An event `OutdatedCRD` on the resource means that the CRDs are older than the operator: apply those of this version.',
      'If all resources are concerned, see TrunnionNoLeader and TrunnionQueueSlow.',
    ],
  },
  {
    name: 'TrunnionDownloadStalled',
    severity: 'warning',
    expr: `${inPhase('Downloading')} unless on (kind, namespace, name) ${once('changes(trunnion_weights_fetched_bytes[15m])')} > 0`,
    for: '15m',
    summary: `The weights of ${RESOURCE} do not come.`,
    description: `${RESOURCE} has been fetching its weights, and for a quarter of an hour not a byte was added.`,
    steps: [
      DESCRIBE,
      '`kubectl logs -n NAMESPACE -l app.kubernetes.io/instance=NAME -c fetch`: what the fetcher waits for.',
      'What it may reach is in `spec.egress`; credentials are in the Secret that `spec.model` names.',
    ],
  },
  {
    name: 'TrunnionDrainSlow',
    severity: 'info',
    expr: inPhase('Draining'),
    for: '30m',
    summary: `${RESOURCE} has been draining for half an hour.`,
    description: `${RESOURCE} waits for requests in flight. It ends at the latest after spec.drain.timeoutSeconds.`,
    steps: ['`kubectl get KIND NAME -o jsonpath={.status.drain}`: when it began, and how many requests are in flight.'],
  },
  {
    name: 'TrunnionRequestsCut',
    severity: 'warning',
    expr: 'sum by (controller) (increase(trunnion_drain_requests_cut_total[1h])) > 0',
    summary: 'Requests were cut when a {{ $labels.controller }} was taken out of service.',
    description:
      'In the last hour about {{ $value | humanize }} requests were still in flight when the time for their drain was over.',
    steps: [
      'The event `Retired` of the service, and its conditions, say which it was.',
      'Raise `spec.drain.timeoutSeconds` above the longest answer of the model.',
    ],
  },
  {
    name: 'TrunnionTrainingFailing',
    severity: 'warning',
    expr: `${once('delta(trunnion_training_failures[1h])')} >= 3`,
    summary: `${RESOURCE} fails again and again.`,
    description: `The program of ${RESOURCE} has failed {{ $value }} times in an hour; it starts again until retry.limit is used up.`,
    steps: [
      DESCRIBE,
      '`kubectl get KIND NAME -o jsonpath={.status.attempts}`: the rank, the exit code and the last words of each attempt.',
    ],
  },
  {
    name: 'TrunnionTrainingQueued',
    severity: 'info',
    expr: inPhase('Queued'),
    for: '6h',
    summary: `${RESOURCE} has waited in its queue for six hours.`,
    description: `${RESOURCE} has not been admitted: its queue has no room for it.`,
    steps: [
      '`kubectl get workloads -n NAMESPACE`: what Kueue says of it. Its queue may be too small for it, or others go first.',
    ],
  },
  {
    name: 'TrunnionTrialsFailing',
    severity: 'warning',
    expr: `(${once('trunnion_tuning_trials{state="failed"}')} > ${once('trunnion_tuning_trials{state="succeeded"}')}) > 2`,
    summary: `Most trials of ${RESOURCE} end without a value.`,
    description: `{{ $value }} trials of ${RESOURCE} have failed: more than have succeeded.`,
    steps: [
      '`kubectl get KIND NAME -o jsonpath={.status.tuning.trials}`: the reason of each.',
      'A trial that ends well without telling its metric counts as failed: see the concept page on tuning.',
    ],
  },
];
