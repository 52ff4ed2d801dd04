import type { Labels } from '../parts/objects/index.ts';
import type { Manifest } from '../workload.ts';
import type { Named } from './names.ts';
import { leastPods, podCount, rolesOf } from './roles.ts';
import type { DistributedTrainingSpec } from './spec.ts';

/** By this label of a Job or a pod Kueue knows what to admit. */
export const QUEUE_LABEL = 'kueue.x-k8s.io/queue-name';

/** What pods have so that a scheduler starts all of them or none. */
export interface GangOfPods {
  readonly labels?: Labels;
  readonly annotations?: Labels;
  readonly schedulerName?: string;
}

const isVolcano = ({ gang }: DistributedTrainingSpec): boolean => gang?.scheduler === 'volcano';

/** Kueue admits a Job as a whole. Where there are several Jobs, it must be told which pods belong together. */
const isPodGroup = (spec: DistributedTrainingSpec): boolean =>
  spec.gang?.scheduler === 'kueue' && rolesOf(spec).all.length > 1;

/** Whether Kueue suspends the Jobs, and resumes them once they are admitted. */
export const isQueued = (spec: DistributedTrainingSpec): boolean =>
  spec.queue !== undefined && !isVolcano(spec) && !isPodGroup(spec);

/** The labels by which Kueue finds a Job. */
export const queueLabels = (spec: DistributedTrainingSpec): Labels =>
  spec.queue !== undefined && isQueued(spec) ? { [QUEUE_LABEL]: spec.queue } : {};

export function gangOfPods({ name, spec, attempt }: Named): GangOfPods {
  if (isVolcano(spec)) return { annotations: { 'scheduling.k8s.io/group-name': name }, schedulerName: 'volcano' };
  if (!isPodGroup(spec) || spec.queue === undefined) return {};
  return {
    labels: { [QUEUE_LABEL]: spec.queue, 'kueue.x-k8s.io/pod-group-name': `${name}-${attempt}` },
    annotations: {
      'kueue.x-k8s.io/pod-group-total-count': String(podCount(spec)),
      // Else Kueue keeps what has failed, and its share of the quota, until something takes its place in the same group.
      'kueue.x-k8s.io/retriable-in-group': 'false',
    },
  };
}

/** Volcano's PodGroup, where Volcano is asked for. */
export function podGroup(metadata: Manifest['metadata'], spec: DistributedTrainingSpec): Manifest | undefined {
  if (!isVolcano(spec)) return undefined;
  return {
    apiVersion: 'scheduling.volcano.sh/v1beta1',
    kind: 'PodGroup',
    metadata,
    spec: {
      minMember: leastPods(spec),
      ...(spec.queue !== undefined && { queue: spec.queue }),
      ...(spec.priorityClassName !== undefined && { priorityClassName: spec.priorityClassName }),
    },
  };
}
