import type { Query } from '../../engine/api/index.ts';
import type { Diagnosis } from '../shared/diagnosis-text.ts';
import { REFUSAL_MS, refusalQuery, refusalOf } from '../shared/refused-pods.ts';
import { jobState } from '../shared/slices.ts';
import { largest } from '../../../constructs/parts/values/index.ts';
import type { Observed } from './observed.ts';

/** How long a Job may lack pods before it is reported: its controller makes a thousand within a minute. */
const PODS_MS = 60_000;

/** Asks why pods are missing, once they have been for a while. */
export const refusalQueries = (observed: Observed, now: number): readonly Query[] =>
  now >= (missingSince(observed) ?? Infinity) + REFUSAL_MS ? [...observed.jobs.values()].map(refusalQuery) : [];

/** When to ask why pods are missing, or to report that they are, in milliseconds since the epoch. */
export function missingPodsDueAt(observed: Observed, now: number): number | undefined {
  const since = missingSince(observed);
  if (since === undefined) return undefined;
  return since + (now < since + REFUSAL_MS ? REFUSAL_MS : PODS_MS);
}

/** That pods are missing: at once where the API server has refused them, else once there was time to make them. */
export function missingPods(observed: Observed, now: number): readonly Diagnosis[] {
  const since = missingSince(observed);
  if (since === undefined) return [];
  const refused = [...observed.jobs.values()].flatMap((job) => refusalOf(observed.snapshot, job) ?? []);
  if (refused.length > 0) return refused.slice(0, 1);
  return now >= since + PODS_MS ? [podsNotCreated(observed)] : [];
}

/** Since when pods are missing, if they are; a Job that is suspended, or about to end, needs none. */
function missingSince({ jobs, ranks, roles }: Observed): number | undefined {
  const wanted = roles.all.reduce((sum, { count }) => sum + count, 0);
  const all = [...jobs.values()];
  const isIdle = all.map(jobState).some(({ suspended, ending }) => suspended || ending);
  if (all.length === 0 || ranks.length >= wanted || isIdle) return undefined;
  return largest(all.map(({ createdAt }) => createdAt));
}

const podsNotCreated = ({ jobs }: Observed): Diagnosis => ({
  reason: 'PodsNotCreated',
  message: `Not all pods are there. A quota or an admission policy of the namespace may refuse them: kubectl describe job ${[...jobs.values()].map(({ name }) => name).join(' ')}.`,
  stuck: true,
});
