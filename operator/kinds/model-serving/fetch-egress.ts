import { smallest } from '../../../constructs/parts/values/index.ts';
import { instant } from '../../engine/api/index.ts';
import type { ObservedContainer, ObservedPod } from '../../engine/api/index.ts';
import { claimState } from '../shared/slices.ts';
import type { Context, Part } from './context.ts';
import { FETCH_CONTAINER, containerOf, weightsMode } from './observed.ts';
import type { Observed } from './observed.ts';
import { wasFetched } from './weights-volume.ts';

/**
 * How long a fetch may run on a volume that is known to be complete before it is taken to be in need of the network. One
 * that finds the marker needs none, and ends within a second or two.
 */
const MARKER_MS = 10_000;

/** Servers that fetch by themselves reach where their model comes from, as long as they have to. */
export function openFetchEgress(context: Context): Part {
  const { egress, requeueAt } = fetchEgressOf(context);
  return {
    state: { ...(egress === 'closed' && { fetchEgress: egress }) },
    ...(requeueAt !== undefined && { requeueAt }),
  };
}

/** What servers may reach for their own fetch. */
interface FetchEgress {
  /** Absent where no server fetches by itself. */
  readonly egress?: 'open' | 'closed';
  /** When it may open though nothing has changed, in milliseconds since the epoch. */
  readonly requeueAt?: number;
}

/**
 * Whether servers that fetch by themselves may reach where their model comes from: as long as it isn't known to be on
 * their volume, and again where a fetch on such a volume proves to need it. It closes only once the status says that
 * the weights are there, so that anyone who takes over in the middle decides the same.
 */
function fetchEgressOf({ now, observed, template, drain: { lifecycle } }: Context): FetchEgress {
  const isOwn = [observed.spec, template].some((spec) => weightsMode(spec) === 'server');
  if (!isOwn || lifecycle === 'retired') return {};
  if (lifecycle === 'draining') return { egress: 'closed' };
  if (isToBeFetched(observed)) return { egress: 'open' };
  const needs = observed.servers.map(needsNetworkAt).filter((at) => at !== undefined);
  if (needs.length === 0) return { egress: 'closed' };
  const first = smallest(needs);
  return first <= now ? { egress: 'open' } : { egress: 'closed', requeueAt: first };
}

/** Whether a server will fetch onto the volume that there is, or is about to be. No pod starts on one that leaves or is lost. */
function isToBeFetched(observed: Observed): boolean {
  const { mode, claim, leavingClaim } = observed;
  if (mode !== 'server' || leavingClaim !== undefined || (claim && claimState(claim).lost)) return false;
  return !wasFetched(observed);
}

/** From when on the fetch of a pod needs the network, in milliseconds since the epoch; undefined where it has none, or is done. */
function needsNetworkAt(pod: ObservedPod): number | undefined {
  const fetch = containerOf(pod, FETCH_CONTAINER);
  if (fetch === undefined || fetch.terminated?.exitCode === 0) return undefined;
  if (hasFailed(fetch)) return -Infinity;
  return fetch.running && (instant(fetch.running.startedAt) ?? 0) + MARKER_MS;
}

const hasFailed = ({ terminated, lastTerminated }: ObservedContainer): boolean =>
  [terminated, lastTerminated].some((end) => end !== undefined && end.exitCode !== 0);
