import { INDEX_LABEL } from '../../../constructs/distributed-training/parts.ts';
import type { RoleName, Roles } from '../../../constructs/distributed-training/roles.ts';
import type { DistributedTrainingStatus } from '../../../constructs/distributed-training/status.ts';
import type { ObservedChild, ObservedPod } from '../../engine/api/index.ts';
import { isTakenAway, phaseOfRank } from './trainer.ts';

/** A pod with its place in the training. */
export interface Rank {
  readonly role: RoleName;
  /** Its index among the pods of its role. */
  readonly rank: number;
  /** Its pod, in the phase of its trainer: see trainer.ts. */
  readonly pod: ObservedPod;
  /** Whether its trainer succeeded though its pod did not: its Job does not count it. */
  readonly uncounted: boolean;
  /** Whether its pod is gone, after its trainer had succeeded: the last status says so. */
  readonly gone?: boolean;
}

export function rankOf(pod: ObservedPod, role: RoleName, now: number): Rank {
  const phase = phaseOfRank(pod, now);
  return {
    role,
    rank: Number(pod.labels[INDEX_LABEL] ?? 0),
    pod: { ...pod, phase },
    uncounted: phase === 'Succeeded' && pod.phase !== 'Succeeded',
  };
}

/** The pods that count: of each rank the newest. */
export function currentRanks({ ranks }: { readonly ranks: readonly Rank[] }): readonly Rank[] {
  return [...Map.groupBy(ranks, rankName).values()].flatMap(([newest]) => newest ?? []);
}

/** Whether a rank does its work, or has done it. */
export const isUp = (rank: Rank): boolean => isDone(rank) || (!rank.pod.deleting && rank.pod.phase === 'Running');

/** Whether a rank has succeeded; what happens to its pod after that changes nothing. */
export const isDone = ({ pod }: Rank): boolean => pod.phase === 'Succeeded' && !isTakenAway(pod);

/** Whether a pod has not ended, and is not told to. */
export const isAlive = ({ deleting, phase }: ObservedPod): boolean =>
  !deleting && phase !== 'Succeeded' && phase !== 'Failed';

/** Identifies a rank: `worker/3`. */
export const rankName = ({ role, rank }: Pick<Rank, 'role' | 'rank'>): string => `${role}/${rank}`;

/**
 * Ranks that succeeded by the last status, and whose pods are gone since. Their work is done, though a Job that had not
 * counted one creates it again. An elastic training ends with its first rank, and may run the others again.
 */
export function doneAndGone(
  { workerStatuses = [], completionTime }: DistributedTrainingStatus,
  { roles, jobs }: { readonly roles: Roles; readonly jobs: ReadonlyMap<RoleName, ObservedChild> },
  seen: readonly Rank[],
): readonly Rank[] {
  // Once it is over, its status is kept as it is.
  if (completionTime !== undefined) return [];
  const names = new Set(seen.map(({ pod }) => pod.name));
  return workerStatuses.flatMap((worker): Rank[] => {
    const { rank, pod: name, node, phase, exitCode } = worker;
    const { name: role = roles.leading } = roles.all.find((each) => each.name === worker.role) ?? {};
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
export const repeatedOf = (ranks: readonly Rank[]): readonly Rank[] =>
  [...Map.groupBy(ranks, rankName).values()].flatMap((newestFirst) =>
    newestFirst.slice(
      0,
      Math.max(
        0,
        newestFirst.findLastIndex(({ pod }) => pod.phase === 'Succeeded'),
      ),
    ),
  );

/** An order that does not depend on the order in which the cache got them: by role, rank, and the newest first. */
export const compareRanks = (order: readonly RoleName[], a: Rank, b: Rank): number =>
  order.indexOf(a.role) - order.indexOf(b.role) ||
  a.rank - b.rank ||
  b.pod.createdAt - a.pod.createdAt ||
  (a.pod.name < b.pod.name ? -1 : Number(a.pod.name > b.pod.name));

/** Whether a Job has counted an index as done: `0-3,5`. */
export function hasCounted({ slice }: Pick<ObservedChild, 'slice'>, index: number): boolean {
  const { completedIndexes = '' } = (slice['status'] ?? {}) as { readonly completedIndexes?: string };
  return completedIndexes
    .split(',')
    .filter((range) => /^\d+(?:-\d+)?$/.test(range))
    .some((range) => {
      const [first = 0, last = first] = range.split('-').map(Number);
      return first <= index && index <= last;
    });
}
