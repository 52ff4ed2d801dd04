import { MOST_TOLD } from '../../../constructs/distributed-training/status.ts';
import type { DistributedTrainingStatus } from '../../../constructs/distributed-training/spec.ts';
import { conditionOf, instant, timestamp } from '../../engine/conditions.ts';
import { fittedEnd } from '../shared/last-words.ts';
import { jobState } from '../shared/slices.ts';
import { smallest } from '../../../constructs/parts/extremes.ts';
import { pauseOf } from './backoff.ts';
import { completionOf, leadOf } from './completion.ts';
import { lastDisruption } from './losses.ts';
import { endOf, isWanted } from './end.ts';
import type { End } from './end.ts';
import { reportedBy } from './objective.ts';
import type { Reported } from './objective.ts';
import { isQueued } from './queue.ts';
import { obstacleOf } from './trouble.ts';
import type { View } from './view.ts';

/** As a status may have it, in characters. */
const LONGEST_MESSAGE = 512;

/** How the training as a whole ended. */
export interface Outcome {
  readonly complete: boolean;
  readonly reason: string;
  readonly message: string;
}

/** Where a training stands in its row of attempts: all that must not be forgotten, and so is in its status. */
export interface Course extends Pick<
  DistributedTrainingStatus,
  'startTime' | 'completionTime' | 'resumedAt' | 'nextAttemptAt' | 'lastDisruption' | 'objective'
> {
  /** The present attempt, or the next one. */
  readonly attempt: number;
  /** How much of the budget is used up. */
  readonly failures: number;
  readonly attempts: NonNullable<DistributedTrainingStatus['attempts']>;
  /** Absent as long as it goes on. */
  readonly outcome?: Outcome;
}

/** Where the training stands now. */
export function courseOf(view: View, now: number): Course {
  const before = courseSoFar(view);
  if (before.outcome) return before;
  const course = withTimes(view, before);
  const complete = completion(view);
  const reported = complete && reportedBy(view, now);
  const outcome = (reported?.known === true ? withLack(complete, reported) : undefined) ?? deadline(view, course, now);
  if (outcome) return ended({ ...course, ...objectiveOf(view, reported) }, outcome, now);
  // Its pods have done their work: what becomes of them now changes nothing.
  if (complete) return course;
  const end = endOf(view, now);
  if (end) return afterEnd(view, course, end, now);
  // Remembered until its attempt ends: by the time others fail for want of it, its pod is long gone.
  const disruption = lastDisruption(view, now);
  return { ...course, ...(disruption && { lastDisruption: disruption }) };
}

/** When the training is to be given up, in milliseconds since the epoch. */
export const deadlineOf = ({ spec }: View, { resumedAt }: Pick<Course, 'resumedAt'>): number | undefined => {
  const from = instant(resumedAt);
  return from === undefined || spec.activeDeadlineSeconds === undefined
    ? undefined
    : from + spec.activeDeadlineSeconds * 1000;
};

/** As the last status tells. */
function courseSoFar({ status, attempt, jobs }: View): Course {
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

function objectiveOf({ spec: { objective } }: View, reported: Reported | undefined): Pick<Course, 'objective'> {
  if (!objective || reported?.value === undefined) return {};
  const { value, line } = reported;
  return { objective: { metric: objective.metric, value, ...(line !== undefined && { line }) } };
}

/** It ended well, and what it was to report could not be read. */
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
function withTimes(view: View, { startTime, resumedAt, ...course }: Course): Course {
  const first = startOf(view);
  const start = startTime ?? first;
  const rests = view.spec.suspend || isQueued(view);
  const resumed = rests ? undefined : (resumedAt ?? first);
  return {
    ...course,
    ...(start !== undefined && { startTime: start }),
    ...(resumed !== undefined && { resumedAt: resumed }),
  };
}

/** When the first pod of the present attempt was made. */
function startOf({ ranks }: View): string | undefined {
  const times = ranks.map(({ pod }) => pod.createdAt);
  return times.length === 0 ? undefined : timestamp(smallest(times));
}

/** The same as its Jobs tell it: the watch of pods may be behind. */
const startTold = ({ jobs }: View): string | undefined =>
  [...jobs.values()].flatMap((job) => jobState(job).podsSince ?? []).toSorted()[0];

function completion(view: View): Outcome | undefined {
  if (completionOf(view) === undefined) return undefined;
  const { roles } = view;
  const who = roles.all.length === 1 ? 'All ranks' : `All ranks of role ${roles.leading}`;
  return { complete: true, reason: 'Completed', message: `${who} have ended well.` };
}

function deadline(view: View, course: Course, now: number): Outcome | undefined {
  const due = deadlineOf(view, course);
  const done = completionOf(view) ?? leadOf(view);
  // What was done in time is no less so because a pod lives on, or its log is still being read.
  if (done !== undefined && (done.at ?? -Infinity) <= (due ?? Infinity)) return undefined;
  const isOver = [...view.jobs.values()].some((job) => jobState(job).failed?.reason === 'DeadlineExceeded');
  if (!isOver && (due === undefined || now < due)) return undefined;
  const took = `It took longer than ${view.spec.activeDeadlineSeconds} s, counted from its last resume`;
  const obstacle = obstacleOf(view, now);
  const message =
    obstacle === undefined
      ? `${took}. Raise activeDeadlineSeconds in a new resource, or let it do less.`
      : `${took}, and not all ranks ran: ${obstacle} Then make a new resource.`;
  return { complete: false, reason: 'DeadlineExceeded', message };
}

const ended = (course: Course, outcome: Outcome, now: number): Course => ({
  ...course,
  outcome,
  completionTime: timestamp(now),
});

/** The next attempt, or none: a failure too many. */
function afterEnd(view: View, course: Course, end: End, now: number): Course {
  const { spec, snapshot } = view;
  const failures = course.failures + end.charged;
  const attempts = [...course.attempts, record(view, end, now)].slice(-MOST_TOLD);
  const { nextAttemptAt: _, ...rest } = course;
  if (end.charged > 0 && failures > spec.retry.limit) {
    const message = `${end.message} retry.limit of ${spec.retry.limit} is used up. Correct the program, and make a new resource.`;
    return ended({ ...rest, failures, attempts }, { complete: false, reason: 'RetryLimitExceeded', message }, now);
  }
  const next = { ...rest, failures, attempts, attempt: course.attempt + 1 };
  if (isWanted(end)) return next;
  const pause = pauseOf(spec.retry, attempts, snapshot.resource.metadata.uid);
  return { ...next, nextAttemptAt: timestamp(now + pause) };
}

function record(view: View, end: End, now: number): Course['attempts'][number] {
  const { message, ...rest } = end;
  const startedAt = startOf(view) ?? startTold(view);
  return {
    number: view.attempt,
    ...rest,
    message: fittedEnd(message, LONGEST_MESSAGE),
    ...(startedAt !== undefined && { startedAt }),
    finishedAt: timestamp(now),
  };
}
