import { objectIn } from '../../constructs/schema/json.ts';
import { groupKind, identityOf, nameOf } from '../engine/api/index.ts';
import type {
  BareCondition,
  DesiredState,
  Failure,
  ObservedChild,
  ObservedPod,
  Snapshot,
} from '../engine/api/index.ts';
import { isFinite, isWorkload } from '../engine/observe/index.ts';
import { adviceOn } from '../kinds/shared/advice.ts';
import { ACCEPTED, falseCondition, trueCondition } from '../kinds/shared/conditions.ts';
import { because, type Diagnosis } from '../kinds/shared/diagnosis-text.ts';
import { diagnosePod } from '../kinds/shared/diagnosis.ts';
import { newestFirst } from '../kinds/shared/order.ts';
import { refusedPods } from '../kinds/shared/refused-pods.ts';
import { conditionsIn } from '../kinds/shared/slices.ts';

/** How the children of a resource stand to what the construct makes. */
export interface Standing {
  /** Children that aren't there, aren't as wanted, or aren't ready: in the order of the construct. */
  readonly open: readonly DesiredState[];
  /** Children that are to run on, and of which nothing runs. */
  readonly down: readonly DesiredState[];
  /** Whether there are children that are to run on. */
  readonly runs: boolean;
  /** What keeps them from it, where it is more than time: the worst first. */
  readonly trouble?: Diagnosis;
  readonly total: number;
}

/** By what a standing is judged. */
export type StandingInput = Pick<Snapshot, 'children' | 'pods' | 'answers' | 'failures'> & {
  /** What could not be found out of things outside of the cluster, by the names of the asks. */
  readonly unanswered?: readonly Diagnosis[];
};

/**
 * | The children | Progressing | Available | Ready |
 * |---|---|---|---|
 * | are all there, as wanted, and ready | True, Complete | True | True |
 * | are being made, or become ready | True, Progressing | False; True where all that run pods are ready | False |
 * | can't be written (a right, a quota, a taken name) | False, in the words of the server | as it is | False |
 * | have pods that can't run (an image, a crash, no room) | False, in the words of the pod | as it is | False |
 * | fail for a while (the API server is away) | True, ApiError | as it is | False |
 */
export function standingOf(desired: readonly DesiredState[], situation: StandingInput): Standing {
  const live = new Map(
    situation.children.filter(({ deleting }) => !deleting).map((child) => [identityOf(child), child]),
  );
  const open = desired.filter((child) => !isSettled(child, live.get(identityOf(child.object))));
  const workloads = desired.filter(({ object }) => isWorkload(object));
  const unready = workloads.filter(({ object }) => live.get(identityOf(object))?.ready !== true);
  const lasting = workloads.filter(({ object }) => !isFinite(object));
  const down = lasting.filter(({ object }) => !runsOf(live.get(identityOf(object))));
  const trouble = worst([
    ...situation.failures.map((failure) => failureOf(failure, desired)),
    ...(situation.unanswered ?? []),
    ...unready.flatMap(({ object }) => refusalOf(live.get(identityOf(object)))),
    ...(unready.length > 0 ? podTroubles(situation) : []),
  ]);
  return { open, down, runs: lasting.length > 0, ...(trouble && { trouble }), total: desired.length };
}

/** A live object that is as wanted, and ready. Of one that is made once, it counts that it is there. */
const isSettled = ({ digest, createOnly }: DesiredState, live: ObservedChild | undefined): boolean =>
  live !== undefined && live.ready && (createOnly === true || digest === '' || live.digest === digest);

/** Whether some of it runs: while a Deployment rolls, its older pods do. One that is to have no pods lacks none. */
function runsOf(live: ObservedChild | undefined): boolean {
  if (live === undefined) return false;
  if (live.ready) return true;
  const available = conditionsIn(live.slice).find(({ type }) => type === 'Available');
  return available === undefined ? readyReplicasOf(live) > 0 : available.status === 'True';
}

const readyReplicasOf = ({ slice }: ObservedChild): number => {
  const { readyReplicas, numberReady } = objectIn(slice['status']);
  return [readyReplicas, numberReady].find((count) => typeof count === 'number') ?? 0;
};

/** What waiting doesn't cure comes first. */
const worst = (found: readonly Diagnosis[]): Diagnosis | undefined => found.find(({ stuck }) => stuck) ?? found[0];

/** An error of the API server passes by itself, and is tried again. */
function failureOf({ child, reason, message }: Failure, desired: readonly DesiredState[]): Diagnosis {
  const object = desired.find(({ id }) => id === child)?.object;
  const what = object === undefined ? (child ?? 'The children') : nameOf(object);
  return {
    reason,
    message: `${what} could not be updated${because(message)}. ${adviceOn({ reason, message })}`,
    stuck: reason !== 'ApiError',
  };
}

/** A controller that can't make its pods at all says so in a condition; a Job that has failed, too. */
function refusalOf(live: ObservedChild | undefined): readonly Diagnosis[] {
  if (live === undefined) return [];
  const held = conditionsIn(live.slice).filter(({ status }) => status === 'True');
  const refusal = held.find(({ type }) => type === 'ReplicaFailure');
  const refused = refusal && refusedPods(refusal.message);
  const failed = groupKind(live) === 'batch/Job' ? held.find(({ type }) => type === 'Failed') : undefined;
  return [
    ...(refused ? [refused] : []),
    ...(failed
      ? [{ reason: 'JobFailed', message: `Job ${live.name} failed${because(failed.message)}.`, stuck: true }]
      : []),
  ];
}

/** Pods that ask for devices are told by their own words. */
const NO_DEVICES = { gpu: 0, gpuResource: '' };

/** What the pods suffer from, of the newest templates first: what an older one does, a change may cure. */
const podTroubles = ({ pods, answers }: StandingInput): readonly Diagnosis[] =>
  newestOf(pods).flatMap((pod) => diagnosePod(pod, NO_DEVICES, { answers }) ?? []);

/** Of the pods of a Deployment, those of the template of the newest one. */
function newestOf(pods: readonly ObservedPod[]): readonly ObservedPod[] {
  const ordered = newestFirst(pods);
  const groups = Map.groupBy(ordered, ({ labels }) => labels['app.kubernetes.io/component'] ?? labels['app'] ?? '');
  return [...groups.values()].flatMap((group) => {
    const hash = group[0]?.labels['pod-template-hash'];
    return group.filter(({ labels }) => labels['pod-template-hash'] === hash);
  });
}

/** The conditions by default, of a spec that is valid. */
export function conditionsFor(standing: Standing): readonly BareCondition[] {
  return [ACCEPTED, progressingOf(standing), availableOf(standing), readyOf(standing)];
}

function progressingOf({ open, trouble, total }: Standing): BareCondition {
  if (trouble !== undefined) {
    return (trouble.stuck ? falseCondition : trueCondition)('Progressing', trouble);
  }
  if (open.length === 0) return trueCondition('Progressing', { reason: 'Complete', message: COMPLETE });
  const names = open.slice(0, MOST_NAMES).map(({ object }) => nameOf(object));
  const more = open.length > names.length ? ` and ${open.length - names.length} more` : '';
  const message = `${total - open.length} of ${total} objects are as wanted and ready; waits for ${names.join(', ')}${more}.`;
  return trueCondition('Progressing', { reason: 'Progressing', message });
}

const COMPLETE = 'All objects are as wanted and ready.';
/** So many objects are named; the rest is counted. */
const MOST_NAMES = 3;

function availableOf(standing: Standing): BareCondition {
  const { open, down, runs, trouble } = standing;
  if (down.length === 0 && (runs || open.length === 0)) {
    return trueCondition('Available', {
      reason: 'Available',
      message: 'All that is to run answers or waits for work.',
    });
  }
  return falseCondition('Available', trouble ?? progressingOf(standing));
}

function readyOf(standing: Standing): BareCondition {
  const { open, trouble } = standing;
  if (trouble !== undefined) return falseCondition('Ready', trouble);
  if (open.length > 0) return falseCondition('Ready', progressingOf(standing));
  return trueCondition('Ready', { reason: 'Ready', message: COMPLETE });
}
