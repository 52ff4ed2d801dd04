import { SERVER } from '../../../constructs/model-serving/server-container.ts';
import { inFlightOf } from '../../../constructs/model-serving/launch.ts';
import type { ModelServingStatus } from '../../../constructs/model-serving/status.ts';
import { largest } from '../../../constructs/parts/values/index.ts';
import { SETTLE_SECONDS } from '../../../constructs/parts/pod/index.ts';
import type { InFlight } from '../../../constructs/parts/pod/index.ts';
import { instant } from '../../engine/api/index.ts';
import type { ObservedPod, Query } from '../../engine/api/index.ts';
import type { Context, Drain, Part } from './context.ts';
import { containerOf, isDeployed } from './observed.ts';
import type { Observed } from './observed.ts';

type DrainStatus = NonNullable<ModelServingStatus['drain']>;

/** How often a pod is asked for its requests in flight. */
const RECHECK_SECONDS = 2;
/** How often the number is written to the status. */
const REPORT_MS = 10_000;

/** Before it goes, it takes no new requests, and those in flight end. */
export const drainRequests = ({ drain: { lifecycle, status, queries, requeueAt } }: Context): Part => ({
  state: { ...(lifecycle !== 'serving' && { lifecycle }) },
  status: { ...(status && { drain: status }) },
  queries,
  ...(requeueAt !== undefined && { requeueAt }),
});

/**
 * Takes a service out without cutting a request: first the Service goes and proxies learn of it, then the requests in
 * flight end or the time is over, then the pods may go.
 */
export function drainOf(observed: Observed, now: number): Drain {
  const { metadata, spec } = observed.snapshot.resource;
  if (metadata.deletionTimestamp === undefined && !spec.retired) return { lifecycle: 'serving', queries: [] };
  const { drain } = observed.status;
  if (drain?.endedAt !== undefined) return { lifecycle: 'retired', status: drain, queries: [] };
  const begun: DrainStatus = drain ?? { startedAt: iso(now) };
  if (!isDeployed(observed)) return ended(begun, now, 0);
  return draining(observed, begun, now);
}

/** How many requests were cut when the time was over. */
export const requestsCut = (drain: DrainStatus | undefined): number =>
  drain?.endedAt === undefined ? 0 : (drain.requestsInFlight ?? 0);

function draining(observed: Observed, begun: DrainStatus, now: number): Drain {
  const overAt = (instant(begun.startedAt) ?? now) + observed.spec.drain.timeoutSeconds * 1000;
  const source = inFlightOf(observed.status.served?.spec ?? observed.spec);
  const observations = observed.servers
    .filter(isServing)
    .map((pod) => observationOf(observed, pod, source?.metrics ?? []));
  const open = observations.filter((observation) => observation !== 'closed');
  const counted = open.filter((observation) => observation !== 'unknown');
  const inFlight = counted.length > 0 ? counted.reduce((sum, { requests }) => sum + requests, 0) : undefined;
  if (now >= overAt) return ended(begun, now, inFlight);

  const withdrawnAt = observed.service ? undefined : (instant(begun.withdrawnAt) ?? now);
  const quietFrom = withdrawnAt === undefined ? undefined : withdrawnAt + SETTLE_SECONDS * 1000;
  const idle =
    quietFrom !== undefined &&
    counted.length === open.length &&
    counted.every(({ at, requests }) => at >= quietFrom && requests === 0);
  const idleAt = idle && open.length > 0 ? (instant(begun.idleAt) ?? lastOf(counted)) : undefined;
  const agreed = idleAt !== undefined && counted.every(({ at }) => at > idleAt);
  const isQuiet = quietFrom !== undefined && now >= quietFrom;
  const nobodyWorks = withdrawnAt !== undefined && observations.length === 0;
  if (nobodyWorks || (isQuiet && (open.length === 0 || agreed))) return ended(begun, now, 0);
  // An engine that tells no number ends its requests by itself, within the grace period of its pod.
  if (isQuiet && source === undefined) return ended(begun, now, undefined);
  return {
    lifecycle: 'draining',
    status: {
      startedAt: begun.startedAt,
      ...(withdrawnAt !== undefined && { withdrawnAt: iso(withdrawnAt) }),
      ...(idleAt !== undefined && { idleAt: iso(idleAt) }),
      ...reportedCount(begun, inFlight, now),
    },
    queries: source ? observed.servers.filter(isServing).map((pod) => queryFor(pod, source)) : [],
    requeueAt: Math.min(overAt, Math.max(quietFrom ?? 0, now + RECHECK_SECONDS * 1000)),
  };
}

const lastOf = (observations: readonly { readonly at: number }[]): number => largest(observations.map(({ at }) => at));

/** Over: from now on nothing brings the pods back but `retired: false`. */
function ended(begun: DrainStatus, now: number, requests: number | undefined): Drain {
  const { idleAt: _, requestsInFlight: __, observedAt: ___, ...times } = begun;
  return {
    lifecycle: 'retired',
    status: { ...times, endedAt: iso(now), ...(requests !== undefined && { requestsInFlight: requests }) },
    queries: [],
  };
}

/** The number of requests in flight changes all the time: it is reported now and then, and at once when it is zero. */
function reportedCount(begun: DrainStatus, requests: number | undefined, now: number) {
  const { requestsInFlight, observedAt } = begun;
  const isFresh = now < (instant(observedAt) ?? 0) + REPORT_MS;
  if (requests === undefined || requests === requestsInFlight || (isFresh && requests > 0)) {
    return {
      ...(requestsInFlight !== undefined && { requestsInFlight }),
      ...(observedAt !== undefined && { observedAt }),
    };
  }
  return { requestsInFlight: requests, observedAt: iso(now) };
}

/** Not only ready pods: one that lost its readiness under load still has its requests. */
const isServing = (pod: ObservedPod): boolean => containerOf(pod, SERVER)?.running !== undefined;

type Observation = 'closed' | 'unknown' | { readonly at: number; readonly requests: number };

/** Metrics that are not there count as unknown, not as none: an engine may have renamed them. */
function observationOf({ snapshot }: Observed, pod: ObservedPod, names: readonly string[]): Observation {
  const answer = snapshot.answers[queryId(pod)];
  if (answer?.type !== 'podMetrics') return 'unknown';
  if (answer.closed) return 'closed';
  const values = names.flatMap((name) => answer.values[name] ?? []);
  return values.length === 0 ? 'unknown' : { at: answer.at, requests: Math.round(values.reduce((a, b) => a + b, 0)) };
}

const queryFor = (pod: ObservedPod, source: InFlight): Query => ({
  id: queryId(pod),
  type: 'podMetrics',
  pod: pod.name,
  ...source,
  everySeconds: RECHECK_SECONDS,
});

const queryId = ({ name }: ObservedPod): string => `inFlight/${name}`;

/** With milliseconds: looks are compared with these times. */
const iso = (ms: number): string => new Date(ms).toISOString();
