import type { Query, ObservedPod } from '../../engine/api/index.ts';
import { jobQuery, jobAnswer, type NamedJob } from './job-queries.ts';
import { attemptOf, CONTROLLER_LABEL } from './observed.ts';
import type { Observed } from './observed.ts';

/**
 * Pods of the present attempt whose Job is not in sight. Either it was deleted, and the attempt is over; or the watch of
 * Jobs is behind that of pods, or somebody took the label away by which the watch selects them, and the attempt continues.
 * What that costs may be days of work, so the API server is asked before anything is decided.
 */

/** By this label, a pod names its Job. */
const JOB_LABEL = 'batch.kubernetes.io/job-name';

/** How long one may rely on it that a Job is there, in milliseconds: that it is gone stays so forever. */
const FRESH_MS = 2_000;

interface PodsJob extends NamedJob {
  readonly uid: string;
}

/**
 * The pods of the present attempt whose Job is none that it has now. Those of an earlier resource of this name are left
 * out as soon as they are known: some by their age, which is in whole seconds; the others by their Job.
 */
export const orphansOf = (observed: Observed): Observed['otherPods'] =>
  candidatesOf(observed).filter((pod) => !isForeign(observed, jobOf(pod)));

/** Pods that may be orphans, by their labels and their age. */
function candidatesOf({ attempt, otherPods, snapshot }: Observed): Observed['otherPods'] {
  const since = Date.parse(snapshot.resource.metadata.creationTimestamp);
  return otherPods.filter((pod) => attemptOf(pod) === attempt && pod.createdAt >= since);
}

/**
 * Whether a Job is known to be that of an earlier resource of this name: it says so, or it is gone and no pod of ours was
 * ever seen.
 */
function isForeign(observed: Observed, job: PodsJob): boolean {
  const answer = jobAnswer(observed, job);
  if (answer === undefined) return false;
  return answer.uid === job.uid
    ? answer.ownerUid !== undefined && answer.ownerUid !== observed.snapshot.resource.metadata.uid
    : observed.status.startTime === undefined;
}

/** The Job that a pod names. */
const jobOf = ({ labels }: ObservedPod): PodsJob => ({
  name: labels[JOB_LABEL] ?? '',
  uid: labels[CONTROLLER_LABEL] ?? '',
});

/** The Jobs that pods name, each once. */
const jobsOf = (pods: readonly ObservedPod[]): readonly PodsJob[] => [
  ...new Map(pods.map(jobOf).map((job) => [job.uid, job])).values(),
];

const isKnown = ({ otherJobs }: Observed, { uid }: PodsJob): boolean => otherJobs.some((job) => job.uid === uid);

/** Those that pods name, and that the cache does not have in any state. */
const unseenJobs = (observed: Observed, pods: readonly ObservedPod[]): readonly PodsJob[] =>
  jobsOf(pods).filter((job) => !isKnown(observed, job));

/** The unseen Jobs of orphans. */
export const missingJobs = (observed: Observed): readonly PodsJob[] => unseenJobs(observed, orphansOf(observed));

/** Asks for each that an orphan may name, as long as it may: what was found out is forgotten once it is not asked for. */
export const missingJobQueries = (observed: Observed): readonly Query[] =>
  unseenJobs(observed, candidatesOf(observed)).map(jobQuery);

/** Whether a Job of the present attempt is gone, or going, while its pods are still there. */
export const isJobDeleted = (observed: Observed): boolean =>
  jobsOf(orphansOf(observed)).some((job) => {
    const answer = jobAnswer(observed, job);
    return isKnown(observed, job) || (answer !== undefined && answer.uid !== job.uid);
  });

/** Whether all missing Jobs were there a moment ago. */
export const areMissingJobsThere = (observed: Observed, now: number): boolean =>
  missingJobs(observed).every((job) => {
    const answer = jobAnswer(observed, job);
    return answer?.uid === job.uid && now - answer.at < FRESH_MS;
  });
