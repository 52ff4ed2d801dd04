import type { ObservedChild } from '../../engine/api/index.ts';
import { refusalQuery, refusalOf } from '../shared/refused-pods.ts';
import { claimState } from '../shared/slices.ts';
import type { Observed } from './observed.ts';
import { stuck, toldBefore, waiting } from './weights-state.ts';
import type { WeightsState } from './weights-state.ts';

/** How long a volume may be pending before it is told: provisioners take seconds, and a minute when they are slow. */
export const BINDING_MS = 2 * 60_000;
/** The field that says what the pod of a fetch asks for. */
const FETCHER_RESOURCES = 'fetcher.resources';
/** How long a Job may be without a pod before it is told: the Job controller makes it within a second. */
const POD_MS = 60_000;

/** No fetcher runs yet. */
export function starting(observed: Observed, job: ObservedChild | undefined, now: number): WeightsState {
  const { claim, spec, snapshot } = observed;
  // A volume may wait for the pod, so this comes first.
  const refused = job && (refusalOf(snapshot, job, FETCHER_RESOURCES) ?? toldBefore(observed, [refusalQuery(job)]));
  if (refused) return stuck(refused);
  const state = claim && claimState(claim);
  if (claim && state && !state.bound) {
    if (state.storageClassName === undefined) {
      return stuck({
        reason: 'VolumeNotBound',
        message: `Volume ${claim.name} has no storage class, and the cluster has no default. Name one in storage.storageClassName, or mark one as the default.`,
        stuck: true,
      });
    }
    const due = claim.createdAt + BINDING_MS;
    if (now < due) {
      return {
        ...waiting(
          'VolumePending',
          `Volume ${claim.name} is not bound yet; many storage classes wait for the first pod.`,
        ),
        requeueAt: due,
      };
    }
    return stuck({
      reason: 'VolumeNotBound',
      message: `Volume ${claim.name} of storage class ${state.storageClassName} is not bound yet. Check that the class exists and has room: kubectl describe pvc ${claim.name}.`,
      stuck: true,
    });
  }
  if (job && now >= job.createdAt + POD_MS) {
    return stuck({
      reason: 'PodNotCreated',
      message: `Job ${job.name} has no pod. A quota or an admission policy of the namespace may refuse it: kubectl describe job ${job.name}.`,
      stuck: true,
    });
  }
  return {
    ...waiting('FetchPending', `The download of ${spec.model.uri} is about to start.`),
    ...(job && { requeueAt: job.createdAt + POD_MS }),
  };
}
