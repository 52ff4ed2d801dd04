import { largest } from '../../../../constructs/parts/values/index.ts';
import { instant } from '../../../engine/api/index.ts';
import type { ObservedPod } from '../../../engine/api/index.ts';
import { requeueAt } from '../context.ts';
import type { TrainingStep } from '../context.ts';
import { isJobDeleted, orphansOf } from '../missing-jobs.ts';
import type { Observed } from '../observed.ts';
import { isAlive } from '../ranks.ts';

/**
 * How long after its grace a pod may still be there. The kubelet of a node that answers is done within seconds, and the
 * Job controller, which lets go of pods one by one, with a thousand of them within a minute.
 */
const STUCK_MS = 60_000;

/**
 * Removes what is left of earlier attempts. A pod on a node that no longer answers never reports that it has stopped, so
 * it is deleted by force when its time is over: that it may run on is why attempts write their checkpoints apart. Pods that
 * nobody deletes (their Job was, without them) are deleted, and so are those that a Job created again of a rank whose program
 * had succeeded: it would run a second time, beside the others.
 */
export const removeLeftovers: TrainingStep = (context) => {
  const { observed, now } = context;
  const dueAt = removalTimes(observed, now);
  const pods = abandonedPods(observed);
  return {
    removePods: [
      ...pods
        .filter((pod) => dueAt(pod) <= now)
        .map(({ name, uid, deleting }) => ({ name, uid, ...(deleting && { force: true }) })),
      ...observed.repeatedPods.filter(isAlive).map(({ name, uid }) => ({ name, uid })),
    ],
    ...requeueAt(context, pods.map(dueAt)),
  };
};

/** Pods of earlier attempts that are on their way out, or that no Job has any more. */
function abandonedPods(observed: Observed): readonly ObservedPod[] {
  const { otherJobs, otherPods } = observed;
  const isOwned = otherJobs.length > 0;
  const goOn = new Set(isJobDeleted(observed) ? [] : orphansOf(observed));
  return otherPods.filter((pod) => (pod.deleting || !isOwned) && !goOn.has(pod));
}

/** When each is removed, in milliseconds since the epoch. */
function removalTimes({ status, snapshot }: Observed, now: number): (pod: ObservedPod) => number {
  const { creationTimestamp } = snapshot.resource.metadata;
  const ends = [creationTimestamp, status.attempts?.at(-1)?.finishedAt, status.nextAttemptAt];
  const lastEnd = largest(ends.map((time) => instant(time) ?? 0));
  return ({ deleting, goneBy = now }) => (deleting ? goneBy : lastEnd) + STUCK_MS;
}
