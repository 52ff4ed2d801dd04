import { instant } from '../../engine/api/index.ts';
import type { ObservedChild } from '../../engine/api/index.ts';
import { jobState } from '../shared/slices.ts';
import type { Observed } from './observed.ts';

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
