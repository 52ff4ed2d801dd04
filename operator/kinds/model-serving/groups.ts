import { NODES_ANNOTATION } from '../../../constructs/model-serving/group.ts';
import type { ModelServingStatus } from '../../../constructs/model-serving/status.ts';
import type { ContainerEnd, ObservedChild, ObservedPod } from '../../engine/api/index.ts';
import { GROUP_LABELS } from '../shared/leader-worker-set.ts';
import { quote } from '../shared/diagnosis-text.ts';
import type { Diagnosis } from '../shared/diagnosis-text.ts';
import { deploymentState } from '../shared/slices.ts';
import type { DeploymentState } from '../shared/slices.ts';

/** What the status tells of a group. */
export type GroupStatus = NonNullable<ModelServingStatus['groups']>[number];
type GroupFailure = NonNullable<GroupStatus['lastFailure']>;

/** How many groups the status names; what is said of all of them counts the others, too. */
export const MOST_GROUPS = 100;

/** So many starts in a row that fail are a loop: nothing that its pods meet heals by itself. */
const LOOP = 3;

/** A replica of several pods, as it stands. */
export interface Group {
  /** The name of its leader, which tells it in all objects: `llama-server-0`. */
  readonly name: string;
  readonly index: number;
  /** Pods that it should have, as its own template says. */
  readonly size: number;
  /** Absent while it is made again. */
  readonly leader?: ObservedPod;
  /** Its pods that are there to stay, the leader first. */
  readonly members: readonly ObservedPod[];
  /** Whether all its pods are ready, so that it answers. */
  readonly ready: boolean;
  /** What has just ended it, as long as the pods tell it. */
  readonly failure?: GroupFailure;
  /** When the first of the pods was made that are there, in milliseconds since the epoch; of a new leader, when that was. */
  readonly since: number;
}

const indexOf = (pod: ObservedPod, label: string): number => Number(pod.labels[label] ?? -1);

const isReady = ({ conditions, deleting }: ObservedPod): boolean =>
  !deleting && conditions.some(({ type, status }) => type === 'Ready' && status === 'True');

/**
 * The groups that there are.
 *
 * @param name - of their LeaderWorkerSet
 * @param pods - of all groups, those that are being deleted as well
 */
export function groupsOf(name: string, pods: readonly ObservedPod[]): readonly Group[] {
  const byIndex = Map.groupBy(pods, (pod) => indexOf(pod, GROUP_LABELS.group));
  return [...byIndex]
    .filter(([index]) => index >= 0)
    .map(([index, all]) => groupOf(`${name}-${index}`, index, all))
    .toSorted((a, b) => a.index - b.index);
}

function groupOf(name: string, index: number, all: readonly ObservedPod[]): Group {
  const staying = all.filter(({ deleting }) => !deleting);
  const leader = staying.find((pod) => indexOf(pod, GROUP_LABELS.rank) === 0);
  // A leader that was deleted is followed at once by the next, beside workers of the one before: those are older than it.
  const workers = leader ? staying.filter((pod) => pod !== leader && pod.createdAt >= leader.createdAt) : [];
  const members = leader ? [leader, ...workers] : [];
  // Pods of an earlier template may still be there: what ended them no longer matters.
  const alike = leader
    ? all.filter(({ labels }) => labels[GROUP_LABELS.revision] === leader.labels[GROUP_LABELS.revision])
    : all;
  const failure = failureOf(alike);
  const size = Number((leader ?? all[0])?.annotations[NODES_ANNOTATION] ?? 1);
  return {
    name,
    index,
    size,
    ...(leader && { leader }),
    members,
    ready: members.length === size && members.every(isReady),
    ...(failure && { failure }),
    since: leader?.createdAt ?? all.reduce((first, { createdAt }) => Math.min(first, createdAt), Infinity),
  };
}

/** The first end among its pods: the others follow from it. What ends in a pod that is being deleted was stopped. */
function failureOf(pods: readonly ObservedPod[]): GroupFailure | undefined {
  const ends = pods.flatMap((pod) =>
    pod.containers
      .flatMap(
        ({ lastTerminated, terminated, init }) => lastTerminated ?? (init || pod.deleting ? [] : (terminated ?? [])),
      )
      .map((end) => ({ pod, end })),
  );
  const [first] = ends.toSorted((a, b) => (a.end.finishedAt < b.end.finishedAt ? -1 : 1));
  return first && failureFrom(first.pod, first.end);
}

const failureFrom = (pod: ObservedPod, { exitCode, reason, finishedAt }: ContainerEnd): GroupFailure => ({
  pod: pod.name,
  rank: indexOf(pod, GROUP_LABELS.rank),
  ...(pod.node !== undefined && { node: pod.node }),
  exitCode,
  ...(reason !== '' && { reason }),
  finishedAt,
});

/** Whether a pod finds no node: it may never start. */
const findsNoNode = ({ conditions }: ObservedPod): boolean =>
  conditions.some(({ type, status }) => type === 'PodScheduled' && status === 'False');

const revisionOf = ({ leader }: Group): string | undefined => leader?.labels[GROUP_LABELS.revision];

/**
 * Whether a rollout is at a moment at which another change would cost a replica: a group is made again by the newest template,
 * and the one that was added meanwhile stands in for it. A LeaderWorkerSet that is changed then deletes that one at once, whatever
 * `maxUnavailable` says (LeaderWorkerSet 0.9.0, rollingUpdateParameters). A template that has no ready group, or whose next one is
 * in trouble, may be the very mistake that the change corrects.
 *
 * @param desired - groups that there should be, without those that a rollout adds
 */
export function isReplacing(groups: readonly Group[], desired: number): boolean {
  const revisions = new Set(groups.map(revisionOf));
  const isRolling = revisions.size > 1 || groups.some(({ index }) => index >= desired);
  if (!isRolling) return false;
  const [newest] = groups.toSorted((a, b) => (b.leader?.createdAt ?? 0) - (a.leader?.createdAt ?? 0));
  const hasProved = groups.some((group) => group.ready && revisionOf(group) === (newest && revisionOf(newest)));
  const there = groups.filter(({ index }) => index < desired);
  const starting = there.filter(({ ready }) => !ready);
  const isMissing = there.length < desired || starting.length > 0;
  return hasProved && isMissing && !starting.some(({ failure, members }) => failure ?? members.some(findsNoNode));
}

/**
 * The counts of a LeaderWorkerSet, in the words of a Deployment: a replica is a group, and ready once all its pods are. What the
 * LeaderWorkerSet calls ready is read from caches of its own, and may be of an earlier moment.
 */
export function groupsState(set: ObservedChild, groups: readonly Group[]): DeploymentState {
  const ready = groups.filter((group) => group.ready).length;
  // Its conditions have the names of a Deployment's, and other meanings.
  return { ...deploymentState(set), ready, available: ready, conditions: [] };
}

/**
 * What the status tells of the groups. The controller of LeaderWorkerSets makes a group again as soon as one of its containers has
 * ended, without end and without a pause, and its pods are gone with what they told: so it is kept here.
 */
export const groupStatuses = (groups: readonly Group[], before: readonly GroupStatus[] = []): readonly GroupStatus[] =>
  groups.slice(0, MOST_GROUPS).map((group) =>
    statusOf(
      group,
      before.find(({ name }) => name === group.name),
    ),
  );

function statusOf(
  { name, size, leader, members, ready, failure, since }: Group,
  remembered?: GroupStatus,
): GroupStatus {
  const leaderUID = leader?.uid ?? remembered?.leaderUID;
  const revision = leader?.labels[GROUP_LABELS.revision] ?? remembered?.revision;
  // Another template counts from zero: the pods of the one before were not lost, they were replaced.
  const before = remembered?.revision === revision ? remembered : undefined;
  const restarted = before?.leaderUID !== undefined && before.leaderUID !== leaderUID;
  const known = before?.lastFailure;
  // What ended these pods stays: the pod that told it may be gone before others that ended for lack of it.
  const lastFailure = known && Date.parse(known.finishedAt) >= since ? known : (failure ?? known);
  const restarts = (before?.restarts ?? 0) + (restarted ? 1 : 0);
  const failedStarts = ready ? 0 : (before?.failedStarts ?? 0) + (restarted ? 1 : 0);
  return {
    name,
    pods: size,
    readyPods: members.filter(isReady).length,
    ...(leaderUID !== undefined && { leaderUID }),
    ...(revision !== undefined && { revision }),
    restarts,
    ...(failedStarts > 0 && { failedStarts }),
    ...(lastFailure && { lastFailure }),
  };
}

/** Why a group is not ready whose pods tell nothing: what ended it the last time. */
export function restartDiagnosis(groups: readonly Group[], statuses: readonly GroupStatus[]): Diagnosis | undefined {
  const waiting = statuses.filter(({ name }) => groups.some((group) => group.name === name && !group.ready));
  const [first] = waiting
    .filter(({ lastFailure }) => lastFailure !== undefined)
    .toSorted((a, b) => (b.failedStarts ?? 0) - (a.failedStarts ?? 0));
  if (first?.lastFailure === undefined) return undefined;
  const { name, failedStarts = 0, lastFailure } = first;
  const why = `${failureInWords(lastFailure)}. All its pods start together. Read the log of that pod: kubectl logs ${lastFailure.pod}.`;
  if (failedStarts < LOOP) {
    return { reason: 'GroupRestarting', message: `Replica ${name} starts again: ${why}`, stuck: false };
  }
  const message = `Replica ${name} starts again, and has failed to start ${failedStarts} times in a row: ${why}`;
  return { reason: 'GroupCrashLoop', message, stuck: true };
}

function failureInWords({ rank, node, exitCode, reason = '' }: GroupFailure): string {
  const where = node === undefined ? '' : ` on node ${node}`;
  const why = reason === '' || reason === 'Error' ? '' : ` (${quote(reason)})`;
  return `rank ${rank}${where} ended with exit code ${exitCode}${why}`;
}
