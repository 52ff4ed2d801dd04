import { conditionOf } from '../../engine/api/index.ts';
import type { BareCondition, Condition } from '../../engine/api/index.ts';
import { falseCondition, trueCondition } from '../shared/conditions.ts';
import type { Outcome } from './attempt-state.ts';

/** The condition Suspended: of a training, and of a search. */
export function suspendedCondition(suspension: {
  readonly wanted: boolean;
  /** Whether nothing runs any more. */
  readonly isDone: boolean;
  readonly before: readonly Condition[] | undefined;
}): BareCondition {
  const type = 'Suspended';
  if (suspension.wanted) {
    return suspension.isDone
      ? trueCondition(type, { reason: 'Suspended', message: 'No pod runs. Set suspend to false to continue.' })
      : trueCondition(type, { reason: 'Suspending', message: 'Its pods are being stopped.' });
  }
  const last = conditionOf(suspension.before, type);
  const isResumed = last?.status === 'True' || last?.reason === 'Resumed';
  return isResumed
    ? falseCondition(type, { reason: 'Resumed', message: 'It was resumed.' })
    : falseCondition(type, { reason: 'NotSuspended', message: 'It is not suspended.' });
}

/** The conditions Complete and Failed: of a training, and of a search. */
export const endConditions = (outcome: Outcome | undefined): readonly BareCondition[] => [
  endCondition('Complete', outcome?.complete === true, outcome),
  endCondition('Failed', outcome?.complete === false, outcome),
];

const UNFINISHED = { reason: 'Unfinished', message: 'It continues.' };

const endCondition = (type: string, isSo: boolean, outcome: Outcome | undefined): BareCondition =>
  isSo && outcome ? trueCondition(type, outcome) : falseCondition(type, outcome ?? UNFINISHED);
