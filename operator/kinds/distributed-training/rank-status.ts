import { MOST_REPORTED } from '../../../constructs/distributed-training/status.ts';
import type { DistributedTrainingStatus } from '../../../constructs/distributed-training/status.ts';
import { programFailure } from './pod-end.ts';
import { currentRanks, isDone, isUp } from './ranks.ts';
import type { Rank } from './ranks.ts';
import type { Observed } from './observed.ts';

type RankStatus = Pick<DistributedTrainingStatus, 'replicas' | 'readyReplicas' | 'workerStatuses'>;

type Worker = NonNullable<DistributedTrainingStatus['workerStatuses']>[number];

/** What the status says of the ranks. Once the training is over its ranks are stopped, and the last status is kept. */
export function rankStatus(observed: Observed): RankStatus {
  const { status } = observed;
  return status.completionTime === undefined ? seenStatus(observed) : withLateEnds(lastStatus(status), observed);
}

const lastStatus = ({ replicas = 0, readyReplicas = 0, workerStatuses }: DistributedTrainingStatus): RankStatus => ({
  replicas,
  readyReplicas,
  ...(workerStatuses && { workerStatuses }),
});

function seenStatus(observed: Observed): RankStatus {
  const current = currentRanks(observed);
  const workerStatuses = workersOf(observed);
  return {
    replicas: current.filter(({ pod }) => !pod.deleting).length,
    readyReplicas: current.filter(isUp).length,
    ...(workerStatuses.length > 0 && { workerStatuses }),
  };
}

/** A Job may be seen complete before its pods are: that they succeeded may be learnt after the end. */
function withLateEnds(last: RankStatus, observed: Observed): RankStatus {
  const seen = seenStatus(observed);
  const ended = seen.workerStatuses?.filter(({ phase }) => phase === 'Succeeded') ?? [];
  if (ended.length === 0) return last;
  const names = new Set(ended.map(workerName));
  const others = last.workerStatuses?.filter((worker) => !names.has(workerName(worker))) ?? [];
  return {
    replicas: Math.max(last.replicas ?? 0, seen.replicas ?? 0),
    readyReplicas: Math.max(last.readyReplicas ?? 0, seen.readyReplicas ?? 0),
    workerStatuses: [...others, ...ended].slice(0, MOST_REPORTED),
  };
}

/** Phases of which a person wants to know first. */
const URGENCY = ['Failed', 'Unknown', 'Terminating', 'Pending'];

/**
 * A line a rank; of many ranks those that failed and those that keep others waiting. Next come those that are done and whose
 * pods go, or are gone: nothing else remembers that.
 */
function workersOf(observed: Observed): readonly Worker[] {
  return currentRanks(observed)
    .map((rank) => ({
      line: workerOf(observed, rank),
      isLeft: isDone(rank) && (rank.gone === true || rank.pod.deleting),
    }))
    .toSorted((a, b) => urgencyOf(a) - urgencyOf(b))
    .map(({ line }) => line)
    .slice(0, MOST_REPORTED);
}

function workerOf({ roles }: Observed, each: Rank): Worker {
  const { role, rank, pod } = each;
  const exitCode = pod.phase === 'Succeeded' ? 0 : programFailure(pod)?.exitCode;
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

const workerName = ({ role = '', rank }: Worker): string => `${role}/${rank}`;
