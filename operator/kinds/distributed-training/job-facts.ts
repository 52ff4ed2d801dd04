import type { Ask, Fact } from '../../engine/asks.ts';
import type { ResourceType } from '../../engine/kind.ts';
import type { View } from './view.ts';

/** A Job of which the cache may not tell the truth. */
export interface NamedJob {
  readonly name: string;
  readonly uid: string;
}

const JOB: ResourceType = { group: 'batch', version: 'v1', kind: 'Job', plural: 'jobs' };

/** Asks the API server whether it is there. */
export const jobAsk = ({ name, uid }: NamedJob): Ask => ({
  id: askId(uid),
  type: 'object',
  resource: JOB,
  name,
  everySeconds: 1,
});

/** What the API server said of the Job's name; undefined as long as it has not. */
export function jobFact({ snapshot }: View, { uid }: NamedJob): (Fact & { type: 'object' }) | undefined {
  const fact = snapshot.facts[askId(uid)];
  return fact?.type === 'object' ? fact : undefined;
}

const askId = (uid: string): string => `job/${uid}`;
