import { leastPods, podCount } from '../../../constructs/distributed-training/roles.ts';
import type { DistributedTrainingStatus } from '../../../constructs/distributed-training/status.ts';
import type { DistributedTrainingState } from '../../../constructs/distributed-training/state.ts';
import { smallest } from '../../../constructs/parts/values/index.ts';
import type { Snapshot, LifecycleStep } from '../../engine/api/index.ts';
import { ended, lastAttemptState, withTimes } from './attempt-state.ts';
import type { AttemptState } from './attempt-state.ts';
import { workDone } from './completion.ts';
import { lastDisruption } from './lost-ranks.ts';
import { objectiveOf, reportedBy } from './objective.ts';
import { deadlineExceeded, success } from './outcome.ts';
import { hasLeftovers, isQueued, observedOf } from './observed.ts';
import type { DistributedTrainingResource, Observed } from './observed.ts';
import { currentRanks, isUp } from './ranks.ts';
import { retry } from './retry.ts';

/** All that the steps look at. */
export interface Context {
  readonly observed: Observed;
  /** The state of the attempt. */
  readonly attemptState: AttemptState;
  readonly stage: Stage;
  /** In milliseconds since the epoch. */
  readonly now: number;
}

/**
 * How far a training is:
 *
 * - Stopping: what is left of an earlier attempt is on its way out
 * - BackingOff: the pause before the next attempt is kept
 * - Starting: not all ranks run yet
 * - Queued: it waits for its turn in a queue
 * - Running: as many ranks run, or have succeeded, as it takes
 * - Suspended: its user wants no pods
 * - Over: it has succeeded, or failed
 */
export type Stage = 'Stopping' | 'BackingOff' | 'Starting' | 'Queued' | 'Running' | 'Suspended' | 'Over';

/** A step in the life of a training. */
export type TrainingStep = LifecycleStep<Context, DistributedTrainingState, DistributedTrainingStatus>;

export function contextOf(snapshot: Snapshot<DistributedTrainingResource>, now: number): Context {
  const observed = observedOf(snapshot, now);
  const attemptState = attemptStateOf(observed, now);
  return { observed, attemptState, stage: stageOf(observed, attemptState), now };
}

/** The state of the attempt: the training is over, the next attempt follows, or it continues. */
function attemptStateOf(observed: Observed, now: number): AttemptState {
  const last = lastAttemptState(observed);
  if (last.outcome) return last;
  const attemptState = withTimes(observed, last);
  const isDone = workDone(observed) !== undefined;
  const reported = reportedBy(observed, now);
  if (isDone && reported.known) {
    return ended({ ...attemptState, ...objectiveOf(observed, reported) }, success(observed, reported), now);
  }
  const tooLong = deadlineExceeded(observed, attemptState, now);
  if (tooLong) return ended(attemptState, tooLong, now);
  // Its pods have done their work: what happens to them now changes nothing.
  if (isDone) return attemptState;
  return retry(observed, attemptState, now) ?? { ...attemptState, ...withLastDisruption(observed, now) };
}

/** Remembered until its attempt ends: by the time others fail because of it, its pod is long gone. */
function withLastDisruption(observed: Observed, now: number): Pick<AttemptState, 'lastDisruption'> {
  const disruption = lastDisruption(observed, now);
  return disruption ? { lastDisruption: disruption } : {};
}

function stageOf(observed: Observed, attemptState: AttemptState): Stage {
  if (attemptState.outcome) return 'Over';
  if (observed.spec.suspend) return 'Suspended';
  const hasJobs = observed.jobs.size > 0;
  if (isBetweenAttempts({ observed, attemptState }) || (hasLeftovers(observed) && !hasJobs)) return 'Stopping';
  if (areEnoughUp(observed)) return 'Running';
  if (isQueued(observed)) return 'Queued';
  return !hasJobs && attemptState.nextAttemptAt !== undefined ? 'BackingOff' : 'Starting';
}

/** Whether an attempt has ended, and the next one is yet to come. */
export const isBetweenAttempts = ({ observed, attemptState }: Pick<Context, 'observed' | 'attemptState'>): boolean =>
  attemptState.attempt !== observed.attempt;

/** Whether the present attempt continues. */
export const goesOn = (context: Context): boolean => context.stage !== 'Over' && !isBetweenAttempts(context);

function areEnoughUp(observed: Observed): boolean {
  const up = currentRanks(observed).filter(isUp).length;
  return up >= (observed.spec.elastic ? leastPods(observed.spec) : podCount(observed.spec));
}

/**
 * When a step wants to look again: at the first of these times that is yet to come. A training that is over waits for
 * nothing but its expiry.
 */
export function requeueAt(
  { stage, now }: Context,
  times: readonly (number | undefined)[],
): { readonly requeueAt?: number } {
  const ahead = times.filter((time) => time !== undefined && time > now) as readonly number[];
  return stage === 'Over' || ahead.length === 0 ? {} : { requeueAt: smallest(ahead) };
}
