import type { Ask, Fact } from '../../engine/asks.ts';
import type { ResourceType } from '../../engine/kind.ts';
import type { View } from './view.ts';

/** A Job of which the cache may not tell the truth. */
export interface NamedJob {
  readonly name: string;
  /** Absent where it was never seen. */
  readonly uid?: string;
}

const JOB: ResourceType = { group: 'batch', version: 'v1', kind: 'Job', plural: 'jobs' };

/** Asks the API server whether a Job is there. */
export const jobAsk = (job: NamedJob): Ask => ({
  id: askId(job),
  type: 'object',
  resource: JOB,
  name: job.name,
  everySeconds: 1,
});

/** What the API server said of the Job's name; undefined as long as it has not. */
export function jobFact({ snapshot }: View, job: NamedJob): (Fact & { type: 'object' }) | undefined {
  const fact = snapshot.facts[askId(job)];
  return fact?.type === 'object' ? fact : undefined;
}

const askId = ({ name, uid }: NamedJob): string => `job/${uid ?? name}`;
