import type { Query, ObjectEvent, Snapshot, ObservedPod } from '../../engine/api/index.ts';
import { quote } from './diagnosis-text.ts';

/** Whether nodes may yet be added that can take a pod. */
export interface Outlook {
  /**
   * - `coming`: an autoscaler adds one
   * - `later`: an autoscaler adds none now, for a cause that may pass
   * - `open`: no autoscaler has said anything, or nobody has looked: one may still add a node, and so may a person
   * - `none`: an autoscaler says that no node that it could add would take the pod
   */
  readonly nodes: 'coming' | 'later' | 'open' | 'none';
  /** What the autoscaler says; '' where it says nothing. */
  readonly words: string;
}

/** How often the events of a pod are looked at. */
const RECHECK_SECONDS = 20;

/** By this the Cluster Autoscaler says that it adds none. */
const REFUSED = 'NotTriggerScaleUp';
/** By this the autoscaler of GKE says that it tried, and the cloud gave none: no such machines left, or a quota. It tries again. */
const FAILED = 'FailedScaleUp';
/**
 * By this the Cluster Autoscaler says that it adds a node for a pod
 * (cluster-autoscaler/processors/status/eventing_scale_up_processor.go).
 */
const TRIGGERED = 'TriggeredScaleUp';
/** By this Karpenter says the same (pkg/events/reason.go). */
const NOMINATED = 'Nominated';
/** Karpenter refuses with the scheduler's reason, in words of its own (pkg/controllers/provisioning/scheduling/events.go). */
const KARPENTER_REFUSED = /^Failed to schedule pod, /;

/** Who may add nodes, by what each says. A cluster may have both: one refuses what the other adds. */
const AUTOSCALERS: readonly ((event: ObjectEvent) => boolean)[] = [
  ({ reason }) => reason === TRIGGERED || reason === REFUSED || reason === FAILED,
  ({ reason, message }) => reason === NOMINATED || KARPENTER_REFUSED.test(message),
];

/**
 * Causes that may pass by themselves: limits that others fill, groups of nodes that failed a moment ago, and machines of
 * which a cloud has none left (Karpenter keeps such an offering out for minutes). Of the Cluster Autoscaler by
 * cluster-autoscaler/core/scaleup/orchestrator/skippedreasons.go and ReasonsMessage beside its events; of Karpenter by pkg/controllers/provisioning/scheduling/scheduler.go and nodeclaim.go (InstanceTypeFilterError).
 */
const MAY_PASS =
  /in backoff after failed scale-up|max node group size reached|not ready for scale-up|max cluster .{0,80} limit reached|max total nodes in cluster reached|exceed limits for|filtered out all available instance types|no instance type has the required offering|had enough resources, had a required offering/;

/**
 * What the scheduler's plugins say of a new node because of pods that run, or of a volume that is yet to be bound (Kubernetes
 * 1.36, pkg/scheduler/framework/plugins: interpodaffinity/filtering.go, podtopologyspread/filtering.go and
 * volumebinding/volume_binding.go): the Cluster Autoscaler repeats it, and it passes as these change.
 */
const HANGS_ON_OTHERS = /affinity rules|topology spread constraints|unbound immediate PersistentVolumeClaims/;

/** Whether the scheduler has found no node for a pod. */
const isUnschedulable = ({ conditions }: ObservedPod): boolean =>
  conditions.some(
    ({ type, status, reason }) => type === 'PodScheduled' && status === 'False' && reason === 'Unschedulable',
  );

/** Asks what an autoscaler says of the first of these pods that finds no node: what it says of one, it says of all. */
export const nodeQueries = (pods: readonly ObservedPod[]): readonly Query[] =>
  pods
    .filter(isUnschedulable)
    .slice(0, 1)
    .map(({ name, uid }) => ({
      id: queryId(uid),
      type: 'events',
      kind: 'Pod',
      name,
      uid,
      everySeconds: RECHECK_SECONDS,
    }));

/** Whether nodes may be added for the first of these pods that finds none; undefined where all have found one. */
export function outlookOf({ answers }: Pick<Snapshot, 'answers'>, pods: readonly ObservedPod[]): Outlook | undefined {
  const pod = pods.find(isUnschedulable);
  if (pod === undefined) return undefined;
  const answer = answers[queryId(pod.uid)];
  // An answer wakes the resource by itself.
  if (answer?.type !== 'events') return UNKNOWN;
  const statement = AUTOSCALERS.flatMap((isOfIt) => answer.events.findLast(isOfIt) ?? []).map(outlookBy);
  return BEST_FIRST.flatMap((nodes) => statement.filter((each) => each.nodes === nodes))[0] ?? UNKNOWN;
}

const UNKNOWN: Outlook = { nodes: 'open', words: '' };
const BEST_FIRST = ['coming', 'later', 'open', 'none'] as const;

function outlookBy(event: ObjectEvent): Outlook {
  const words = wordsOf(event);
  const { reason, message } = event;
  if (reason === TRIGGERED || reason === NOMINATED) return { nodes: 'coming', words };
  if (reason === FAILED || MAY_PASS.test(message) || HANGS_ON_OTHERS.test(message)) return { nodes: 'later', words };
  // Without a cause the Cluster Autoscaler refuses where it has no group of nodes at all: it says nothing of the pod.
  return /: *$/.test(message) ? { nodes: 'open', words } : { nodes: 'none', words };
}

/** The Cluster Autoscaler tells its causes in another order each time, and a condition would be written for each. */
function wordsOf({ reason, message }: ObjectEvent): string {
  if (reason !== REFUSED) return quote(message);
  const [head = '', causes] = message.split(/: (.*)/s);
  return quote(causes === undefined ? head : `${head}: ${causes.split(', ').toSorted().join(', ')}`);
}

const queryId = (uid: string): string => `events/${uid}`;
