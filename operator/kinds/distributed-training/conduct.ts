import { isQueued } from '../../../constructs/distributed-training/gang.ts';
import { budgetNameOf, sshSecretName } from '../../../constructs/distributed-training/names.ts';
import type { DistributedTrainingRuntime } from '../../../constructs/distributed-training/runtime.ts';
import type { RoleName } from '../../../constructs/distributed-training/roles.ts';
import type { DistributedTrainingStatus } from '../../../constructs/distributed-training/spec.ts';
import type { Ask } from '../../engine/asks.ts';
import { instant } from '../../engine/conditions.ts';
import type { Decision, Snapshot } from '../../engine/kind.ts';
import { jobState } from '../shared/slices.ts';
import { smallest } from '../../../constructs/parts/extremes.ts';
import type { Situation } from './conditions.ts';
import { courseOf, deadlineOf } from './course.ts';
import { silentUntil } from './end.ts';
import { marksOf } from './marks.ts';
import { areThere, missingJobAsks, missingJobs } from './missing-jobs.ts';
import { objectiveAsks, reportedBy } from './objective.ts';
import { areGone, patienceEnd, predecessorAsks } from './predecessors.ts';
import { areRivalsKnown, rivalAsks } from './rival-jobs.ts';
import { statusOf } from './status.ts';
import { stopOf } from './stop.ts';
import { lingersUntil } from './trainer.ts';
import { asksOf, shortageAt } from './trouble.ts';
import { conductSearch, isSearch } from './tuning/conduct.ts';
import { viewOf } from './view.ts';
import type { DistributedTrainingResource } from './view.ts';

/** How soon one looks again at what contradicts itself. */
const DOUBT_MS = 1_000;

type Lifecycle = NonNullable<DistributedTrainingRuntime['lifecycle']>;

/** What to do now with a DistributedTraining, and what to say of it. */
export function conduct(
  snapshot: Snapshot<DistributedTrainingResource>,
  now: number,
): Decision<DistributedTrainingRuntime, DistributedTrainingStatus> {
  if (isSearch(snapshot)) return conductSearch(snapshot, now);
  const view = viewOf(snapshot, now);
  const course = courseOf(view, now);
  const situation = { view, course, stop: stopOf(view, now) };
  const isStarting = isDue(situation, now);
  const lifecycle = lifecycleOf(situation, isStarting && areGone(view, now));
  const isOver = course.outcome !== undefined;
  const undecided = isInDoubt(situation, now);
  const wakeAt = undecided ? now + DOUBT_MS : wakeAtOf(situation, isStarting, now);
  const marks = marksOf(view);
  const replace = lifecycle === 'running' ? turnedJobs(view) : [];
  const endedRoles = isOver ? endedInQueue(view) : [];
  return {
    runtime: {
      attempt: course.attempt,
      ...(lifecycle !== 'running' && { lifecycle }),
      ...(endedRoles.length > 0 && { endedRoles }),
    },
    status: statusOf(situation, now),
    asks: isOver ? [] : asksIn(view, isStarting, now),
    ...(undecided && { undecided }),
    ...(isNews(situation) && { recordFirst: true }),
    ...(replace.length > 0 && { replace }),
    ...(situation.stop.removals.length > 0 && { removePods: situation.stop.removals }),
    ...(marks.length > 0 && { markPods: marks }),
    ...(needsKey(situation, lifecycle) && { sshKeys: [sshSecretName(view)] }),
    ...(isExpired(situation, now) && { expire: true }),
    ...(wakeAt !== undefined && { wakeAt }),
  };
}

/** Pods run only while nothing is left of the attempt before, and no pause is kept. */
function lifecycleOf({ view, course: { outcome, attempt } }: Situation, mayStart: boolean): Lifecycle {
  if (outcome) return lifecycleAtEnd(view.jobs, outcome.complete ? view.roles.leading : undefined);
  if (attempt !== view.attempt) return 'stopped';
  return mayStart || hasBegun(view) ? 'running' : 'stopped';
}

const hasBegun = (view: Situation['view']): boolean =>
  view.jobs.size > 0 || missingJobs(view).length > 0 || hasBudget(view);

/** Whether the present attempt is to begin, as far as is in sight. */
const isDue = ({ view, course, stop }: Situation, now: number): boolean =>
  course.attempt === view.attempt && !hasBegun(view) && stop.quiet && now >= (instant(course.nextAttemptAt) ?? 0);

const asksIn = (view: Situation['view'], isStarting: boolean, now: number): readonly Ask[] => [
  ...asksOf(view, now),
  ...objectiveAsks(view, now),
  ...missingJobAsks(view),
  ...rivalAsks(view),
  ...(isStarting ? predecessorAsks(view) : []),
];

/**
 * A Job that is gone is not made anew: it would run again. One that has not taken note of a good end is stopped with the
 * others: containers beside the program keep its pods, or it would make them anew.
 */
function lifecycleAtEnd(
  jobs: Situation['view']['jobs'],
  leading: Situation['view']['roles']['leading'] | undefined,
): Lifecycle {
  const job = leading && jobs.get(leading);
  if (job && jobState(job).complete) return 'completed';
  if (leading !== undefined && !job) return 'stopped';
  return jobs.size > 0 ? 'failed' : 'stopped';
}

/** Whether an attempt that goes on depends on Jobs of which it isn't known whether they are there. */
const isInDoubt = ({ view, course: { outcome, attempt } }: Situation, now: number): boolean =>
  outcome === undefined && attempt === view.attempt && !(areThere(view, now) && areRivalsKnown(view));

/** Whether something was found that is not in the status yet, and that acting upon it would change. */
const isNews = ({ view: { attempt, status }, course }: Situation): boolean =>
  course.attempt !== attempt || (course.outcome !== undefined && status.completionTime === undefined);

/**
 * Whether the present attempt has its budget, which is made after its Jobs: where none is in sight, their watch is behind,
 * and so is what it tells of earlier attempts.
 */
const hasBudget = (view: Situation['view']): boolean =>
  view.snapshot.children.some(
    ({ kind, name, ownerUid, deleting }) =>
      kind === 'PodDisruptionBudget' &&
      name === budgetNameOf(view) &&
      ownerUid === view.snapshot.resource.metadata.uid &&
      !deleting,
  );

/**
 * In a queue, no Job is suspended or resumed in place. Kueue starts any that is suspended, so one that its user suspends
 * leaves the queue; and to resume that would be left to Kueue, though it may not be there. It has no pods in either case.
 */
const turnedJobs = ({ spec, jobs, ranks }: Situation['view']): readonly string[] =>
  !isQueued(spec) || ranks.length > 0
    ? []
    : [...jobs].flatMap(([role, job]) => {
        const isOursToResume = job.owns.includes('spec.suspend');
        return isOursToResume === spec.suspend || jobState(job).ending ? [] : [role];
      });

/** The roles whose Jobs end by themselves; asked only where Kueue waits for that end. */
const endedInQueue = ({ spec, jobs }: Situation['view']): readonly RoleName[] =>
  isQueued(spec) ? [...jobs].flatMap(([role, job]) => (jobState(job).ending ? [role] : [])) : [];

/** MPI's launcher and workers start with a key. */
const needsKey = ({ view }: Situation, lifecycle: Lifecycle): boolean =>
  view.spec.framework === 'mpi' &&
  view.spec.mpi?.sshSecretName === undefined &&
  lifecycle === 'running' &&
  view.jobs.size === 0;

/** When a training that is over is to go; what is not in its status yet is told first. */
function expiryOf({ view: { spec, status } }: Situation): number | undefined {
  const over = instant(status.completionTime);
  return over === undefined || spec.ttlSecondsAfterFinished === undefined
    ? undefined
    : over + spec.ttlSecondsAfterFinished * 1000;
}

const isExpired = (situation: Situation, now: number): boolean => now >= (expiryOf(situation) ?? Infinity);

/** When to look again by itself. */
function wakeAtOf(situation: Situation, isStarting: boolean, now: number): number | undefined {
  const { view, course, stop } = situation;
  const times = course.outcome
    ? [expiryOf(situation)]
    : [
        stop.wakeAt,
        instant(course.nextAttemptAt),
        deadlineOf(view, course),
        shortageAt(view, now),
        reportedBy(view, now).until,
        silentUntil(view),
        ...view.ranks.map(({ pod }) => lingersUntil(pod, now)),
        isStarting ? patienceEnd(view) : undefined,
      ];
  const ahead = times.filter((time) => time !== undefined && time > now);
  return ahead.length > 0 ? smallest(ahead as readonly number[]) : undefined;
}
