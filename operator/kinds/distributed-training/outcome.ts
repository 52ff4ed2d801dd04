import { jobState } from '../shared/slices.ts';
import { deadlineOf } from './attempt-state.ts';
import type { AttemptState, Outcome } from './attempt-state.ts';
import { trainersDone, workDone } from './completion.ts';
import { obstacleOf } from './diagnoses.ts';
import type { Reported } from './objective.ts';
import type { Observed } from './observed.ts';

/** It succeeded, though perhaps what it was to report could not be read. */
export function success({ roles }: Observed, { lack }: Reported): Outcome {
  const who = roles.all.length === 1 ? 'All ranks' : `All ranks of role ${roles.leading}`;
  const message = `${who} succeeded.`;
  return { complete: true, reason: 'Completed', message: lack === undefined ? message : `${message} ${lack}` };
}

/** The end of a training that takes too long; undefined where it does not. */
export function deadlineExceeded(observed: Observed, attemptState: AttemptState, now: number): Outcome | undefined {
  const due = deadlineOf(observed, attemptState);
  const done = workDone(observed) ?? trainersDone(observed);
  // What was done in time is no less so because a pod lives on, or its log is still being read.
  if (done !== undefined && (done.at ?? -Infinity) <= (due ?? Infinity)) return undefined;
  const isOver = [...observed.jobs.values()].some((job) => jobState(job).failed?.reason === 'DeadlineExceeded');
  if (!isOver && (due === undefined || now < due)) return undefined;
  const duration = `It took longer than ${observed.spec.activeDeadlineSeconds} s, counted from its last resume`;
  const obstacle = obstacleOf(observed, now);
  const message =
    obstacle === undefined
      ? `${duration}. Raise activeDeadlineSeconds in a new resource, or let it do less.`
      : `${duration}, and not all ranks ran: ${obstacle} Then make a new resource.`;
  return { complete: false, reason: 'DeadlineExceeded', message };
}
