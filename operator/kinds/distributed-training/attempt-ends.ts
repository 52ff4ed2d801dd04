import { isTemplateHash } from '../../../constructs/distributed-training/jobs.ts';
import { ATTEMPT, TEMPLATE_ANNOTATION } from '../../../constructs/distributed-training/parts.ts';
import { leastPods } from '../../../constructs/distributed-training/roles.ts';
import type { RoleName } from '../../../constructs/distributed-training/roles.ts';
import { instant } from '../../engine/api/index.ts';
import type { ObservedChild } from '../../engine/api/index.ts';
import { because } from '../shared/diagnosis-text.ts';
import { withLastWords } from '../shared/last-words.ts';
import { jobState } from '../shared/slices.ts';
import { largest, smallest } from '../../../constructs/parts/values/index.ts';
import { causeAmong, causeKnownBy } from './consequence.ts';
import { isJobDeleted } from './missing-jobs.ts';
import { isDeletedByJob, lossInWords, lostRanksOf, placeOf, recentDisruption, subject } from './lost-ranks.ts';
import type { LostRank } from './lost-ranks.ts';
import { overlappingJob } from './other-attempts.ts';
import { disruptionOf, isUnreachable, programFailure, reasonOfFailure } from './pod-end.ts';
import type { ProgramFailure } from './pod-end.ts';
import { AS_SIDECAR } from './sidecars.ts';
import { failedBeforeGoing, isTakenAway, othersOf } from './trainer.ts';
import { currentRanks, isAlive, rankName } from './ranks.ts';
import type { Rank } from './ranks.ts';
import { WATCH_LAG_MS, annotationOf } from './observed.ts';
import type { Observed } from './observed.ts';

/** Why an attempt is over, or must be ended. */
export interface AttemptEnd {
  /** One word that programs may rely on. */
  readonly reason: string;
  /** What happened, in a sentence. */
  readonly message: string;
  /** How much of `retry.limit` it takes: 0 where the program did not fail. */
  readonly charged: number;
  readonly role?: RoleName;
  readonly rank?: number;
  readonly node?: string;
  readonly exitCode?: number;
}

/** The spec says `suspend`, and there are pods. */
export const suspended = ({ spec, ranks }: Observed): AttemptEnd | undefined =>
  spec.suspend && ranks.length > 0 ? { reason: 'Suspended', message: 'It was suspended.', charged: 0 } : undefined;

/**
 * The spec needs other pods. With another framework, or without a role, the Jobs have other names: the number of the
 * attempt identifies those that it has.
 */
export function specChanged({ spec, attempt, jobs, otherJobs, snapshot }: Observed): AttemptEnd | undefined {
  const isOther = (job: ObservedChild) => !isTemplateHash(annotationOf(job, TEMPLATE_ANNOTATION), spec);
  const renamed = otherJobs.filter((job) => annotationOf(job, ATTEMPT) === String(attempt));
  if (![...jobs.values(), ...renamed].some(isOther)) return undefined;
  const generation = snapshot.resource.metadata.generation ?? 0;
  const message = `The spec changed: generation ${generation} needs other pods.`;
  return { reason: 'SpecChanged', message, charged: 0 };
}

/** Pods whose Job is gone can't be corrected: everything starts again. */
export const jobDeleted = (observed: Observed): AttemptEnd | undefined =>
  isJobDeleted(observed) ? { reason: 'JobDeleted', message: 'Somebody deleted its Job.', charged: 0 } : undefined;

/** Jobs of two attempts can't be corrected: everything starts again. */
export function attemptsOverlap(observed: Observed): AttemptEnd | undefined {
  const other = overlappingJob(observed);
  if (!other) return undefined;
  return { reason: 'Overlap', message: `Job ${other.name} of another attempt appeared.`, charged: 0 };
}

/** A rank was removed, and torchrun does not continue without it. */
export function rankLost(observed: Observed): AttemptEnd | undefined {
  const lost = lostRanksOf(observed);
  const [first] = lost;
  if (!first || (observed.spec.elastic && canGoOn(observed, lost))) return undefined;
  return {
    ...whereOf(observed, first.rank),
    reason: first.reason,
    message: `${lossInWords(observed, first)}.`,
    charged: 0,
  };
}

/** Whether enough ranks are left, the first among them: that is where all others meet. */
function canGoOn(observed: Observed, lost: readonly LostRank[]): boolean {
  const { spec, roles } = observed;
  const gone = new Set(lost.map(({ rank }) => rankName(rank)));
  const left = currentRanks(observed).filter((rank) => !gone.has(rankName(rank)) && rank.pod.phase !== 'Failed');
  return left.length >= leastPods(spec) && !gone.has(rankName({ role: roles.master, rank: 0 }));
}

/**
 * The program of a rank failed, the first that did so says why. It is charged only where no rank was lost that others
 * fail because of.
 */
export function programFailed(observed: Observed, now: number): AttemptEnd | undefined {
  const failures = failuresOf(observed);
  const first = causeAmong(failures);
  if (!first || isCauseAwaited(observed, now)) return undefined;
  const unreachable = observed.ranks.find(({ pod }) => isUnreachable(pod));
  if (unreachable) {
    const message = `${subject(observed, unreachable)} was lost with its node, which no longer answers; others failed for lack of it.`;
    return { ...whereOf(observed, unreachable), reason: 'NodeLost', message, charged: 0 };
  }
  const { exitCode } = first.end;
  const disruption = recentDisruption(observed, now);
  if (disruption) {
    const { time: _, message, ...where } = disruption;
    const after = `${subject(observed, first.rank)} ${howEnded(first.end)}`;
    return { ...where, message: `${message}, and for lack of it ${after}.`, exitCode, charged: 0 };
  }
  return {
    ...whereOf(observed, first.rank),
    reason: reasonOfFailure(first.end),
    message: `${subject(observed, first.rank)} ${howEnded(first.end)}.`,
    exitCode,
    // A Job that was left to itself has tried a rank more than once: each time counts.
    charged: mostTries(failures.map(({ rank }) => rank)),
  };
}

/**
 * Ranks whose programs failed, but for those that were removed. A Job removes the pods of all ranks once one has failed,
 * those too that had failed before, and whose end nobody had reported yet.
 */
const failuresOf = (observed: Observed) =>
  observed.ranks.flatMap((rank) => {
    const { pod } = rank;
    const isLost = isTakenAway(pod) && !(isDeletedByJob(observed, rank) && failedBeforeGoing(pod));
    const isTheirs = isLost || disruptionOf(pod) !== undefined;
    const end = pod.phase === 'Failed' && !isTheirs ? programFailure(pod) : undefined;
    return end ? [{ rank, end }] : [];
  });

/**
 * Until when the rank may still show that others failed for lack of, in milliseconds since the epoch; undefined where that
 * is known: a rank was lost, or one failed by itself.
 */
export const causeShownBy = (observed: Observed, now: number): number | undefined =>
  observed.ranks.some(({ pod }) => isUnreachable(pod)) || recentDisruption(observed, now)
    ? undefined
    : causeKnownBy(failuresOf(observed), observed.ranks);

const isCauseAwaited = (observed: Observed, now: number): boolean => now < (causeShownBy(observed, now) ?? -Infinity);

function howEnded({ exitCode, reason, message, initContainer }: ProgramFailure): string {
  const how = `ended with exit code ${exitCode}`;
  if (initContainer === undefined) return `${how}${withLastWords(message)}`;
  const why = reason === 'OOMKilled' ? ' (OOMKilled)' : '';
  return `never started: its init container ${initContainer} ${how}${why}${withLastWords(message)}`;
}

/** How often the rank that failed most often has failed. */
const mostTries = (ranks: readonly Rank[]): number =>
  largest([...Map.groupBy(ranks, rankName).values()].map((tries) => tries.length));

/** A Job has failed, and none of its pods shows why. It is charged only where it did not count a rank that was removed. */
export function jobFailed(observed: Observed, now: number): AttemptEnd | undefined {
  if (now < (failureExplainedBy(observed) ?? -Infinity) || isCauseAwaited(observed, now)) return undefined;
  for (const [role, job] of observed.jobs) {
    const { failed } = jobState(job);
    if (!failed) continue;
    const message = `Job ${job.name} failed (${failed.reason})${because(failed.message)}.`;
    const rank = observed.ranks.find((each) => each.role === role && each.uncounted);
    if (rank) return uncountedRank(observed, rank, message);
    const disruption = recentDisruption(observed, now);
    if (!disruption) return { reason: 'JobFailed', message, charged: 1 };
    const { time: _, ...lost } = disruption;
    return { ...lost, message: `${lost.message}. ${message}`, charged: 0 };
  }
  return undefined;
}

/**
 * A Job that counted a rank as failed whose program had succeeded, and stopped the others for it. It is charged as the
 * Job counts it: a container that ends badly each time must not have the whole begin again forever. Where its pod was
 * removed, no container is to blame.
 */
function uncountedRank(observed: Observed, rank: Rank, job: string): AttemptEnd {
  if (rank.gone === true) {
    const message = `${subject(observed, rank)} had succeeded, and its pod was removed before its Job counted it. ${job} ${AS_SIDECAR}`;
    return { ...whereOf(observed, rank), reason: 'RankReplaced', message, charged: 0 };
  }
  const containers = othersOf(rank.pod)
    .filter(({ terminated }) => terminated !== undefined && terminated.exitCode !== 0)
    .map(({ name, terminated }) => `container ${name} with exit code ${terminated?.exitCode}`);
  const message = `${subject(observed, rank)} succeeded, and after it failed ${containers.join(', ') || 'another container'}. ${job} ${AS_SIDECAR}`;
  return { ...whereOf(observed, rank), reason: 'SidecarFailed', message, charged: 1 };
}

/**
 * When its pods have had the time to show why a Job has failed, in milliseconds since the epoch: one that fails stops them
 * all, so where they seem to run, their watch is behind.
 */
export function failureExplainedBy({ jobs, ranks }: Observed): number | undefined {
  const times = [...jobs].flatMap(([role, job]) => {
    const failedAt = instant(jobState(job).failed?.lastTransitionTime);
    return failedAt !== undefined && ranks.some((rank) => rank.role === role && isAlive(rank.pod)) ? failedAt : [];
  });
  return times.length === 0 ? undefined : smallest(times) + WATCH_LAG_MS;
}

const whereOf = (observed: Observed, rank: Rank) => ({ ...placeOf(observed, rank), ...exitCodeOf(rank.pod) });

const exitCodeOf = (pod: Rank['pod']) => {
  const end = programFailure(pod);
  return end === undefined ? {} : { exitCode: end.exitCode };
};
