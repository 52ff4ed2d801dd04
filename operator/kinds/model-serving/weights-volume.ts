import { instant } from '../../engine/api/index.ts';
import type { ObservedChild } from '../../engine/api/index.ts';
import { claimState, jobState } from '../shared/slices.ts';
import type { Observed } from './observed.ts';
import { stuck, waiting } from './weights-state.ts';
import type { WeightsState } from './weights-state.ts';

/** What was on a volume goes with it, whatever was fetched onto it. */
export function goneState({ mode, claim, leavingClaim, jobs }: Observed): WeightsState | undefined {
  if (mode !== 'job' && mode !== 'server') return undefined;
  if (leavingClaim) {
    return {
      ...waiting(
        'VolumePending',
        `Volume ${leavingClaim.name} is being deleted. Once no pod uses it, it is created again, and the weights are fetched again.`,
      ),
      // The pods of a Job that has ended use it too.
      retry: jobs.map(jobState).some(({ complete, failed }) => complete !== undefined || failed !== undefined),
    };
  }
  if (!claim || !claimState(claim).lost) return undefined;
  return stuck({
    reason: 'VolumeLost',
    message: `Volume ${claim.name} has lost the PersistentVolume that it was bound to, and what was on it. Bring that back, or have the weights fetched again onto another: kubectl delete pvc ${claim.name}. It goes once no server uses it.`,
    stuck: true,
  });
}

/**
 * Whether these weights were there when last looked: what is on a volume stays there, whatever happens to the fetcher.
 * A volume made since is another one. The condition does not tell: it may have been true of other weights.
 */
export const wasFetched = ({ claim, spec, status: { weights } }: Observed): boolean =>
  claim !== undefined && weights?.uri === spec.model.uri && weights.claimUID === claim.uid;

/** Whether a Job has fetched the weights onto the volume that there is, and not onto an earlier one of its name. */
export function isOnVolume({ claim }: Observed, job: ObservedChild): boolean {
  const { complete } = jobState(job);
  if (!complete) return false;
  const at = instant(complete.lastTransitionTime);
  return claim === undefined || at === undefined || at >= claim.createdAt;
}
