import { conditionOf, instant } from '../../engine/api/index.ts';
import type { BareCondition, Condition, Snapshot, ObservedChild, PartialResult } from '../../engine/api/index.ts';
import { falseCondition } from './conditions.ts';
import { quote } from './diagnosis-text.ts';
import type { Diagnosis } from './diagnosis-text.ts';
import { conditionsIn } from './slices.ts';
import type { ChildCondition } from './slices.ts';
import { carriedOver } from './carried-over.ts';
import { extensionQueries, missingExtensions, otherFailures } from './trouble.ts';
import type { Extension } from './trouble.ts';

/** The condition ScalingActive, and when to look again though nothing has changed, in milliseconds since the epoch. */
export interface Scaling {
  readonly condition: BareCondition;
  readonly requeueAt?: number;
}

/**
 * How long an autoscaler may say nothing before that is told: KEDA answers within seconds, and the controller of
 * HorizontalPodAutoscalers looks every 15 s (`--horizontal-pod-autoscaler-sync-period` of kube-controller-manager 1.36).
 */
const SILENT_MS = 60_000;

/** Whose silence it is, and what to look at. */
const ANSWERS: Readonly<Record<string, string>> = {
  HorizontalPodAutoscaler:
    'Check that kube-controller-manager runs, and that its --controllers leave in the horizontal-pod-autoscaler-controller.',
  ScaledObject: 'Check that the operator of KEDA runs: kubectl get pods -A -l app=keda-operator.',
};

/** A workload that is to be scaled. */
export interface Scaled {
  readonly snapshot: Snapshot;
  /** Its HorizontalPodAutoscaler or its ScaledObject, whichever its spec takes; absent as long as there is none. */
  readonly autoscaler?: ObservedChild | undefined;
  /** What of its spec takes more than Kubernetes. */
  readonly extensions: readonly Extension[];
  /** What KEDA gets its numbers from, and what must be so: `the queue of spec.autoscaling.queue answers`. */
  readonly source: string;
}

/** What an autoscaler says of itself that keeps it from scaling, the weightiest first, and the status that is bad. */
const BAD: Readonly<Record<string, readonly (readonly [type: string, bad: string])[]>> = {
  HorizontalPodAutoscaler: [
    ['AbleToScale', 'False'],
    ['ScalingActive', 'False'],
  ],
  // KEDA tells what its HorizontalPodAutoscaler says as HPAActive. Active tells the load, and changes with it.
  ScaledObject: [
    ['Ready', 'False'],
    ['Paused', 'True'],
    ['Fallback', 'True'],
    ['HPAActive', 'False'],
  ],
};

/** Ids of the children that scale. */
const SCALING: ReadonlySet<string> = new Set(['autoscaler', 'trigger-authentication']);

/** What says that all is well, where nothing is bad. */
const GOOD: Readonly<Record<string, string>> = { HorizontalPodAutoscaler: 'ScalingActive', ScaledObject: 'Ready' };

/** Where CPU is all that counts, Kubernetes scales by itself. */
export const scalerKind = (takesKeda: boolean): string => (takesKeda ? 'ScaledObject' : 'HorizontalPodAutoscaler');

/** The replicas follow the load: the step of kinds that can be scaled. */
export const scale = ({ scaling }: { readonly scaling: Scaling | undefined }): PartialResult<unknown, unknown> =>
  scaling === undefined
    ? {}
    : {
        conditions: [scaling.condition],
        ...(scaling.requeueAt !== undefined && { requeueAt: scaling.requeueAt }),
      };

/** What the condition ScalingActive says: whether the autoscaler works, in its own words. */
export function scalingOf({ snapshot, autoscaler, extensions, source }: Scaled, now: number): Scaling {
  const absent = missingExtensions(snapshot, extensions).find(({ reason }) => reason === 'KedaNotInstalled');
  const failures = snapshot.failures.filter(({ child }) => child !== undefined && SCALING.has(child));
  const [refused] = otherFailures({ ...snapshot, failures: failures }, new Set(), extensions);
  const missing = absent ?? refused ?? carriedOver(snapshot, 'ScalingActive', extensionQueries(extensions));
  if (missing) return { condition: falseCondition('ScalingActive', missing) };
  if (!autoscaler) return { condition: unknown('The autoscaler is about to be made.') };
  const conditions = conditionsIn(autoscaler.slice);
  const held = (type: string, status: string) => conditions.find((one) => one.type === type && one.status === status);
  for (const [type, bad] of BAD[autoscaler.kind] ?? []) {
    const condition = held(type, bad);
    if (condition) return { condition: mirrored(condition, 'False', adviceOn(condition, autoscaler, source)) };
  }
  const good = held(GOOD[autoscaler.kind] ?? '', 'True');
  return good ? { condition: mirrored(good, 'True') } : idle(snapshot, autoscaler, now);
}

/** It says neither that it can scale nor that it can't: for a moment that is as it should be. */
function idle({ resource }: Snapshot, { kind, name, createdAt }: ObservedChild, now: number): Scaling {
  const before = conditionOf(resource.status?.conditions, 'ScalingActive');
  const due = Math.max(createdAt, silentSince(before, now)) + SILENT_MS;
  if (now < due) return { condition: unknown('The autoscaler has not said yet whether it can scale.'), requeueAt: due };
  const message =
    `Nobody answers for ${kind} ${name}: it does not say whether it can scale. ${ANSWERS[kind] ?? ''}`.trim();
  return { condition: falseCondition('ScalingActive', { reason: 'AutoscalerSilent', message }) };
}

/** Since when nothing was said, as far as the last status tells: an autoscaler that spoke may fall silent later. */
function silentSince(before: Condition | undefined, now: number): number {
  if (before?.reason === 'AutoscalerSilent') return -Infinity;
  return before?.status === 'Unknown' ? (instant(before.lastTransitionTime) ?? -Infinity) : now;
}

/**
 * What Ready tells of an autoscaler that can't scale: the replicas that there are answer, and their number does not
 * follow the load, as the spec asks.
 *
 * @param known - what Ready tells already: what is missing is told once
 */
export function scalingDiagnoses(scaling: Scaling | undefined, known: readonly Diagnosis[]): readonly Diagnosis[] {
  const { status, reason, message } = scaling?.condition ?? {};
  if (status !== 'False' || reason === undefined || message === undefined) return [];
  if (known.some((each) => each.message.includes(message))) return [];
  return [{ reason, message: `The replicas don't follow the load. ${message}`, stuck: true }];
}

const unknown = (message: string): BareCondition => ({
  type: 'ScalingActive',
  status: 'Unknown',
  reason: 'NotReported',
  message,
});

const mirrored = ({ reason, message, type }: ChildCondition, status: 'True' | 'False', advice = ''): BareCondition => ({
  type: 'ScalingActive',
  status,
  reason: reason === '' ? type : reason,
  message: `The autoscaler says: ${quote(message)}.${advice}`,
});

/** What the API server says where nothing serves the use of CPU and memory; KEDA serves external.metrics.k8s.io. */
const NO_METRICS = /pods\.metrics\.k8s\.io|resource metrics API/;

/**
 * KEDA keeps the replicas that there are while it gets no number, and its condition Fallback does not say why; its events do.
 * Until then it is its HorizontalPodAutoscaler that says so: KEDA 2.21, pkg/fallback/fallback.go.
 */
const hasNoNumber = ({ type, reason }: ChildCondition): boolean =>
  type === 'Fallback' || reason === 'FailedGetExternalMetric';

function adviceOn(condition: ChildCondition, { kind, name }: ObservedChild, source: string): string {
  if (NO_METRICS.test(condition.message)) {
    return ' Install metrics-server, or check it: it reports the load of pods.';
  }
  if (kind !== 'ScaledObject' || !hasNoNumber(condition)) return '';
  return ` The replicas stay until KEDA gets a number. Check that ${source}; the events of ScaledObject ${name} say what it got.`;
}
