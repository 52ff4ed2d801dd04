import type { Query, ObservedChild } from '../../engine/api/index.ts';
import { jobQuery, jobAnswer } from './job-answers.ts';
import type { Observed } from './observed.ts';

/**
 * Jobs of other attempts beside those of the present one. Ranks of both may run, so all must begin again. Or the watch of
 * Jobs is behind, and those of the present attempt are known from the answer to a write: a restarted operator that sees
 * only the Job before makes its own again, and is told that it is there. So the API server is asked.
 */
const rivalsOf = ({ jobs, otherJobs }: Observed): readonly ObservedChild[] =>
  jobs.size === 0 ? [] : otherJobs.filter(({ deleting }) => !deleting);

/** Asks for each of them. */
export const rivalQueries = (observed: Observed): readonly Query[] => rivalsOf(observed).map(jobQuery);

/** The first one that is there. */
export const rivalOf = (observed: Observed): ObservedChild | undefined =>
  rivalsOf(observed).find((rival) => jobAnswer(observed, rival)?.uid === rival.uid);

/** Whether it is known of each whether it is there. */
export const areRivalsKnown = (observed: Observed): boolean =>
  rivalsOf(observed).every((rival) => jobAnswer(observed, rival) !== undefined);
