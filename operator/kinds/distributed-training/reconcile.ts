import { isQueued } from '../../../constructs/distributed-training/gang.ts';
import { budgetNameOf, sshSecretName } from '../../../constructs/distributed-training/names.ts';
import type { DistributedTrainingState } from '../../../constructs/distributed-training/state.ts';
import type { RoleName } from '../../../constructs/distributed-training/roles.ts';
import type { DistributedTrainingStatus } from '../../../constructs/distributed-training/status.ts';
import { instant } from '../../engine/api/index.ts';
import type { Query, Result, Snapshot } from '../../engine/api/index.ts';
import { jobState } from '../shared/slices.ts';
import { smallest } from '../../../constructs/parts/values/index.ts';
import type { Context } from './conditions.ts';
import { courseOf, deadlineOf } from './attempt-state.ts';
import { silentUntil } from './end.ts';
import { marksOf } from './marks.ts';
import { areThere, missingJobQueries, missingJobs } from './missing-jobs.ts';
import { objectiveQueries, reportedBy } from './objective.ts';
import { areGone, patienceEnd, predecessorQueries } from './predecessors.ts';
import { areRivalsKnown, rivalQueries } from './rival-jobs.ts';
import { statusOf } from './status.ts';
import { stopOf } from './stop.ts';
import { lingersUntil } from './trainer.ts';
import { queriesOf, shortageAt } from './trouble.ts';
import { reconcileSearch, isSearch } from './tuning/reconcile.ts';
import { observedOf } from './observed.ts';
import type { DistributedTrainingResource } from './observed.ts';

/** How soon one looks again at what contradicts itself. */
const DOUBT_MS = 1_000;

type Lifecycle = NonNullable<DistributedTrainingState['lifecycle']>;

/** What to do now with a DistributedTraining, and what to say of it. */
export function reconcile(
  snapshot: Snapshot<DistributedTrainingResource>,
  now: number,
): Result<DistributedTrainingState, DistributedTrainingStatus> {
  if (isSearch(snapshot)) return reconcileSearch(snapshot, now);
  const observed = observedOf(snapshot, now);
  const attemptState = courseOf(observed, now);
  const context = { observed, attemptState, stop: stopOf(observed, now) };
  const isStarting = isDue(context, now);
  const lifecycle = lifecycleOf(context, isStarting && areGone(observed, now));
  const isOver = attemptState.outcome !== undefined;
  const waitForAnswers = isInDoubt(context, now);
  const requeueAt = waitForAnswers ? now + DOUBT_MS : wakeAtOf(context, isStarting, now);
  const marks = marksOf(observed);
  const replace = lifecycle === 'running' ? turnedJobs(observed) : [];
  const endedRoles = isOver ? endedInQueue(observed) : [];
  return {
    state: {
      attempt: attemptState.attempt,
      ...(lifecycle !== 'running' && { lifecycle }),
      ...(endedRoles.length > 0 && { endedRoles }),
    },
    ...statusOf(context, now),
    queries: isOver ? [] : queriesIn(observed, isStarting, now),
    ...(waitForAnswers && { waitForAnswers }),
    ...(isNews(context) && { statusFirst: true }),
    ...(replace.length > 0 && { replace }),
    ...(context.stop.removals.length > 0 && { removePods: context.stop.removals }),
    ...(marks.length > 0 && { markPods: marks }),
    ...(needsKey(context, lifecycle) && { sshKeys: [sshSecretName(observed)] }),
    ...(isExpired(context, now) && { expire: true }),
    ...(requeueAt !== undefined && { requeueAt }),
  };
}

/** Pods run only while nothing is left of the attempt before, and no pause is kept. */
function lifecycleOf({ observed, attemptState: { outcome, attempt } }: Context, mayStart: boolean): Lifecycle {
  if (outcome) return lifecycleAtEnd(observed.jobs, outcome.complete ? observed.roles.leading : undefined);
  if (attempt !== observed.attempt) return 'stopped';
  return mayStart || hasBegun(observed) ? 'running' : 'stopped';
}

const hasBegun = (observed: Context['observed']): boolean =>
  observed.jobs.size > 0 || missingJobs(observed).length > 0 || hasBudget(observed);

/** Whether the present attempt is to begin, as far as is in sight. */
const isDue = ({ observed, attemptState, stop }: Context, now: number): boolean =>
  attemptState.attempt === observed.attempt &&
  !hasBegun(observed) &&
  stop.quiet &&
  now >= (instant(attemptState.nextAttemptAt) ?? 0);

const queriesIn = (observed: Context['observed'], isStarting: boolean, now: number): readonly Query[] => [
  ...queriesOf(observed, now),
  ...objectiveQueries(observed, now),
  ...missingJobQueries(observed),
  ...rivalQueries(observed),
  ...(isStarting ? predecessorQueries(observed) : []),
];

/**
 * A Job that is gone is not created again: it would run again. One that has not taken note of a good end is stopped with the
 * others: containers beside the program keep its pods, or it would create them again.
 */
function lifecycleAtEnd(
  jobs: Context['observed']['jobs'],
  leading: Context['observed']['roles']['leading'] | undefined,
): Lifecycle {
  const job = leading && jobs.get(leading);
  if (job && jobState(job).complete) return 'completed';
  if (leading !== undefined && !job) return 'stopped';
  return jobs.size > 0 ? 'failed' : 'stopped';
}

/** Whether an attempt that continues depends on Jobs of which it isn't known whether they are there. */
const isInDoubt = ({ observed, attemptState: { outcome, attempt } }: Context, now: number): boolean =>
  outcome === undefined && attempt === observed.attempt && !(areThere(observed, now) && areRivalsKnown(observed));

/** Whether something was found that is not in the status yet, and that acting on it would change. */
const isNews = ({ observed: { attempt, status }, attemptState }: Context): boolean =>
  attemptState.attempt !== attempt || (attemptState.outcome !== undefined && status.completionTime === undefined);

/**
 * Whether the present attempt has its budget, which is made after its Jobs: where none is in sight, their watch is behind,
 * and so is what it tells of earlier attempts.
 */
const hasBudget = (observed: Context['observed']): boolean =>
  observed.snapshot.children.some(
    ({ kind, name, ownerUid, deleting }) =>
      kind === 'PodDisruptionBudget' &&
      name === budgetNameOf(observed) &&
      ownerUid === observed.snapshot.resource.metadata.uid &&
      !deleting,
  );

/**
 * In a queue, no Job is suspended or resumed in place. Kueue starts any that is suspended, so one that its user suspends
 * leaves the queue; and to resume that would be left to Kueue, though it may not be there. It has no pods in either case.
 */
const turnedJobs = ({ spec, jobs, ranks }: Context['observed']): readonly string[] =>
  !isQueued(spec) || ranks.length > 0
    ? []
    : [...jobs].flatMap(([role, job]) => {
        const isOursToResume = job.owns.includes('spec.suspend');
        return isOursToResume === spec.suspend || jobState(job).ending ? [] : [role];
      });

/** The roles whose Jobs end by themselves; asked only where Kueue waits for that end. */
const endedInQueue = ({ spec, jobs }: Context['observed']): readonly RoleName[] =>
  isQueued(spec) ? [...jobs].flatMap(([role, job]) => (jobState(job).ending ? [role] : [])) : [];

/** MPI's launcher and workers start with a key. */
const needsKey = ({ observed }: Context, lifecycle: Lifecycle): boolean =>
  observed.spec.framework === 'mpi' &&
  observed.spec.mpi?.sshSecretName === undefined &&
  lifecycle === 'running' &&
  observed.jobs.size === 0;

/** When a training that is over is to go; what is not in its status yet is told first. */
function expiryOf({ observed: { spec, status } }: Context): number | undefined {
  const over = instant(status.completionTime);
  return over === undefined || spec.ttlSecondsAfterFinished === undefined
    ? undefined
    : over + spec.ttlSecondsAfterFinished * 1000;
}

const isExpired = (context: Context, now: number): boolean => now >= (expiryOf(context) ?? Infinity);

/** When to look again by itself. */
function wakeAtOf(context: Context, isStarting: boolean, now: number): number | undefined {
  const { observed, attemptState, stop } = context;
  const times = attemptState.outcome
    ? [expiryOf(context)]
    : [
        stop.requeueAt,
        instant(attemptState.nextAttemptAt),
        deadlineOf(observed, attemptState),
        shortageAt(observed, now),
        reportedBy(observed, now).until,
        silentUntil(observed),
        ...observed.ranks.map(({ pod }) => lingersUntil(pod, now)),
        isStarting ? patienceEnd(observed) : undefined,
      ];
  const ahead = times.filter((time) => time !== undefined && time > now);
  return ahead.length > 0 ? smallest(ahead as readonly number[]) : undefined;
}
