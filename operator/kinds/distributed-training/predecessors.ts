import { jobNameOf } from '../../../constructs/distributed-training/names.ts';
import type { Ask } from '../../engine/asks.ts';
import { instant } from '../../engine/conditions.ts';
import { LATENESS_MS } from './end.ts';
import { jobAsk, jobFact, type NamedJob } from './job-facts.ts';
import type { View } from './view.ts';

/**
 * The Jobs of the attempt before, which must be gone before the present one starts. That none is in sight is not enough
 * after a restart of the operator: their watch may be of a time before they were made. So the API server is asked.
 */
const predecessorsOf = ({ name, spec, attempt, roles }: View): readonly NamedJob[] =>
  attempt === 1 ? [] : roles.all.map((role) => ({ name: jobNameOf({ name, spec, attempt: attempt - 1 }, role.name) }));

/** Asks for each of them. */
export const predecessorAsks = (view: View): readonly Ask[] => predecessorsOf(view).map(jobAsk);

/**
 * When one that is there is waited for no longer, in milliseconds since the epoch: by then its watch has told of it,
 * unless somebody has taken its labels away.
 */
export const patienceEnd = ({ status }: View): number =>
  (instant(status.attempts?.at(-1)?.finishedAt) ?? 0) + LATENESS_MS;

/** Whether nothing of the attempt before stands in the way, as far as the API server has told. */
export const areGone = (view: View, now: number): boolean =>
  predecessorsOf(view).every((job) => {
    const fact = jobFact(view, job);
    if (fact === undefined) return false;
    return (fact.uid === undefined && fact.leaving !== true) || now >= patienceEnd(view);
  });
