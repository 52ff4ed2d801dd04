import type { Ask, ObjectEvent } from '../../engine/asks.ts';
import type { Snapshot } from '../../engine/kind.ts';
import type { ObservedPod } from '../../engine/observed.ts';
import { quote } from './finding.ts';

/** Whether nodes may yet be added that can take a pod. */
export interface Outlook {
  /**
   * - `coming`: an autoscaler adds one
   * - `later`: an autoscaler adds none now, for a cause that may pass
   * - `open`: nobody has looked yet, or the pod is so new that no autoscaler has said anything yet
   * - `none`: an autoscaler will add none, or there is no autoscaler
   */
  readonly nodes: 'coming' | 'later' | 'open' | 'none';
  /** What the autoscaler says; '' where it says nothing. */
  readonly words: string;
  /** When to look again, in milliseconds since the epoch. */
  readonly until?: number;
}

/**
 * How soon an autoscaler says something of a pod: the Cluster Autoscaler looks every 10 s (`--scan-interval`), Karpenter
 * gathers pods for 10 s at most (`BATCH_MAX_DURATION`).
 */
const SAYS_WITHIN_MS = 30_000;

/** How often the events of a pod are looked at. */
const LOOK_SECONDS = 20;

/**
 * Reasons of events by which an autoscaler says that it adds a node for a pod: TriggeredScaleUp of the Cluster Autoscaler
 * (cluster-autoscaler/processors/status/eventing_scale_up_processor.go), Nominated of Karpenter (pkg/events/reason.go).
 */
const COMING: ReadonlySet<string> = new Set(['TriggeredScaleUp', 'Nominated']);

/** By this the Cluster Autoscaler says that it adds none. */
const REFUSED = 'NotTriggerScaleUp';
/** By this the autoscaler of GKE says that it tried, and the cloud gave none: no such machines left, or a quota. It tries again. */
const FAILED = 'FailedScaleUp';
/** Karpenter says so with the scheduler's reason, in words of its own (pkg/controllers/provisioning/scheduling/events.go). */
const KARPENTER_REFUSED = /^Failed to schedule pod, /;

/**
 * Causes that may pass by themselves: limits that others fill, groups of nodes that failed a moment ago, and machines of
 * which a cloud has none left (Karpenter keeps such an offering out for minutes). Of the Cluster Autoscaler by
 * cluster-autoscaler/core/scaleup/orchestrator/skippedreasons.go and ReasonsMessage beside its events; of Karpenter by pkg/controllers/provisioning/scheduling/scheduler.go and nodeclaim.go (InstanceTypeFilterError).
 */
const MAY_PASS =
  /in backoff after failed scale-up|max node group size reached|not ready for scale-up|max cluster .{0,80} limit reached|max total nodes in cluster reached|exceed limits for|no instance type has the required offering|had enough resources, had a required offering/;

/** Whether the scheduler has found no node for a pod. */
const isUnschedulable = ({ conditions }: ObservedPod): boolean =>
  conditions.some(
    ({ type, status, reason }) => type === 'PodScheduled' && status === 'False' && reason === 'Unschedulable',
  );

/** Asks what an autoscaler says of the first of these pods that finds no node: what it says of one, it says of all. */
export const nodeAsks = (pods: readonly ObservedPod[]): readonly Ask[] =>
  pods
    .filter(isUnschedulable)
    .slice(0, 1)
    .map(({ name, uid }) => ({ id: askId(uid), type: 'events', kind: 'Pod', name, uid, everySeconds: LOOK_SECONDS }));

/** Whether nodes may be added for the first of these pods that finds none; undefined where all have found one. */
export function outlookOf(
  { facts }: Pick<Snapshot, 'facts'>,
  pods: readonly ObservedPod[],
  now: number,
): Outlook | undefined {
  const pod = pods.find(isUnschedulable);
  if (pod === undefined) return undefined;
  const fact = facts[askId(pod.uid)];
  // An answer wakes the resource by itself.
  if (fact?.type !== 'events') return { nodes: 'open', words: '' };
  const said = fact.events.findLast(isOfAutoscaler);
  if (said !== undefined) return outlookBy(said);
  const until = pod.createdAt + SAYS_WITHIN_MS;
  return now < until ? { nodes: 'open', words: '', until } : { nodes: 'none', words: '' };
}

const isRefusal = ({ reason, message }: ObjectEvent): boolean =>
  reason === REFUSED || reason === FAILED || KARPENTER_REFUSED.test(message);

const isOfAutoscaler = (event: ObjectEvent): boolean => COMING.has(event.reason) || isRefusal(event);

function outlookBy(event: ObjectEvent): Outlook {
  const words = wordsOf(event);
  if (!isRefusal(event)) return { nodes: 'coming', words };
  return { nodes: event.reason === FAILED || MAY_PASS.test(event.message) ? 'later' : 'none', words };
}

/** The Cluster Autoscaler tells its causes in another order each time, and a condition would be written for each. */
function wordsOf({ reason, message }: ObjectEvent): string {
  if (reason !== REFUSED) return quote(message);
  const [head = '', causes] = message.split(/: (.*)/s);
  return quote(causes === undefined ? head : `${head}: ${causes.split(', ').toSorted().join(', ')}`);
}

const askId = (uid: string): string => `events/${uid}`;
