import { instant } from '../../engine/api/index.ts';
import type { PodRemoval, ObservedPod } from '../../engine/api/index.ts';
import { largest, smallest } from '../../../constructs/parts/values/index.ts';
import { isTornApart, orphansOf } from './missing-jobs.ts';
import type { Observed } from './observed.ts';

/**
 * How long after its grace a pod may still be there. The kubelet of a node that answers is done within seconds, and the
 * Job controller, which lets go of pods one by one, with a thousand of them within a minute.
 */
const STUCK_MS = 60_000;

/** How the pods of earlier attempts end. */
export interface Stop {
  /** Whether none is left. */
  readonly quiet: boolean;
  readonly removals: readonly PodRemoval[];
  readonly requeueAt?: number;
}

/**
 * Sees that what is left of earlier attempts goes. A pod on a node that no longer answers is never said to have stopped,
 * so it is taken out by force when its time is over: that it may run on is why attempts write their checkpoints apart.
 * Pods that nobody deletes (their Job was, without them) are deleted, and so are those that a Job created again of a rank whose
 * program had succeeded: it would run a second time, beside the others.
 */
export function stopOf(observed: Observed, now: number): Stop {
  const { otherJobs, otherPods, repeatedPods, status, snapshot } = observed;
  const { creationTimestamp } = snapshot.resource.metadata;
  const ends = [creationTimestamp, status.attempts?.at(-1)?.finishedAt, status.nextAttemptAt];
  const sinceRest = largest(ends.map((time) => instant(time) ?? 0));
  const isOwned = otherJobs.length > 0;
  const dueOf = ({ deleting, goneBy = now }: ObservedPod) => (deleting ? goneBy : sinceRest) + STUCK_MS;
  const goOn = new Set(isTornApart(observed) ? [] : orphansOf(observed));
  const forsaken = otherPods.filter((pod) => (pod.deleting || !isOwned) && !goOn.has(pod));
  const later = forsaken.map(dueOf).filter((due) => due > now);
  return {
    quiet: otherPods.length === 0 && otherJobs.length === 0,
    removals: [
      ...forsaken
        .filter((pod) => dueOf(pod) <= now)
        .map(({ name, uid, deleting }) => ({ name, uid, ...(deleting && { force: true }) })),
      ...repeatedPods.filter(isGoing).map(({ name, uid }) => ({ name, uid })),
    ],
    ...(later.length > 0 && { requeueAt: smallest(later) }),
  };
}

const isGoing = ({ deleting, phase }: ObservedPod): boolean => !deleting && phase !== 'Succeeded' && phase !== 'Failed';
