import type { BareCondition } from '../../../engine/api/index.ts';
import { instant } from '../../../engine/api/index.ts';
import { causeShownBy, failureExplainedBy } from '../attempt-ends.ts';
import { falseCondition, trueCondition } from '../../shared/conditions.ts';
import { isBetweenAttempts, requeueAt } from '../context.ts';
import type { Context, TrainingStep } from '../context.ts';

/**
 * Reports the attempts. The decision is in the context already, by retry.ts: what ends an attempt, what is charged to
 * `retry.limit`, and when the next one starts.
 */
export const reportAttempts: TrainingStep = (context) => {
  const { observed, attemptState, now } = context;
  const { outcome: _, completionTime: __, objective: ___, attempts, ...status } = attemptState;
  return {
    state: { attempt: attemptState.attempt },
    status: { ...status, ...(attempts.length > 0 && { attempts }) },
    conditions: [restartingCondition(context)],
    // The status keeps why it ended: once its pods are gone, nothing else does.
    ...(isBetweenAttempts(context) && { statusFirst: true }),
    ...requeueAt(context, [
      instant(attemptState.nextAttemptAt),
      failureExplainedBy(observed),
      causeShownBy(observed, now),
    ]),
  };
};

function restartingCondition({ observed, attemptState, stage }: Context): BareCondition {
  const last = attemptState.attempts.at(-1);
  const needsNone = stage === 'Running' || stage === 'Suspended' || stage === 'Over';
  if (needsNone || !last || last.reason === 'Suspended') {
    return falseCondition('Restarting', { reason: 'NotRestarting', message: 'No attempt is to follow.' });
  }
  const used = `${attemptState.failures} of ${observed.spec.retry.limit} retries are used up.`;
  const message = `Attempt ${last.number} is over. ${last.message ?? ''} ${used}`;
  return trueCondition('Restarting', { reason: last.reason, message });
}
