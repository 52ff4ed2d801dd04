import { distributedTraining } from '../../../constructs/distributed-training/kind.ts';
import { jobNameOf } from '../../../constructs/distributed-training/names.ts';
import { ATTEMPT } from '../../../constructs/distributed-training/parts.ts';
import { rolesOf } from '../../../constructs/distributed-training/roles.ts';
import type { RoleName, Roles } from '../../../constructs/distributed-training/roles.ts';
import type { DistributedTrainingSpec } from '../../../constructs/distributed-training/spec.ts';
import type { DistributedTrainingStatus } from '../../../constructs/distributed-training/status.ts';
import type { Naming } from '../../../constructs/parts/objects/index.ts';
import { withDefaults } from '../../../constructs/schema/defaults.ts';
import type { Resource, Snapshot, ObservedChild, ObservedPod } from '../../engine/api/index.ts';
import { namingOf } from '../shared/naming.ts';
import { jobState } from '../shared/slices.ts';
import { compareRanks, doneAndGone, rankOf, repeatedOf } from './ranks.ts';
import type { Rank } from './ranks.ts';

export type DistributedTrainingResource = Resource<DistributedTrainingSpec, DistributedTrainingStatus>;

/** A snapshot, with each thing in its role. */
export interface Observed {
  readonly snapshot: Snapshot<DistributedTrainingResource>;
  readonly name: string;
  readonly spec: DistributedTrainingSpec;
  /** The last status. */
  readonly status: DistributedTrainingStatus;
  readonly roles: Roles;
  readonly naming?: Naming;
  /** The number of the attempt in the last status. */
  readonly attempt: number;
  /** The Jobs of this attempt. */
  readonly jobs: ReadonlyMap<RoleName, ObservedChild>;
  /** The pods of these Jobs, in order of their roles and ranks, of each rank the newest first. */
  readonly ranks: readonly Rank[];
  /** Other Jobs: of earlier attempts, or on their way out. */
  readonly otherJobs: readonly ObservedChild[];
  /**
   * Other pods: of earlier attempts, of Jobs that are gone, or of an earlier resource of this name. The UID of its Job
   * identifies a pod, since names come again.
   */
  readonly otherPods: readonly ObservedPod[];
  /** Pods that a Job created again of ranks whose trainer had succeeded: they must not run. */
  readonly repeatedPods: readonly ObservedPod[];
}

/** How long a watch may be behind another, in milliseconds. */
export const WATCH_LAG_MS = 10_000;

/** This label of a pod has the UID of its Job. */
export const CONTROLLER_LABEL = 'batch.kubernetes.io/controller-uid';

export function observedOf(snapshot: Snapshot<DistributedTrainingResource>, now: number): Observed {
  const { resource, children, pods } = snapshot;
  const { metadata, status = {} } = resource;
  const spec = withSpecDefaults(resource.spec);
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
  const ranks = [...seen, ...(spec.elastic ? [] : doneAndGone(status, { roles, jobs }, seen))].toSorted((a, b) =>
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

/** Whether anything is left of earlier attempts. */
export const hasLeftovers = ({ otherPods, otherJobs }: Observed): boolean =>
  otherPods.length > 0 || otherJobs.length > 0;

/** Whether it waits for its turn: its Jobs are suspended, or its pods held back, by somebody else than its user. */
export function isQueued({ spec, jobs, ranks }: Observed): boolean {
  if (spec.queue === undefined || spec.suspend || jobs.size === 0) return false;
  return (
    [...jobs.values()].some((job) => jobState(job).suspended) ||
    ranks.some(({ pod }) => pod.conditions.some(({ reason }) => reason === 'SchedulingGated'))
  );
}

/** The attempt that a pod was made for; undefined where it does not say. */
export const attemptOf = ({ labels }: ObservedPod): number | undefined =>
  labels[ATTEMPT] === undefined ? undefined : Number(labels[ATTEMPT]);

/** An annotation of a child, of those in our domain. */
export function annotationOf({ slice }: ObservedChild, name: string): string | undefined {
  const { annotations } = slice as { readonly annotations?: Readonly<Record<string, string>> };
  return annotations?.[name];
}

/** As the API server gives it; a resource that it has not seen yet (`trunnion plan`) may lack defaults. */
export const withSpecDefaults = (spec: DistributedTrainingSpec): DistributedTrainingSpec =>
  withDefaults(distributedTraining.schema().properties?.['spec'] ?? {}, spec) as unknown as DistributedTrainingSpec;
