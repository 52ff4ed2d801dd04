import { isQueued } from '../../../../constructs/distributed-training/gang.ts';
import type { RoleName } from '../../../../constructs/distributed-training/roles.ts';
import type { DistributedTrainingState } from '../../../../constructs/distributed-training/state.ts';
import { jobState } from '../../shared/slices.ts';
import { deadlineOf } from '../attempt-state.ts';
import type { Outcome } from '../attempt-state.ts';
import { endConditions } from '../conditions.ts';
import { requeueAt } from '../context.ts';
import type { TrainingStep } from '../context.ts';
import { objectiveQueries, reportedBy } from '../objective.ts';
import type { Observed } from '../observed.ts';

/**
 * Ends the training: complete, once its work is done and its result is read; failed, once its deadline is over (outcome.ts)
 * or no retry is left (retry.ts).
 */
export const finish: TrainingStep = (context) => {
  const { observed, attemptState, now } = context;
  const { outcome, completionTime, objective } = attemptState;
  return {
    ...(outcome && { state: stateAtEnd(observed, outcome) }),
    status: { ...(completionTime !== undefined && { completionTime }), ...(objective && { objective }) },
    conditions: endConditions(outcome),
    ...(!outcome && { queries: objectiveQueries(observed, now) }),
    // To stop its pods would change what it was found by.
    ...(outcome && observed.status.completionTime === undefined && { statusFirst: true }),
    ...requeueAt(context, [deadlineOf(observed, attemptState), reportedBy(observed, now).until]),
  };
};

function stateAtEnd(observed: Observed, { complete }: Outcome): DistributedTrainingState {
  const ended = endedRoles(observed);
  return {
    lifecycle: lifecycleAtEnd(observed.jobs, complete ? observed.roles.leading : undefined),
    ...(ended.length > 0 && { endedRoles: ended }),
  };
}

/**
 * A Job that is gone is not created again: it would run again. One that has not taken note of a good end is stopped with the
 * others: containers beside the program keep its pods, or it would create them again.
 */
function lifecycleAtEnd(
  jobs: Observed['jobs'],
  leading: RoleName | undefined,
): NonNullable<DistributedTrainingState['lifecycle']> {
  const job = leading && jobs.get(leading);
  if (job && jobState(job).complete) return 'completed';
  if (leading !== undefined && !job) return 'stopped';
  return jobs.size > 0 ? 'failed' : 'stopped';
}

/** The roles whose Jobs end by themselves; it matters only where Kueue waits for that end. */
const endedRoles = ({ spec, jobs }: Observed): readonly RoleName[] =>
  isQueued(spec) ? [...jobs].flatMap(([role, job]) => (jobState(job).ending ? [role] : [])) : [];
