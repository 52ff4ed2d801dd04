import { conditionOf, STALLED } from '../../operator/engine/api/index.ts';
import type { Condition } from '../../operator/engine/api/index.ts';

/**
 * The condition that tells most: Stalled, where the operator makes no progress; Ready, since it sums the others up; of what only runs to its end, what holds now, or
 * keeps it from running.
 */
export const primaryCondition = (conditions: readonly Condition[]): Condition | undefined =>
  conditions.find(({ type, status }) => type === STALLED && status === 'True') ??
  conditionOf(conditions, 'Ready') ??
  conditions.findLast(({ type, status }) => type !== 'Accepted' && status === 'True') ??
  conditionOf(conditions, 'Running') ??
  conditionOf(conditions, 'Accepted');
