import { instant } from '../../engine/api/index.ts';
import type { ObservedChild } from '../../engine/api/index.ts';
import { largest, smallest } from '../../../constructs/parts/values/index.ts';
import { conditionsIn, jobState } from '../shared/slices.ts';
import { endedBeforeGoing, isDisrupted, isTakenAway, trainerEnd } from './trainer.ts';
import { hasCounted } from './ranks.ts';
import type { Rank } from './ranks.ts';
import type { Observed } from './observed.ts';

/** That a training has done its work. */
export interface Completion {
  /** When, in milliseconds since the epoch, where it is known. */
  readonly at?: number;
}

/**
 * That the leading role has done its work: its Job says so, or all of its trainers have succeeded though the Job, which
 * counts pods, does not take some of them for done, or has given up. Undefined where it has not.
 */
export function workDone(observed: Observed): Completion | undefined {
  const job = observed.jobs.get(observed.roles.leading);
  if (job === undefined) return undefined;
  const trainers = trainersDone(observed);
  if (jobState(job).complete) {
    const { completionTime } = (job.slice['status'] ?? {}) as { readonly completionTime?: string };
    return at([instant(completionTime), trainers?.at], smallest);
  }
  if (trainers === undefined) return undefined;
  const isOver = jobState(job).failed !== undefined || isOverdue(job);
  if (isOver) return trainers;
  const done = observed.ranks.filter(({ role, pod }) => role === observed.roles.leading && pod.phase === 'Succeeded');
  return areAll(observed, job, done) && done.some(({ uncounted }) => uncounted) ? trainers : undefined;
}

/**
 * That all trainers of the leading role have succeeded, though their pods may live on for a while. What happens then,
 * to them and to others, changes nothing any more.
 */
export function trainersDone(observed: Observed): Completion | undefined {
  const job = observed.jobs.get(observed.roles.leading);
  if (job === undefined) return undefined;
  const done = observed.ranks.filter((rank) => rank.role === observed.roles.leading && isDone(rank, isOverdue(job)));
  if (!areAll(observed, job, done)) return undefined;
  return at(
    done.map(({ pod }) => instant(trainerEnd(pod)?.finishedAt)),
    largest,
  );
}

const at = (times: readonly (number | undefined)[], choose: (times: readonly number[]) => number): Completion => {
  const known = times.filter((time) => time !== undefined);
  return known.length === 0 ? {} : { at: choose(known) };
};

/** Whether a rank has succeeded. One that its Job stops, since its time is over, had to do so before. */
const isDone = ({ pod }: Rank, overdue: boolean): boolean =>
  (!isTakenAway(pod) && (pod.phase === 'Succeeded' || (trainerEnd(pod)?.exitCode === 0 && pod.phase !== 'Failed'))) ||
  (overdue && pod.deleting && !isDisrupted(pod) && pod.reason === undefined && endedBeforeGoing(pod, 0));

/** Whether a Job stops its pods, or has, because its time is over. */
const isOverdue = ({ slice }: ObservedChild): boolean =>
  conditionsIn(slice).some(
    ({ type, status, reason }) =>
      (type === 'FailureTarget' || type === 'Failed') && status === 'True' && reason === 'DeadlineExceeded',
  );

/** Whether these ranks, and those that the Job has counted, are all whose end is the end of the training. */
function areAll(observed: Observed, job: ObservedChild, done: readonly Rank[]): boolean {
  const indexes = new Set(done.map(({ rank }) => rank));
  return neededRanks(observed).every((rank) => indexes.has(rank) || hasCounted(job, rank));
}

/** The ranks whose end is the end of the training; the same that the Job's success policy goes by. */
function neededRanks({ spec, roles }: Observed): readonly number[] {
  const count = roles.all.find(({ name }) => name === roles.leading)?.count ?? 1;
  return spec.elastic ? [0] : Array.from({ length: count }, (_, index) => index);
}
