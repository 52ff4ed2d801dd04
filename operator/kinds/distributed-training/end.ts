import { isTemplateHash } from '../../../constructs/distributed-training/jobs.ts';
import { ATTEMPT, TEMPLATE_ANNOTATION } from '../../../constructs/distributed-training/parts.ts';
import { leastPods } from '../../../constructs/distributed-training/roles.ts';
import type { RoleName } from '../../../constructs/distributed-training/roles.ts';
import { instant } from '../../engine/api/index.ts';
import type { ObservedChild } from '../../engine/api/index.ts';
import { because } from '../shared/diagnosis-text.ts';
import { saying } from '../shared/last-words.ts';
import { jobState } from '../shared/slices.ts';
import { largest, smallest } from '../../../constructs/parts/values/index.ts';
import { leadOf } from './completion.ts';
import { isTornApart } from './missing-jobs.ts';
import { inWords, lossesOf, placeOf, recentDisruption, subject } from './losses.ts';
import type { Loss } from './losses.ts';
import { disruptionOf, isUnheardOf, programEnd, reasonOfEnd } from './pod-end.ts';
import type { ProgramEnd } from './pod-end.ts';
import { rivalOf } from './rival-jobs.ts';
import { AS_SIDECAR } from './sidecars.ts';
import { isTakenAway, othersOf } from './trainer.ts';
import { annotationOf, currentRanks, nameOfRank } from './observed.ts';
import type { Rank, Observed } from './observed.ts';

/** How long a watch may be behind another, in milliseconds. */
export const LATENESS_MS = 10_000;

/** Why an attempt is over, or must be ended. */
export interface End {
  /** One word that programs may rely on. */
  readonly reason: string;
  /** What happened, in a sentence. */
  readonly message: string;
  /** How much of the budget it takes: 0 where the program did not fail. */
  readonly charged: number;
  readonly role?: RoleName;
  readonly rank?: number;
  readonly node?: string;
  readonly exitCode?: number;
}

/** Why attempts end that a person ends, by changing the spec. */
const WANTED: ReadonlySet<string> = new Set(['Suspended', 'SpecChanged']);

/** Whether a person asked for it: the next attempt may start as soon as all is quiet, and it is no sign of trouble. */
export const isWanted = ({ reason }: Pick<End, 'reason'>): boolean => WANTED.has(reason);

/**
 * Why the present attempt is over; undefined where it continues.
 *
 * A disruption goes before failures: a rank that is removed makes others fail, and these must not be charged. Once the
 * leading role has done its work, the attempt is about to be a success, whatever happens to the others.
 */
export const endOf = (observed: Observed, now: number): End | undefined =>
  asked(observed) ?? (leadOf(observed) ? undefined : befallen(observed, now));

const befallen = (observed: Observed, now: number): End | undefined =>
  tornApart(observed) ?? disrupted(observed) ?? failed(observed, now) ?? gaveUp(observed, now);

/**
 * The end that a person asked for, by changing the spec. With another framework, or without a role, the Jobs have other
 * names: those of the attempt are told by its number.
 */
function asked({ spec, attempt, jobs, otherJobs, ranks, snapshot }: Observed): End | undefined {
  if (spec.suspend && ranks.length > 0) {
    return { reason: 'Suspended', message: 'It was suspended.', charged: 0 };
  }
  const isOther = (job: ObservedChild) => !isTemplateHash(annotationOf(job, TEMPLATE_ANNOTATION), spec);
  const renamed = otherJobs.filter((job) => annotationOf(job, ATTEMPT) === String(attempt));
  if (![...jobs.values(), ...renamed].some(isOther)) return undefined;
  const generation = snapshot.resource.metadata.generation ?? 0;
  const message = `The spec changed: generation ${generation} needs other pods.`;
  return { reason: 'SpecChanged', message, charged: 0 };
}

/** Pods whose Job is gone, and Jobs of two attempts, can't be corrected: all begins again. */
function tornApart(observed: Observed): End | undefined {
  if (isTornApart(observed)) {
    return { reason: 'JobDeleted', message: 'Somebody deleted its Job.', charged: 0 };
  }
  const rival = rivalOf(observed);
  if (!rival) return undefined;
  return { reason: 'Overlap', message: `Job ${rival.name} of another attempt appeared.`, charged: 0 };
}

/** Ranks that were removed. Where torchrun continues without them, that is no end. */
function disrupted(observed: Observed): End | undefined {
  const lost = lossesOf(observed);
  const [first] = lost;
  if (!first || (observed.spec.elastic && canGoOn(observed, lost))) return undefined;
  return {
    ...whereOf(observed, first.rank),
    reason: first.reason,
    message: `${inWords(observed, first)}.`,
    charged: 0,
  };
}

/** Whether enough ranks are left, the first among them: that is where all others meet. */
function canGoOn(observed: Observed, lost: readonly Loss[]): boolean {
  const { spec, roles } = observed;
  const gone = new Set(lost.map(({ rank }) => nameOfRank(rank)));
  const left = currentRanks(observed).filter((rank) => !gone.has(nameOfRank(rank)) && rank.pod.phase !== 'Failed');
  return left.length >= leastPods(spec) && !gone.has(nameOfRank({ role: roles.master, rank: 0 }));
}

/** Ranks whose program failed by itself; the first to fail tells why. An elastic training may continue without those lost. */
function failed(observed: Observed, now: number): End | undefined {
  const failures = observed.ranks.flatMap((rank) => {
    const isLost = isTakenAway(rank.pod) || disruptionOf(rank.pod) !== undefined;
    const end = rank.pod.phase === 'Failed' && !isLost ? programEnd(rank.pod) : undefined;
    return end ? [{ rank, end }] : [];
  });
  const [first] = failures.toSorted((a, b) => (a.end.finishedAt < b.end.finishedAt ? -1 : 1));
  if (!first) return undefined;
  const silent = observed.ranks.find(({ pod }) => isUnheardOf(pod));
  if (silent) {
    const message = `${subject(observed, silent)} was lost with its node, which no longer answers; others failed for lack of it.`;
    return { ...whereOf(observed, silent), reason: 'NodeLost', message, charged: 0 };
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
    reason: reasonOfEnd(first.end),
    message: `${subject(observed, first.rank)} ${howEnded(first.end)}.`,
    exitCode,
    // A Job that was left to itself has tried a rank more than once: each time counts.
    charged: mostTries(failures.map(({ rank }) => rank)),
  };
}

function howEnded({ exitCode, reason, message, initContainer }: ProgramEnd): string {
  const how = `ended with exit code ${exitCode}`;
  if (initContainer === undefined) return `${how}${saying(message)}`;
  const why = reason === 'OOMKilled' ? ' (OOMKilled)' : '';
  return `never started: its init container ${initContainer} ${how}${why}${saying(message)}`;
}

/** How often the rank that failed most often has failed. */
const mostTries = (ranks: readonly Rank[]): number =>
  largest([...Map.groupBy(ranks, nameOfRank).values()].map((tries) => tries.length));

/** A Job that has failed, while none of its pods tells why. */
function gaveUp(observed: Observed, now: number): End | undefined {
  if (now < (silentUntil(observed) ?? -Infinity)) return undefined;
  for (const [role, job] of observed.jobs) {
    const { failed: condition } = jobState(job);
    if (!condition) continue;
    const message = `Job ${job.name} failed (${condition.reason})${because(condition.message)}.`;
    const rank = observed.ranks.find((each) => each.role === role && each.uncounted);
    return rank ? spoiled(observed, rank, message) : { reason: 'JobFailed', message, charged: 1 };
  }
  return undefined;
}

/**
 * A Job that counted a rank as failed whose program had succeeded, and stopped the others for it. It is charged as the
 * Job counts it: a container that ends badly each time must not have the whole begin again forever. Where its pod was
 * removed, no container is to blame.
 */
function spoiled(observed: Observed, rank: Rank, job: string): End {
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
 * Until when its pods may still tell why a Job has failed, in milliseconds since the epoch: one that fails stops them all,
 * so where they are believed to run, their watch is behind.
 */
export function silentUntil({ jobs, ranks }: Observed): number | undefined {
  const times = [...jobs].flatMap(([role, job]) => {
    const failedAt = instant(jobState(job).failed?.lastTransitionTime);
    return failedAt !== undefined && ranks.some((rank) => rank.role === role && runs(rank)) ? failedAt : [];
  });
  return times.length === 0 ? undefined : smallest(times) + LATENESS_MS;
}

const runs = ({ pod: { phase, deleting } }: Rank): boolean => !deleting && phase !== 'Succeeded' && phase !== 'Failed';

const whereOf = (observed: Observed, rank: Rank) => ({ ...placeOf(observed, rank), ...exitCodeOf(rank.pod) });

const exitCodeOf = (pod: Rank['pod']) => {
  const end = programEnd(pod);
  return end === undefined ? {} : { exitCode: end.exitCode };
};
