import type { DistributedTrainingStatus } from '../../../constructs/distributed-training/status.ts';
import { conditionOf, instant, timestamp } from '../../engine/api/index.ts';
import { jobState } from '../shared/slices.ts';
import { smallest } from '../../../constructs/parts/values/index.ts';
import { isQueued } from './observed.ts';
import type { Observed } from './observed.ts';

/** How the training as a whole ended. */
export interface Outcome {
  readonly complete: boolean;
  readonly reason: string;
  readonly message: string;
}

/** An attempt that has ended, in the status. */
export type AttemptRecord = NonNullable<DistributedTrainingStatus['attempts']>[number];

/** Where a training stands in its row of attempts: all that must not be forgotten, and so is in its status. */
export interface AttemptState extends Pick<
  DistributedTrainingStatus,
  'startTime' | 'completionTime' | 'resumedAt' | 'nextAttemptAt' | 'lastDisruption' | 'objective'
> {
  /** The present attempt, or the next one. */
  readonly attempt: number;
  /** How much of `retry.limit` is used up. */
  readonly failures: number;
  readonly attempts: readonly AttemptRecord[];
  /** Absent as long as it continues. */
  readonly outcome?: Outcome;
}

/** As the last status has it. */
export function lastAttemptState({ status, attempt, jobs }: Observed): AttemptState {
  const { failures = 0, attempts = [], startTime, completionTime, resumedAt, nextAttemptAt } = status;
  const outcome = outcomeIn(status);
  return {
    attempt,
    failures,
    attempts,
    ...(startTime !== undefined && { startTime }),
    ...(completionTime !== undefined && { completionTime }),
    ...(resumedAt !== undefined && { resumedAt }),
    ...(nextAttemptAt !== undefined && jobs.size === 0 && { nextAttemptAt }),
    ...(status.objective && { objective: status.objective }),
    ...(outcome && { outcome }),
  };
}

/** How it ended, as the status has it. */
export function outcomeIn({ completionTime, conditions }: DistributedTrainingStatus): Outcome | undefined {
  if (completionTime === undefined) return undefined;
  const complete = conditionOf(conditions, 'Complete');
  if (complete?.status === 'True') return { complete: true, reason: complete.reason, message: complete.message };
  const { reason = 'Failed', message = '' } = conditionOf(conditions, 'Failed') ?? {};
  return { complete: false, reason, message };
}

/** With when it started, and from when on its deadline counts: time in which it may not run does not count. */
export function withTimes(observed: Observed, { startTime, resumedAt, ...attemptState }: AttemptState): AttemptState {
  const first = firstPodAt(observed);
  const start = startTime ?? first;
  const rests = observed.spec.suspend || isQueued(observed);
  const resumed = rests ? undefined : (resumedAt ?? first);
  return {
    ...attemptState,
    ...(start !== undefined && { startTime: start }),
    ...(resumed !== undefined && { resumedAt: resumed }),
  };
}

/** With the end of the training. */
export const ended = (attemptState: AttemptState, outcome: Outcome, now: number): AttemptState => ({
  ...attemptState,
  outcome,
  completionTime: timestamp(now),
});

/** When the training is to be given up, in milliseconds since the epoch. */
export const deadlineOf = ({ spec }: Observed, { resumedAt }: Pick<AttemptState, 'resumedAt'>): number | undefined => {
  const from = instant(resumedAt);
  return from === undefined || spec.activeDeadlineSeconds === undefined
    ? undefined
    : from + spec.activeDeadlineSeconds * 1000;
};

/** When the present attempt started: by its pods, or by its Jobs, since the watch of pods may be behind. */
export const startOfAttempt = (observed: Observed): string | undefined =>
  firstPodAt(observed) ?? [...observed.jobs.values()].flatMap((job) => jobState(job).podsSince ?? []).toSorted()[0];

/** When the first pod of the present attempt was made. */
function firstPodAt({ ranks }: Observed): string | undefined {
  const times = ranks.map(({ pod }) => pod.createdAt);
  return times.length === 0 ? undefined : timestamp(smallest(times));
}
