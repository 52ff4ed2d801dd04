import type { Gauge, Sample, CommonStatus } from '../../engine/api/index.ts';

/** The status of a kind that can be scaled. */
interface ScaledStatus extends CommonStatus {
  readonly replicas?: number;
  readonly readyReplicas?: number;
}

/** A sample where there is a value. */
export const sample = (value: number | undefined): readonly Sample[] => (value === undefined ? [] : [{ value }]);

/** How many pods there are, and how many of them are ready. */
export const REPLICA_GAUGES: readonly Gauge<ScaledStatus>[] = [
  {
    name: 'trunnion_resource_replicas',
    help: 'Pods that there are, or are about to be.',
    of: ({ replicas }) => sample(replicas),
  },
  {
    name: 'trunnion_resource_ready_replicas',
    help: 'Pods that take requests; of a training, those that run or have succeeded.',
    of: ({ readyReplicas }) => sample(readyReplicas),
  },
];
