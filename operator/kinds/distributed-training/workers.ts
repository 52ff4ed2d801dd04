import { MOST_TOLD } from '../../../constructs/distributed-training/status.ts';
import type { DistributedTrainingStatus } from '../../../constructs/distributed-training/status.ts';
import { programEnd } from './pod-end.ts';
import { currentRanks, isDone } from './observed.ts';
import type { Rank, Observed } from './observed.ts';

export type Worker = NonNullable<DistributedTrainingStatus['workerStatuses']>[number];

/** Phases of which a person wants to know first. */
const URGENCY = ['Failed', 'Unknown', 'Terminating', 'Pending'];

/**
 * A line a rank; of many ranks those that failed and those that keep others waiting. Next come those that are done and whose
 * pods go, or are gone: nothing else remembers that.
 */
export function workersOf(observed: Observed): readonly Worker[] {
  return currentRanks(observed)
    .map((rank) => ({
      line: workerOf(observed, rank),
      isLeft: isDone(rank) && (rank.gone === true || rank.pod.deleting),
    }))
    .toSorted((a, b) => urgencyOf(a) - urgencyOf(b))
    .map(({ line }) => line)
    .slice(0, MOST_TOLD);
}

function workerOf({ roles }: Observed, each: Rank): Worker {
  const { role, rank, pod } = each;
  const exitCode = pod.phase === 'Succeeded' ? 0 : programEnd(pod)?.exitCode;
  return {
    rank,
    ...(roles.all.length > 1 && { role }),
    pod: pod.name,
    ...(pod.node !== undefined && { node: pod.node }),
    phase: pod.deleting && !isDone(each) ? 'Terminating' : pod.phase,
    ...(exitCode !== undefined && { exitCode }),
  };
}

function urgencyOf({ line, isLeft }: { readonly line: Worker; readonly isLeft: boolean }): number {
  const index = URGENCY.indexOf(line.phase);
  return index < 0 ? URGENCY.length + (isLeft ? 0 : 1) : index;
}
