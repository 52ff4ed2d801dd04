import { suspendedCondition } from '../conditions.ts';
import type { TrainingStep } from '../context.ts';
import { hasLeftovers } from '../observed.ts';

/** Reports whether it is suspended. Its Jobs have `suspend` of the spec, and an attempt that had pods is over: see retry.ts. */
export const suspend: TrainingStep = ({ observed, stage }) => ({
  conditions: [
    suspendedCondition({
      wanted: stage === 'Suspended',
      isDone: !hasLeftovers(observed) && observed.ranks.length === 0,
      before: observed.status.conditions,
    }),
  ],
});
