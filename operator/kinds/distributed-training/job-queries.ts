import type { Query, Answer } from '../../engine/api/index.ts';
import { TYPES } from '../../kube/index.ts';
import type { Observed } from './observed.ts';

/** A Job that may be there or not, whatever the cache has. */
export interface NamedJob {
  readonly name: string;
  /** Absent where it was never seen. */
  readonly uid?: string;
}

/** Asks the API server whether a Job is there. */
export const jobQuery = (job: NamedJob): Query => ({
  id: queryId(job),
  type: 'object',
  resource: TYPES.job,
  name: job.name,
  everySeconds: 1,
});

/** What the API server has under the Job's name; undefined as long as it has not answered. */
export function jobAnswer({ snapshot }: Observed, job: NamedJob): (Answer & { type: 'object' }) | undefined {
  const answer = snapshot.answers[queryId(job)];
  return answer?.type === 'object' ? answer : undefined;
}

const queryId = ({ name, uid }: NamedJob): string => `job/${uid ?? name}`;
