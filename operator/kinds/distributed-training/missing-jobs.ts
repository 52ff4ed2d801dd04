import type { Ask, Fact } from '../../engine/asks.ts';
import type { ResourceType } from '../../engine/kind.ts';
import { attemptOf, CONTROLLER_LABEL } from './view.ts';
import type { View } from './view.ts';

/**
 * Pods of the present attempt whose Job is not in sight. Either it was deleted, and the attempt is over; or the watch of
 * Jobs is behind that of pods, or somebody took the label away by which the watch selects them, and the attempt goes on.
 * What that costs may be days of work, so nothing is believed before the API server was asked.
 */

const JOB: ResourceType = { group: 'batch', version: 'v1', kind: 'Job', plural: 'jobs' };

/** By this label, a pod names its Job. */
const JOB_LABEL = 'batch.kubernetes.io/job-name';

/** How long one may rely on it that a Job is there, in milliseconds: that it is gone stays so for ever. */
const FRESH_MS = 2_000;

interface NamedJob {
  readonly name: string;
  readonly uid: string;
}

/** The pods of the present attempt, and not of an earlier resource of this name, whose Job is none that it has now. */
export function orphansOf({ attempt, otherPods, snapshot }: View): View['otherPods'] {
  const since = Date.parse(snapshot.resource.metadata.creationTimestamp);
  return otherPods.filter((pod) => attemptOf(pod) === attempt && pod.createdAt >= since);
}

/** The Jobs that orphans name. */
function jobsOf(orphans: View['otherPods']): readonly NamedJob[] {
  const jobs = orphans.map(({ labels }) => ({ name: labels[JOB_LABEL] ?? '', uid: labels[CONTROLLER_LABEL] ?? '' }));
  return [...new Map(jobs.map((job) => [job.uid, job])).values()];
}

const isKnown = ({ otherJobs }: View, { uid }: NamedJob): boolean => otherJobs.some((job) => job.uid === uid);

/** Those of them that the cache does not have in any state. */
export const missingJobs = (view: View): readonly NamedJob[] =>
  jobsOf(orphansOf(view)).filter((job) => !isKnown(view, job));

/** Asks for each of them. */
export const missingJobAsks = (view: View): readonly Ask[] =>
  missingJobs(view).map(({ name, uid }) => ({ id: askId(uid), type: 'object', resource: JOB, name, everySeconds: 1 }));

/** Whether a Job of the present attempt is gone, or going, while its pods are still there. */
export const isTornApart = (view: View): boolean =>
  jobsOf(orphansOf(view)).some((job) => {
    const fact = answerIn(view.snapshot.facts, job.uid);
    return isKnown(view, job) || (fact !== undefined && fact.uid !== job.uid);
  });

/** Whether all missing Jobs were there a moment ago. */
export const areThere = (view: View, now: number): boolean =>
  missingJobs(view).every(({ uid }) => {
    const fact = answerIn(view.snapshot.facts, uid);
    return fact?.uid === uid && now - fact.at < FRESH_MS;
  });

function answerIn(facts: Readonly<Record<string, Fact>>, uid: string): (Fact & { type: 'object' }) | undefined {
  const fact = facts[askId(uid)];
  return fact?.type === 'object' ? fact : undefined;
}

const askId = (uid: string): string => `job/${uid}`;
