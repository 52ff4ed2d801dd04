import type { DistributedTrainingStatus } from '../../../constructs/distributed-training/status.ts';
import type { DistributedTrainingState } from '../../../constructs/distributed-training/state.ts';
import type { Result, Snapshot } from '../../engine/api/index.ts';
import { runSteps } from '../../engine/api/index.ts';
import { acceptSpec } from '../shared/conditions.ts';
import { contextOf } from './context.ts';
import type { TrainingStep } from './context.ts';
import { phaseOf } from './phase.ts';
import { reportAttempts } from './steps/report-attempts.ts';
import { confirmJobs } from './steps/confirm-jobs.ts';
import { expire } from './steps/expire.ts';
import { finish } from './steps/finish.ts';
import { launch } from './steps/launch.ts';
import { removeLeftovers } from './steps/remove-leftovers.ts';
import { queue } from './steps/queue.ts';
import { run } from './steps/run.ts';
import { suspend } from './steps/suspend.ts';
import { isSearch, reconcileSearch } from './tuning/reconcile.ts';
import type { DistributedTrainingResource } from './observed.ts';

/**
 * The life of a training, in its order. Whether its attempt is over is decided before all steps: see
 * `attemptStateOf` in context.ts. Each step decides one part.
 */
const LIFE: readonly TrainingStep[] = [
  acceptSpec, // A spec that is not valid is refused before.
  removeLeftovers, // Pods and Jobs of an earlier attempt go first.
  launch, // The attempt starts, once nothing is left of the one before and the pause is over.
  confirmJobs, // Where watches contradict each other, the API server is asked before anything is done.
  queue, // In a queue of Kueue, it waits for its turn.
  run, // Ranks run, or something keeps them from it.
  reportAttempts, // Reports an attempt that is over, and the next one. What ends an attempt: retry.ts.
  suspend, // Its user stops it for a while.
  finish, // It completes, or fails.
  expire, // It is deleted, some time after its end.
];

/** What to do now with a DistributedTraining, and what to say of it. */
export function reconcile(
  snapshot: Snapshot<DistributedTrainingResource>,
  now: number,
): Result<DistributedTrainingState, DistributedTrainingStatus> {
  if (isSearch(snapshot)) return reconcileSearch(snapshot, now);
  const { status, ...result } = runSteps(LIFE, contextOf(snapshot, now));
  return { ...result, status: { ...status, phase: phaseOf(result.conditions) } };
}
