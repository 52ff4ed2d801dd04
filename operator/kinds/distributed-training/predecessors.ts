import { jobNameOf } from '../../../constructs/distributed-training/names.ts';
import type { Query } from '../../engine/api/index.ts';
import { instant } from '../../engine/api/index.ts';
import { LATENESS_MS } from './end.ts';
import { jobQuery, jobAnswer, type NamedJob } from './job-answers.ts';
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
 * When one that is there is waited for no longer, in milliseconds since the epoch: by then its watch has told of it,
 * unless somebody has taken its labels away.
 */
export const patienceEnd = ({ status }: Observed): number =>
  (instant(status.attempts?.at(-1)?.finishedAt) ?? 0) + LATENESS_MS;

/** Whether nothing of the attempt before stands in the way, as far as the API server has told. */
export const areGone = (observed: Observed, now: number): boolean =>
  predecessorsOf(observed).every((job) => {
    const answer = jobAnswer(observed, job);
    if (answer === undefined) return false;
    return (answer.uid === undefined && answer.leaving !== true) || now >= patienceEnd(observed);
  });
