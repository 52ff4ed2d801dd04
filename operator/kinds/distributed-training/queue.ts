import { jobState } from '../shared/slices.ts';
import type { Observed } from './observed.ts';

/** Whether it waits for its turn: its Jobs are suspended, or its pods held back, by somebody else than its user. */
export function isQueued({ spec, jobs, ranks }: Observed): boolean {
  if (spec.queue === undefined || spec.suspend || jobs.size === 0) return false;
  return (
    [...jobs.values()].some((job) => jobState(job).suspended) ||
    ranks.some(({ pod }) => pod.conditions.some(({ reason }) => reason === 'SchedulingGated'))
  );
}
