import type { Ask } from '../../engine/asks.ts';
import type { ObservedChild } from '../../engine/observed.ts';
import { jobAsk, jobFact } from './job-facts.ts';
import type { View } from './view.ts';

/**
 * Jobs of other attempts beside those of the present one. Ranks of both may run, so all must begin anew. Or the watch of
 * Jobs is behind, and those of the present attempt are known from the answer to a write: a restarted operator that sees
 * only the Job before makes its own again, and is told that it is there. So the API server is asked.
 */
const rivalsOf = ({ jobs, otherJobs }: View): readonly ObservedChild[] =>
  jobs.size === 0 ? [] : otherJobs.filter(({ deleting }) => !deleting);

/** Asks for each of them. */
export const rivalAsks = (view: View): readonly Ask[] => rivalsOf(view).map(jobAsk);

/** The first one that is there. */
export const rivalOf = (view: View): ObservedChild | undefined =>
  rivalsOf(view).find((rival) => jobFact(view, rival)?.uid === rival.uid);

/** Whether it is known of each whether it is there. */
export const areRivalsKnown = (view: View): boolean =>
  rivalsOf(view).every((rival) => jobFact(view, rival) !== undefined);
