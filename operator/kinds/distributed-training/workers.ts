import { MOST_TOLD } from '../../../constructs/distributed-training/status.ts';
import type { DistributedTrainingStatus } from '../../../constructs/distributed-training/spec.ts';
import { programEnd } from './pod-end.ts';
import { currentRanks } from './view.ts';
import type { Rank, View } from './view.ts';

export type Worker = NonNullable<DistributedTrainingStatus['workerStatuses']>[number];

/** Phases of which a person wants to know first. */
const URGENCY = ['Failed', 'Unknown', 'Terminating', 'Pending'];

/** A line a rank; of many ranks those that failed and those that keep others waiting. */
export function workersOf(view: View): readonly Worker[] {
  return currentRanks(view)
    .map((rank) => workerOf(view, rank))
    .toSorted((a, b) => urgencyOf(a) - urgencyOf(b))
    .slice(0, MOST_TOLD);
}

function workerOf({ roles }: View, { role, rank, pod }: Rank): Worker {
  const exitCode = pod.phase === 'Succeeded' ? 0 : programEnd(pod)?.exitCode;
  return {
    rank,
    ...(roles.all.length > 1 && { role }),
    pod: pod.name,
    ...(pod.node !== undefined && { node: pod.node }),
    phase: pod.deleting ? 'Terminating' : pod.phase,
    ...(exitCode !== undefined && { exitCode }),
  };
}

function urgencyOf({ phase }: Worker): number {
  const index = URGENCY.indexOf(phase);
  return index < 0 ? URGENCY.length : index;
}
