import type { KubeObject } from '../../operator/kube/index.ts';

/** Whether an operator is at work, as the Lease of operators has it. */
export type LeaseState =
  | { readonly is: 'held'; readonly by: string }
  /** Its holder has stopped without giving it back. */
  | { readonly is: 'stale'; readonly by: string; readonly seconds: number }
  /** Its last holder has given it back. */
  | { readonly is: 'free'; readonly seconds: number };

interface LeaseSpec {
  readonly holderIdentity?: string;
  readonly renewTime?: string;
  readonly leaseDurationSeconds?: number;
}

/** A Lease that was not renewed for so many times its duration is nobody's: clocks may differ a bit. */
const TOO_LATE = 4;
/** As operator/kube/leaderelection has it, where a Lease does not say. */
const DURATION_SECONDS = 15;
/** So long after the last holder went nobody else has come: one that starts takes the Lease within seconds. */
const FREE_SECONDS = 60;

/** @param now - milliseconds since the epoch */
export function leaseStateOf(lease: KubeObject, now: number): LeaseState {
  const { holderIdentity = '', renewTime = '', leaseDurationSeconds = DURATION_SECONDS } = lease['spec'] as LeaseSpec;
  const renewed = Date.parse(renewTime);
  // One that was never renewed is as old as the Lease itself.
  const since = Number.isNaN(renewed) ? Date.parse(lease.metadata.creationTimestamp) : renewed;
  const seconds = Math.max(0, Math.round((now - since) / 1000));
  if (holderIdentity === '') return { is: 'free', seconds };
  return seconds <= leaseDurationSeconds * TOO_LATE
    ? { is: 'held', by: holderIdentity }
    : { is: 'stale', by: holderIdentity, seconds };
}

/** For how many seconds nobody has been at work; undefined where somebody is, or may be about to. */
export function secondsAway(state: LeaseState): number | undefined {
  if (state.is === 'held' || (state.is === 'free' && state.seconds <= FREE_SECONDS)) return undefined;
  return state.seconds;
}
