import { distributedTraining } from '../../../constructs/distributed-training/kind.ts';
import { jobNameOf } from '../../../constructs/distributed-training/names.ts';
import { ATTEMPT, INDEX_LABEL } from '../../../constructs/distributed-training/parts.ts';
import { rolesOf } from '../../../constructs/distributed-training/roles.ts';
import type { RoleName, Roles } from '../../../constructs/distributed-training/roles.ts';
import type { DistributedTrainingSpec } from '../../../constructs/distributed-training/spec.ts';
import type { DistributedTrainingStatus } from '../../../constructs/distributed-training/status.ts';
import type { Naming } from '../../../constructs/parts/objects/index.ts';
import { withDefaults } from '../../../constructs/schema/defaults.ts';
import type { Resource, Snapshot, ObservedChild, ObservedPod } from '../../engine/api/index.ts';
import { namingOf } from '../shared/naming.ts';
import { hasCounted } from './counted.ts';
import { isTakenAway, phaseOfRank } from './trainer.ts';

export type DistributedTrainingResource = Resource<DistributedTrainingSpec, DistributedTrainingStatus>;

/** A pod with its place in the training. */
export interface Rank {
  readonly role: RoleName;
  /** Its index among the pods of its role. */
  readonly rank: number;
  /** Its pod, in the phase of its trainer: see trainer.ts. */
  readonly pod: ObservedPod;
  /** Whether its trainer succeeded though its pod did not: its Job does not count it. */
  readonly uncounted: boolean;
  /** Whether its pod is gone, after its trainer had succeeded: the last status told so. */
  readonly gone?: boolean;
}

/** A snapshot, with each thing in its role. */
export interface Observed {
  readonly snapshot: Snapshot<DistributedTrainingResource>;
  readonly name: string;
  readonly spec: DistributedTrainingSpec;
  /** What the last status said. */
  readonly status: DistributedTrainingStatus;
  readonly roles: Roles;
  readonly naming?: Naming;
  /** The number of the attempt that the last status tells. */
  readonly attempt: number;
  /** The Jobs of this attempt. */
  readonly jobs: ReadonlyMap<RoleName, ObservedChild>;
  /** The pods of these Jobs, in order of their roles and ranks, of each rank the newest first. */
  readonly ranks: readonly Rank[];
  /** Other Jobs: of earlier attempts, or on their way out. */
  readonly otherJobs: readonly ObservedChild[];
  /**
   * Other pods: of earlier attempts, of Jobs that are gone, or of an earlier resource of this name. A pod is told by the
   * UID of its Job, since names come again.
   */
  readonly otherPods: readonly ObservedPod[];
  /** Pods that a Job created again of ranks whose trainer had succeeded: they must not run. */
  readonly repeatedPods: readonly ObservedPod[];
}

/** By this label, a pod tells the UID of its Job. */
export const CONTROLLER_LABEL = 'batch.kubernetes.io/controller-uid';

export function observedOf(snapshot: Snapshot<DistributedTrainingResource>, now: number): Observed {
  const { resource, children, pods } = snapshot;
  const { metadata, status = {} } = resource;
  const spec = completed(resource.spec);
  const roles = rolesOf(spec);
  const attempt = status.attempt ?? 1;
  const naming = namingOf(resource);
  const allJobs = children.filter(({ kind }) => kind === 'Job');
  const jobs = new Map(
    roles.all.flatMap(({ name: role }) => {
      const name = jobNameOf({ name: metadata.name, spec, attempt }, role);
      const job = allJobs.find((child) => child.name === name && !child.deleting);
      return job ? [[role, job] as const] : [];
    }),
  );
  const owners = new Map([...jobs].map(([role, { uid }]) => [uid, role]));
  const roleOf = ({ labels }: ObservedPod) => owners.get(labels[CONTROLLER_LABEL] ?? '');
  const order = roles.all.map(({ name }) => name);
  const seen = pods.flatMap((pod) => {
    const role = roleOf(pod);
    return role === undefined ? [] : [rankOf(pod, role, now)];
  });
  const ranks = [...seen, ...(spec.elastic ? [] : doneAndGone(status, { roles, jobs, seen }))].toSorted((a, b) =>
    compareRanks(order, a, b),
  );
  const repeated = new Set(repeatedOf(ranks));
  return {
    snapshot,
    name: metadata.name,
    spec,
    status,
    roles,
    ...(naming && { naming }),
    attempt,
    jobs,
    ranks: ranks.filter((rank) => !repeated.has(rank)),
    otherJobs: allJobs.filter(({ uid }) => !owners.has(uid)),
    otherPods: pods.filter((pod) => roleOf(pod) === undefined),
    repeatedPods: [...repeated].map(({ pod }) => pod),
  };
}

function rankOf(pod: ObservedPod, role: RoleName, now: number): Rank {
  const phase = phaseOfRank(pod, now);
  return {
    role,
    rank: Number(pod.labels[INDEX_LABEL] ?? 0),
    pod: { ...pod, phase },
    uncounted: phase === 'Succeeded' && pod.phase !== 'Succeeded',
  };
}

/**
 * Ranks that the last status told to have succeeded, and whose pods are gone since. Their work is done, though a Job that
 * had not counted one creates it again. An elastic training ends with its first rank, and may run the others again.
 */
function doneAndGone(
  { workerStatuses = [], completionTime }: DistributedTrainingStatus,
  { roles, jobs, seen }: Pick<Observed, 'roles' | 'jobs'> & { readonly seen: readonly Rank[] },
): readonly Rank[] {
  // Once it is over, its status is kept as it is.
  if (completionTime !== undefined) return [];
  const names = new Set(seen.map(({ pod }) => pod.name));
  return workerStatuses.flatMap(({ role: told = roles.leading, rank, pod: name, node, phase, exitCode }): Rank[] => {
    const { name: role = roles.leading } = roles.all.find((each) => each.name === told) ?? {};
    const job = jobs.get(role);
    // The status may be of the attempt before, whose Jobs, and so pods, have other names.
    const isOfJob = job !== undefined && name.startsWith(`${job.name}-${rank}-`);
    if (!isOfJob || names.has(name) || phase !== 'Succeeded' || exitCode !== 0) return [];
    const { namespace, createdAt } = job;
    const where = { namespace, name, uid: '', ...(node !== undefined && { node }) };
    const pod = {
      ...where,
      labels: {},
      annotations: {},
      createdAt,
      deleting: false,
      phase,
      conditions: [],
      containers: [],
    };
    return [{ role, rank, pod, uncounted: !hasCounted(job, rank), gone: true }];
  });
}

/** Of each rank the pods that are newer than one that succeeded. */
const repeatedOf = (ranks: readonly Rank[]): readonly Rank[] =>
  [...Map.groupBy(ranks, nameOfRank).values()].flatMap((newestFirst) =>
    newestFirst.slice(
      0,
      Math.max(
        0,
        newestFirst.findLastIndex(({ pod }) => pod.phase === 'Succeeded'),
      ),
    ),
  );

/** The pods that count: of each rank the newest. */
export function currentRanks({ ranks }: Observed): readonly Rank[] {
  return [...Map.groupBy(ranks, nameOfRank).values()].flatMap(([newest]) => newest ?? []);
}

/** The attempt that a pod was made for; undefined where it does not say. */
export const attemptOf = ({ labels }: ObservedPod): number | undefined =>
  labels[ATTEMPT] === undefined ? undefined : Number(labels[ATTEMPT]);

/** An annotation of a child, of those in our domain. */
export function annotationOf({ slice }: ObservedChild, name: string): string | undefined {
  const { annotations } = slice as { readonly annotations?: Readonly<Record<string, string>> };
  return annotations?.[name];
}

/** Whether a rank does its work, or has done it. */
export const isUp = (rank: Rank): boolean => isDone(rank) || (!rank.pod.deleting && rank.pod.phase === 'Running');

/** Whether a rank has succeeded; what happens to its pod after that changes nothing. */
export const isDone = ({ pod }: Rank): boolean => pod.phase === 'Succeeded' && !isTakenAway(pod);

/** Tells ranks apart: `worker/3`. */
export const nameOfRank = ({ role, rank }: Pick<Rank, 'role' | 'rank'>): string => `${role}/${rank}`;

/** As the API server gives it; a resource that it has not seen yet (`trunnion plan`) may lack defaults. */
export const completed = (spec: DistributedTrainingSpec): DistributedTrainingSpec =>
  withDefaults(distributedTraining.schema().properties?.['spec'] ?? {}, spec) as unknown as DistributedTrainingSpec;

/** An order that does not depend on the order in the cache. */
const compareRanks = (order: readonly RoleName[], a: Rank, b: Rank): number =>
  order.indexOf(a.role) - order.indexOf(b.role) ||
  a.rank - b.rank ||
  b.pod.createdAt - a.pod.createdAt ||
  (a.pod.name < b.pod.name ? -1 : Number(a.pod.name > b.pod.name));
