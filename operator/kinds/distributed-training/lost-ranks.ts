import type { DistributedTrainingStatus } from '../../../constructs/distributed-training/status.ts';
import { plainText } from '../../../constructs/parts/values/index.ts';
import { instant, timestamp } from '../../engine/api/index.ts';
import { jobState } from '../shared/slices.ts';
import { disruptionOf } from './pod-end.ts';
import type { Disruption } from './pod-end.ts';
import { LINGER_MS, endedBeforeGoing } from './trainer.ts';
import { currentRanks, rankName } from './ranks.ts';
import type { Rank } from './ranks.ts';
import type { Observed } from './observed.ts';

/** A rank that was removed, and how. Lost: its pod is gone or going. Disrupted: Kubernetes says why. */
export interface LostRank extends Disruption {
  readonly rank: Rank;
}

/** A loss as the status keeps it. */
type LastDisruption = NonNullable<DistributedTrainingStatus['lastDisruption']>;

/**
 * How long after a rank was removed others may fail because of it, in milliseconds: NCCL and Gloo wait up to ten
 * minutes for a peer that is gone, and torchrun notices within a minute that its processes have failed.
 */
const CASCADE_MS = 15 * 60_000;

/** The ranks that are being removed, or were. Of an elastic training only the pods that count. */
export function lostRanksOf(observed: Observed): readonly LostRank[] {
  const ranks = observed.spec.elastic ? currentRanks(observed) : observed.ranks;
  return ranks.flatMap((rank) => lossOf(observed, rank) ?? []);
}

/**
 * The last rank that an elastic training has lost and continues without: as it is seen now, or as the status has it.
 * Undefined where there is none.
 */
export function lastDisruption(observed: Observed, now: number): LastDisruption | undefined {
  if (!observed.spec.elastic) return undefined;
  const known = observed.status.lastDisruption;
  const since = instant(known?.time) ?? -Infinity;
  const [lost] = lostRanksOf(observed);
  if (lost) {
    const seen = asStatus(observed, lost, now);
    // A pod is seen to go for a while: the time is that of the first look.
    return seen.message === known?.message && now - since < CASCADE_MS ? known : seen;
  }
  const [replaced] = currentRanks(observed)
    .filter((rank) => isReplacedUnseen(observed, rank))
    .toSorted((a, b) => b.pod.createdAt - a.pod.createdAt);
  // A pod that was seen to go is created again soon after.
  const isNew =
    replaced !== undefined && replaced.pod.createdAt >= since + (known?.rank === replaced.rank ? CASCADE_MS : 0);
  return isNew ? asStatus(observed, replacedUnseen(replaced), replaced.pod.createdAt) : known;
}

/** The rank of an elastic training whose loss others may fail because of, now or a while ago. */
export function recentDisruption(observed: Observed, now: number): LastDisruption | undefined {
  const disruption = lastDisruption(observed, now);
  return now - (instant(disruption?.time) ?? -Infinity) < CASCADE_MS ? disruption : undefined;
}

const asStatus = (observed: Observed, lost: LostRank, time: number): LastDisruption => ({
  ...placeOf(observed, lost.rank),
  reason: lost.reason,
  message: plainText(lossInWords(observed, lost), { max: 256 }),
  time: timestamp(time),
});

function lossOf(observed: Observed, rank: Rank): LostRank | undefined {
  const { pod } = rank;
  if (endedBeforeGoing(pod, LINGER_MS)) return undefined;
  const disruption = disruptionOf(pod);
  if (disruption) return { rank, ...disruption };
  if (pod.deleting) {
    return isDeletedByJob(observed, rank) ? undefined : { rank, reason: 'PodDeleted', description: 'was deleted' };
  }
  return observed.spec.elastic || !isReplacedUnseen(observed, rank) ? undefined : replacedUnseen(rank);
}

const replacedUnseen = (rank: Rank): LostRank => ({
  rank,
  reason: 'RankReplaced',
  description: 'was removed unseen, and its Job made it again',
});

/** Whether a Job itself deletes a pod, as it should: it is suspended, at its end, or has fewer pods now. */
export function isDeletedByJob({ roles, jobs }: Observed, { role, rank }: Rank): boolean {
  const job = jobs.get(role);
  if (job === undefined) return false;
  const { ending, suspended } = jobState(job);
  const count = roles.all.find(({ name }) => name === role)?.count ?? 0;
  return ending || suspended || rank >= count;
}

/** Whether a Job has made a rank again, and nothing is left of the pod before. */
const isReplacedUnseen = ({ ranks }: Observed, rank: Rank): boolean =>
  wasReplaced(rank) && ranks.filter((other) => rankName(other) === rankName(rank)).length === 1;

/** A Job counts on each pod how often it has made that rank before. */
const wasReplaced = ({ pod: { annotations } }: Rank): boolean =>
  ['job-index-failure-count', 'job-index-ignored-failure-count'].some(
    (name) => Number(annotations[`batch.kubernetes.io/${name}`] ?? 0) > 0,
  );

/** What happened, without a full stop. */
export const lossInWords = (observed: Observed, { rank, description }: LostRank): string =>
  `${subject(observed, rank)} ${description}`;

/** `Rank 5 on gpu-1`; with its role, where there are several. */
export function subject({ roles }: Observed, { role, rank, pod }: Rank): string {
  const who = roles.all.length === 1 ? `Rank ${rank}` : `Rank ${rank} of role ${role}`;
  return pod.node === undefined ? who : `${who} on ${pod.node}`;
}

/** Where a rank is, for the status. */
export const placeOf = ({ roles }: Observed, { role, rank, pod }: Rank) => ({
  ...(roles.all.length > 1 && { role }),
  rank,
  ...(pod.node !== undefined && { node: pod.node }),
});
