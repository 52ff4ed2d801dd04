import type { DistributedTrainingStatus } from '../../../../constructs/distributed-training/status.ts';
import type { DistributedTrainingState } from '../../../../constructs/distributed-training/state.ts';
import type { Result, Snapshot } from '../../../engine/api/index.ts';
import { runSteps } from '../../../engine/api/index.ts';
import { acceptSpec } from '../../shared/conditions.ts';
import type { DistributedTrainingResource } from '../observed.ts';
import { phaseOf } from '../phase.ts';
import { searchContextOf } from './context.ts';
import type { SearchStep } from './context.ts';
import { chooseTrials, expire, finish, runTrials, suspend } from './steps.ts';

/** The life of a search, in its order: it does nothing but start trials, and stop them. */
const LIFE: readonly SearchStep[] = [
  acceptSpec,
  chooseTrials, // The optimiser suggests what to try next.
  runTrials, // Each trial is a training of its own.
  suspend, // Its user stops it, and with it all trials, for a while.
  finish, // It completes, or fails.
  expire, // It is deleted, some time after its end.
];

/** Whether a resource is a search, whose children are trainings. */
export const isSearch = ({ resource }: Snapshot<DistributedTrainingResource>): boolean =>
  resource.spec.tuning !== undefined;

/** What to do now with a search, and what to say of it. */
export function reconcileSearch(
  snapshot: Snapshot<DistributedTrainingResource>,
  now: number,
): Result<DistributedTrainingState, DistributedTrainingStatus> {
  const { status, ...result } = runSteps(LIFE, searchContextOf(snapshot, now));
  return { ...result, status: { ...status, phase: phaseOf(result.conditions) } };
}
