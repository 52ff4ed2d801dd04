import { SSH_KEY } from '../ssh-key.ts';
import { budgetNameOf, sshSecretName } from '../../../../constructs/distributed-training/names.ts';
import { instant } from '../../../engine/api/index.ts';
import { goesOn, requeueAt } from '../context.ts';
import type { Context, TrainingStep } from '../context.ts';
import { missingJobs } from '../missing-jobs.ts';
import { hasLeftovers } from '../observed.ts';
import type { Observed } from '../observed.ts';
import { arePredecessorsGone, predecessorQueries, predecessorsTimeOutAt } from '../other-attempts.ts';

/** Starts the attempt: once nothing is left of the one before, and the pause is over. Until then, no pod may run. */
export const launch: TrainingStep = (context) => {
  if (context.stage === 'Over') return {};
  const { observed, now } = context;
  const isDue = isLaunchDue(context);
  const runs = goesOn(context) && (hasBegun(observed) || (isDue && arePredecessorsGone(observed, now)));
  return {
    ...(!runs && { state: { lifecycle: 'stopped' } }),
    ...(runs && needsKey(observed) && { makeSecrets: [{ name: sshSecretName(observed), by: SSH_KEY }] }),
    ...(isDue && { queries: predecessorQueries(observed), ...requeueAt(context, [predecessorsTimeOutAt(observed)]) }),
  };
};

/** Whether the attempt is to start, as far as is in sight. */
const isLaunchDue = (context: Context): boolean =>
  goesOn(context) &&
  !hasBegun(context.observed) &&
  !hasLeftovers(context.observed) &&
  context.now >= (instant(context.attemptState.nextAttemptAt) ?? 0);

const hasBegun = (observed: Observed): boolean =>
  observed.jobs.size > 0 || missingJobs(observed).length > 0 || hasBudget(observed);

/**
 * Whether the present attempt has its budget, which is made after its Jobs: where none is in sight, their watch is behind,
 * and so is what it has of earlier attempts.
 */
const hasBudget = (observed: Observed): boolean =>
  observed.snapshot.children.some(
    ({ kind, name, ownerUid, deleting }) =>
      kind === 'PodDisruptionBudget' &&
      name === budgetNameOf(observed) &&
      ownerUid === observed.snapshot.resource.metadata.uid &&
      !deleting,
  );

/** MPI's launcher and workers start with a key. */
const needsKey = ({ spec, jobs }: Observed): boolean =>
  spec.framework === 'mpi' && spec.mpi?.sshSecretName === undefined && jobs.size === 0;
