import { shortHash } from '../../../constructs/parts/weights/index.ts';
import { MOST_REPORTED } from '../../../constructs/distributed-training/status.ts';
import type { DistributedTrainingSpec } from '../../../constructs/distributed-training/spec.ts';
import { instant, timestamp } from '../../engine/api/index.ts';
import { delayAfter } from '../../kube/index.ts';
import { fittedEnd } from '../shared/last-words.ts';
import {
  attemptsOverlap,
  jobDeleted,
  jobFailed,
  programFailed,
  rankLost,
  specChanged,
  suspended,
} from './attempt-ends.ts';
import type { AttemptEnd } from './attempt-ends.ts';
import { ended, startOfAttempt } from './attempt-state.ts';
import type { AttemptRecord, AttemptState } from './attempt-state.ts';
import { trainersDone } from './completion.ts';
import type { Observed } from './observed.ts';

/**
 * Why a training retries. Not looked at once the work is done or the deadline is over (context.ts). Once the
 * trainers of the leading role have succeeded, only the first two end an attempt. It ends by the first that is so:
 *
 * | What ends it | Its reason | Charged to `retry.limit` |
 * |---|---|---|
 * | suspended | Suspended | 0 |
 * | specChanged | SpecChanged | 0 |
 * | jobDeleted | JobDeleted | 0 |
 * | attemptsOverlap | Overlap | 0 |
 * | rankLost | Preempted, Drained, NodeLost, Evicted, Disrupted, Rejected, PodDeleted, RankReplaced; not where an elastic training can continue | 0 |
 * | programFailed | that of the rank whose loss made others fail, as above | 0 |
 * | programFailed | ProgramFailed, OutOfMemory, Killed, Crashed, Terminated, CommandNotFound, StartFailed, InitContainerFailed | once for each time that the rank failed |
 * | jobFailed | JobFailed, SidecarFailed | 1 |
 * | jobFailed | that of the rank that an elastic training lost, within a quarter of an hour | 0 |
 * | jobFailed | RankReplaced, of a rank that had succeeded before its pod was removed | 0 |
 *
 * When the charges of all attempts (`status.failures`) exceed `retry.limit`, and this attempt was charged, the training has
 * failed. Else the next attempt starts (steps/launch.ts) once no pod and no Job of an earlier one is left. After the first two
 * ends, which a user asked for, there is no pause; after the others it also waits for a pause, counted from now. After
 * Suspended, pods start once `suspend` is false. To add a cause, see CONTRIBUTING.md.
 */
const endOf = (observed: Observed, now: number): AttemptEnd | undefined =>
  suspended(observed) ??
  specChanged(observed) ??
  // Once the leading role has done its work, the attempt is about to be a success, whatever happens to the others.
  (trainersDone(observed) ? undefined : brokenOff(observed, now));

/** A loss goes before failures: a rank that is removed makes others fail, and these must not be charged. */
const brokenOff = (observed: Observed, now: number): AttemptEnd | undefined =>
  jobDeleted(observed) ??
  attemptsOverlap(observed) ??
  rankLost(observed) ??
  programFailed(observed, now) ??
  jobFailed(observed, now);

const REQUESTED: ReadonlySet<string> = new Set(['Suspended', 'SpecChanged']);

/** Whether a user asked for the end, by changing the spec. */
const isRequested = ({ reason }: Pick<AttemptEnd, 'reason'>): boolean => REQUESTED.has(reason);

/** What follows where the present attempt is over: the next one, or, once `retry.limit` is used up, none. */
export function retry(observed: Observed, attemptState: AttemptState, now: number): AttemptState | undefined {
  const end = endOf(observed, now);
  if (!end) return undefined;
  const { spec, snapshot } = observed;
  const failures = attemptState.failures + end.charged;
  const attempts = [...attemptState.attempts, recordOf(observed, end, now)].slice(-MOST_REPORTED);
  const { nextAttemptAt: _, ...rest } = attemptState;
  if (end.charged > 0 && failures > spec.retry.limit) {
    const message = `${end.message} retry.limit of ${spec.retry.limit} is used up. Correct the program, and make a new resource.`;
    return ended({ ...rest, failures, attempts }, { complete: false, reason: 'RetryLimitExceeded', message }, now);
  }
  const next = { ...rest, failures, attempts, attempt: attemptState.attempt + 1 };
  if (isRequested(end)) return next;
  const pause = pauseOf(spec.retry, attempts, snapshot.resource.metadata.uid);
  return { ...next, nextAttemptAt: timestamp(now + pause) };
}

/** As a status may have it, in characters. */
const LONGEST_MESSAGE = 512;

function recordOf(observed: Observed, end: AttemptEnd, now: number): AttemptRecord {
  const { message, ...rest } = end;
  const startedAt = startOfAttempt(observed);
  return {
    number: observed.attempt,
    ...rest,
    message: fittedEnd(message, LONGEST_MESSAGE),
    ...(startedAt !== undefined && { startedAt }),
    finishedAt: timestamp(now),
  };
}

/** An attempt that lasted this long ended a row of short ones: the kubelet forgets a container's failures after it, too. */
const STABLE_MS = 10 * 60_000;

/** The share of a pause that differs from training to training, so that they don't all come back at once. */
const JITTER = 0.2;

/**
 * How long to wait before the next attempt, in milliseconds: doubled with each attempt in a row that was short and that no
 * user asked to end, up to the limit, less up to a fifth. The same training and attempt always wait equally long, on
 * every operator.
 *
 * @param attempts - those that have ended, the last one included
 */
export function pauseOf(
  { backoffSeconds, maxBackoffSeconds }: DistributedTrainingSpec['retry'],
  attempts: readonly AttemptRecord[],
  uid: string,
): number {
  const row = attempts
    .slice(attempts.findLastIndex((attempt) => isStable(attempt)) + 1)
    .filter((attempt) => !isRequested(attempt));
  const backoff = { first: backoffSeconds, longest: maxBackoffSeconds, jitter: JITTER };
  const random = 1 - fractionOf(`${uid}/${attempts.at(-1)?.number ?? 0}`);
  return Math.round(delayAfter(Math.max(1, row.length), backoff, random) * 1000);
}

const isStable = ({ startedAt, finishedAt }: AttemptRecord): boolean =>
  (instant(finishedAt) ?? 0) - (instant(startedAt) ?? Infinity) >= STABLE_MS;

/** A number from 0 to 1 that looks random, and is always the same for the same text. */
function fractionOf(text: string): number {
  const hash = shortHash(text);
  return Number.parseInt(hash, 16) / 16 ** hash.length;
}
