import { MOST_TOLD } from '../../../constructs/distributed-training/status.ts';
import type { DistributedTrainingStatus } from '../../../constructs/distributed-training/status.ts';
import { conditionOf, instant, timestamp } from '../../engine/api/index.ts';
import { fittedEnd } from '../shared/last-words.ts';
import { jobState } from '../shared/slices.ts';
import { smallest } from '../../../constructs/parts/values/index.ts';
import { pauseOf } from './backoff.ts';
import { completionOf, leadOf } from './completion.ts';
import { lastDisruption } from './losses.ts';
import { endOf, isWanted } from './end.ts';
import type { End } from './end.ts';
import { reportedBy } from './objective.ts';
import type { Reported } from './objective.ts';
import { isQueued } from './queue.ts';
import { obstacleOf } from './trouble.ts';
import type { Observed } from './observed.ts';

/** As a status may have it, in characters. */
const LONGEST_MESSAGE = 512;

/** How the training as a whole ended. */
export interface Outcome {
  readonly complete: boolean;
  readonly reason: string;
  readonly message: string;
}

/** Where a training stands in its row of attempts: all that must not be forgotten, and so is in its status. */
export interface AttemptState extends Pick<
  DistributedTrainingStatus,
  'startTime' | 'completionTime' | 'resumedAt' | 'nextAttemptAt' | 'lastDisruption' | 'objective'
> {
  /** The present attempt, or the next one. */
  readonly attempt: number;
  /** How much of the budget is used up. */
  readonly failures: number;
  readonly attempts: NonNullable<DistributedTrainingStatus['attempts']>;
  /** Absent as long as it continues. */
  readonly outcome?: Outcome;
}

/** Where the training stands now. */
export function courseOf(observed: Observed, now: number): AttemptState {
  const before = courseSoFar(observed);
  if (before.outcome) return before;
  const attemptState = withTimes(observed, before);
  const complete = completion(observed);
  const reported = complete && reportedBy(observed, now);
  const outcome =
    (reported?.known === true ? withLack(complete, reported) : undefined) ?? deadline(observed, attemptState, now);
  if (outcome) return ended({ ...attemptState, ...objectiveOf(observed, reported) }, outcome, now);
  // Its pods have done their work: what happens to them now changes nothing.
  if (complete) return attemptState;
  const end = endOf(observed, now);
  if (end) return afterEnd(observed, attemptState, end, now);
  // Remembered until its attempt ends: by the time others fail for lack of it, its pod is long gone.
  const disruption = lastDisruption(observed, now);
  return { ...attemptState, ...(disruption && { lastDisruption: disruption }) };
}

/** When the training is to be given up, in milliseconds since the epoch. */
export const deadlineOf = ({ spec }: Observed, { resumedAt }: Pick<AttemptState, 'resumedAt'>): number | undefined => {
  const from = instant(resumedAt);
  return from === undefined || spec.activeDeadlineSeconds === undefined
    ? undefined
    : from + spec.activeDeadlineSeconds * 1000;
};

/** As the last status tells. */
function courseSoFar({ status, attempt, jobs }: Observed): AttemptState {
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

function objectiveOf(
  { spec: { objective } }: Observed,
  reported: Reported | undefined,
): Pick<AttemptState, 'objective'> {
  if (!objective || reported?.value === undefined) return {};
  const { value, line } = reported;
  return { objective: { metric: objective.metric, value, ...(line !== undefined && { line }) } };
}

/** It succeeded, and what it was to report could not be read. */
const withLack = (complete: Outcome | undefined, { lack }: Reported): Outcome | undefined =>
  complete && lack !== undefined ? { ...complete, message: `${complete.message} ${lack}` } : complete;

/** How it ended, as the status remembers it. */
export function outcomeIn({ completionTime, conditions }: DistributedTrainingStatus): Outcome | undefined {
  if (completionTime === undefined) return undefined;
  const complete = conditionOf(conditions, 'Complete');
  if (complete?.status === 'True') return { complete: true, reason: complete.reason, message: complete.message };
  const { reason = 'Failed', message = '' } = conditionOf(conditions, 'Failed') ?? {};
  return { complete: false, reason, message };
}

/** When it started, and from when on its deadline is counted: time in which it may not run does not count. */
function withTimes(observed: Observed, { startTime, resumedAt, ...attemptState }: AttemptState): AttemptState {
  const first = startOf(observed);
  const start = startTime ?? first;
  const rests = observed.spec.suspend || isQueued(observed);
  const resumed = rests ? undefined : (resumedAt ?? first);
  return {
    ...attemptState,
    ...(start !== undefined && { startTime: start }),
    ...(resumed !== undefined && { resumedAt: resumed }),
  };
}

/** When the first pod of the present attempt was made. */
function startOf({ ranks }: Observed): string | undefined {
  const times = ranks.map(({ pod }) => pod.createdAt);
  return times.length === 0 ? undefined : timestamp(smallest(times));
}

/** The same as its Jobs tell it: the watch of pods may be behind. */
const startTold = ({ jobs }: Observed): string | undefined =>
  [...jobs.values()].flatMap((job) => jobState(job).podsSince ?? []).toSorted()[0];

function completion(observed: Observed): Outcome | undefined {
  if (completionOf(observed) === undefined) return undefined;
  const { roles } = observed;
  const who = roles.all.length === 1 ? 'All ranks' : `All ranks of role ${roles.leading}`;
  return { complete: true, reason: 'Completed', message: `${who} succeeded.` };
}

function deadline(observed: Observed, attemptState: AttemptState, now: number): Outcome | undefined {
  const due = deadlineOf(observed, attemptState);
  const done = completionOf(observed) ?? leadOf(observed);
  // What was done in time is no less so because a pod lives on, or its log is still being read.
  if (done !== undefined && (done.at ?? -Infinity) <= (due ?? Infinity)) return undefined;
  const isOver = [...observed.jobs.values()].some((job) => jobState(job).failed?.reason === 'DeadlineExceeded');
  if (!isOver && (due === undefined || now < due)) return undefined;
  const took = `It took longer than ${observed.spec.activeDeadlineSeconds} s, counted from its last resume`;
  const obstacle = obstacleOf(observed, now);
  const message =
    obstacle === undefined
      ? `${took}. Raise activeDeadlineSeconds in a new resource, or let it do less.`
      : `${took}, and not all ranks ran: ${obstacle} Then make a new resource.`;
  return { complete: false, reason: 'DeadlineExceeded', message };
}

const ended = (attemptState: AttemptState, outcome: Outcome, now: number): AttemptState => ({
  ...attemptState,
  outcome,
  completionTime: timestamp(now),
});

/** The next attempt, or none: a failure too many. */
function afterEnd(observed: Observed, attemptState: AttemptState, end: End, now: number): AttemptState {
  const { spec, snapshot } = observed;
  const failures = attemptState.failures + end.charged;
  const attempts = [...attemptState.attempts, record(observed, end, now)].slice(-MOST_TOLD);
  const { nextAttemptAt: _, ...rest } = attemptState;
  if (end.charged > 0 && failures > spec.retry.limit) {
    const message = `${end.message} retry.limit of ${spec.retry.limit} is used up. Correct the program, and make a new resource.`;
    return ended({ ...rest, failures, attempts }, { complete: false, reason: 'RetryLimitExceeded', message }, now);
  }
  const next = { ...rest, failures, attempts, attempt: attemptState.attempt + 1 };
  if (isWanted(end)) return next;
  const pause = pauseOf(spec.retry, attempts, snapshot.resource.metadata.uid);
  return { ...next, nextAttemptAt: timestamp(now + pause) };
}

function record(observed: Observed, end: End, now: number): AttemptState['attempts'][number] {
  const { message, ...rest } = end;
  const startedAt = startOf(observed) ?? startTold(observed);
  return {
    number: observed.attempt,
    ...rest,
    message: fittedEnd(message, LONGEST_MESSAGE),
    ...(startedAt !== undefined && { startedAt }),
    finishedAt: timestamp(now),
  };
}
