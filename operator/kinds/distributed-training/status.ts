import { podSelector } from '../../../constructs/distributed-training/manifests.ts';
import type { DistributedTrainingStatus } from '../../../constructs/distributed-training/status.ts';
import { MOST_TOLD } from '../../../constructs/distributed-training/status.ts';
import { selectorText } from '../../../constructs/parts/objects/index.ts';
import type { Refusal } from '../../../constructs/schema/error.ts';
import { conditionOf, unstamped } from '../../engine/api/index.ts';
import type { BareCondition, BareStatus } from '../../engine/api/index.ts';
import { verdictsOf } from './conditions.ts';
import type { Context } from './conditions.ts';
import { reasonOfRefusal } from '../shared/refusal.ts';
import { phaseOf } from './phase.ts';
import { currentRanks, isUp } from './observed.ts';
import type { DistributedTrainingResource, Observed } from './observed.ts';
import { workersOf } from './workers.ts';
import type { Worker } from './workers.ts';

/** The status of a training whose spec can work. */
export function statusOf(context: Context, now: number): BareStatus<DistributedTrainingStatus> {
  const { observed, attemptState } = context;
  const { outcome: _, attempts, ...rest } = attemptState;
  // Ranks that are stopped at the end would leave nothing to be told of them.
  const wasOver = observed.status.completionTime !== undefined;
  const ranks = wasOver ? withEnds(told(observed.status), ranksOf(observed)) : ranksOf(observed);
  const conditions = verdictsOf(context, now);
  const status = {
    phase: phaseOf(conditions),
    ...rest,
    ...ranks,
    selector: selectorText(podSelector(observed.name)),
    ...(attempts.length > 0 && { attempts }),
  };
  return { status, conditions };
}

/** The status of a resource whose spec can't work. What runs, runs on as it was; nothing is changed any more. */
export function refuse(
  resource: DistributedTrainingResource,
  problems: string,
  _seen?: BareStatus<DistributedTrainingStatus>,
  refusal?: Refusal,
): BareStatus<DistributedTrainingStatus> {
  const before = resource.status?.conditions;
  const reason = reasonOfRefusal(refusal);
  const kept = (type: string): BareCondition =>
    conditionOf(before, type) ?? {
      type,
      status: 'False',
      reason,
      message: 'Nothing has been tried yet.',
    };
  const conditions: readonly BareCondition[] = [
    { type: 'Accepted', status: 'False', reason, message: problems },
    ...['Running', 'Restarting', 'Suspended', 'Complete', 'Failed'].map(kept),
  ];
  return { status: { ...unstamped(resource.status), phase: phaseOf(conditions) }, conditions };
}

type Ranks = Pick<DistributedTrainingStatus, 'replicas' | 'readyReplicas' | 'workerStatuses'>;

function ranksOf(observed: Observed): Ranks {
  const current = currentRanks(observed);
  const workerStatuses = workersOf(observed);
  return {
    replicas: current.filter(({ pod }) => !pod.deleting).length,
    readyReplicas: current.filter(isUp).length,
    ...(workerStatuses.length > 0 && { workerStatuses }),
  };
}

const told = ({ replicas = 0, readyReplicas = 0, workerStatuses }: DistributedTrainingStatus): Ranks => ({
  replicas,
  readyReplicas,
  ...(workerStatuses && { workerStatuses }),
});

/** A Job may be seen complete before its pods are: that they succeeded is learnt after the end as well. */
function withEnds(before: Ranks, now: Ranks): Ranks {
  const ended = now.workerStatuses?.filter(({ phase }) => phase === 'Succeeded') ?? [];
  if (ended.length === 0) return before;
  const names = new Set(ended.map(nameOfWorker));
  const others = before.workerStatuses?.filter((worker) => !names.has(nameOfWorker(worker))) ?? [];
  return {
    replicas: Math.max(before.replicas ?? 0, now.replicas ?? 0),
    readyReplicas: Math.max(before.readyReplicas ?? 0, now.readyReplicas ?? 0),
    workerStatuses: [...others, ...ended].slice(0, MOST_TOLD),
  };
}

const nameOfWorker = ({ role = '', rank }: Worker): string => `${role}/${rank}`;
