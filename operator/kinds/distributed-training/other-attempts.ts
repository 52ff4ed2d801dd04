import { jobNameOf } from '../../../constructs/distributed-training/names.ts';
import { instant } from '../../engine/api/index.ts';
import type { Query, ObservedChild } from '../../engine/api/index.ts';
import { jobQuery, jobAnswer, type NamedJob } from './job-queries.ts';
import { WATCH_LAG_MS } from './observed.ts';
import type { Observed } from './observed.ts';

/**
 * The Jobs of the attempt before, which must be gone before the present one starts. That none is in sight is not enough
 * after a restart of the operator: their watch may be of a time before they were made. So the API server is asked.
 */
const predecessorsOf = ({ name, spec, attempt, roles }: Observed): readonly NamedJob[] =>
  attempt === 1 ? [] : roles.all.map((role) => ({ name: jobNameOf({ name, spec, attempt: attempt - 1 }, role.name) }));

/** Asks for each of them. */
export const predecessorQueries = (observed: Observed): readonly Query[] => predecessorsOf(observed).map(jobQuery);

/**
 * When a predecessor that is there no longer delays the start, in milliseconds since the epoch: by then its watch has
 * delivered it, unless somebody has taken its labels away.
 */
export const predecessorsTimeOutAt = ({ status }: Observed): number =>
  (instant(status.attempts?.at(-1)?.finishedAt) ?? 0) + WATCH_LAG_MS;

/** Whether nothing of the attempt before delays the start, by the answers of the API server. */
export const arePredecessorsGone = (observed: Observed, now: number): boolean =>
  predecessorsOf(observed).every((job) => {
    const answer = jobAnswer(observed, job);
    if (answer === undefined) return false;
    return (answer.uid === undefined && answer.leaving !== true) || now >= predecessorsTimeOutAt(observed);
  });

/**
 * Jobs of other attempts beside those of the present one. Ranks of both may run, so all must begin again. Or the watch of
 * Jobs is behind, and those of the present attempt are known from the answer to a write: a restarted operator that sees
 * only the Job before makes its own again, and learns that it is there. So the API server is asked.
 */
const overlappingJobs = ({ jobs, otherJobs }: Observed): readonly ObservedChild[] =>
  jobs.size === 0 ? [] : otherJobs.filter(({ deleting }) => !deleting);

/** Asks for each of them. */
export const overlapQueries = (observed: Observed): readonly Query[] => overlappingJobs(observed).map(jobQuery);

/** The first one that is there. */
export const overlappingJob = (observed: Observed): ObservedChild | undefined =>
  overlappingJobs(observed).find((job) => jobAnswer(observed, job)?.uid === job.uid);

/** Whether it is known of each whether it is there. */
export const isOverlapKnown = (observed: Observed): boolean =>
  overlappingJobs(observed).every((job) => jobAnswer(observed, job) !== undefined);
