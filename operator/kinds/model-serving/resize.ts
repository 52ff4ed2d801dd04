import { quote } from '../shared/diagnosis-text.ts';
import type { Diagnosis } from '../shared/diagnosis-text.ts';
import { claimState } from '../shared/slices.ts';
import type { Observed } from './observed.ts';

/** Why the volume of the weights does not become as large as the spec asks. What it holds, it holds on to. */
export function resizeFailure({ claim }: Observed): readonly Diagnosis[] {
  const { resizeError, least } = claim ? claimState(claim) : {};
  if (!claim || resizeError === undefined) return [];
  const message = `Volume ${claim.name} stays at ${least}, since it can't be made larger: ${quote(resizeError)}. Set storage.size to a size that its driver can do, or fix the driver: kubectl describe pvc ${claim.name}.`;
  return [{ reason: 'VolumeResizeFailed', message, stuck: true }];
}
