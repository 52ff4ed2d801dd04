import type { Query, Answer, ResourceType } from '../../engine/api/index.ts';
import type { Observed } from './observed.ts';

/** A Job of which the cache may not tell the truth. */
export interface NamedJob {
  readonly name: string;
  /** Absent where it was never seen. */
  readonly uid?: string;
}

const JOB: ResourceType = { group: 'batch', version: 'v1', kind: 'Job', plural: 'jobs' };

/** Asks the API server whether a Job is there. */
export const jobQuery = (job: NamedJob): Query => ({
  id: queryId(job),
  type: 'object',
  resource: JOB,
  name: job.name,
  everySeconds: 1,
});

/** What the API server said of the Job's name; undefined as long as it has not. */
export function jobAnswer({ snapshot }: Observed, job: NamedJob): (Answer & { type: 'object' }) | undefined {
  const answer = snapshot.answers[queryId(job)];
  return answer?.type === 'object' ? answer : undefined;
}

const queryId = ({ name, uid }: NamedJob): string => `job/${uid ?? name}`;
