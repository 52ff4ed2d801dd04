import type { BareCondition } from '../../engine/api/index.ts';
import { falseCondition, trueCondition } from '../shared/conditions.ts';
import { scalingDiagnoses } from '../shared/scaling.ts';
import type { Context, Part } from './context.ts';
import { earlierDiagnoses, essentialFailuresOf, lesserFailuresOf } from './trouble.ts';

/** What was asked for is what there is. */
export const beReady = (context: Context): Part => ({ conditions: [readyOf(context)] });

function readyOf({ observed, model, resolvedRefs, progressing, available, scaling }: Context): BareCondition {
  if (progressing.reason !== 'Complete') return falseCondition('Ready', progressing);
  if (available.reason !== 'Available') return falseCondition('Ready', available);
  if (resolvedRefs.status === 'False') return falseCondition('Ready', resolvedRefs);
  const found = [...essentialFailuresOf(observed), ...lesserFailuresOf(observed), ...(model.away ? [model.away] : [])];
  const others = found.length > 0 ? found : earlierDiagnoses(observed, 'Ready');
  const warnings = [...others, ...scalingDiagnoses(scaling, others)];
  const [first] = warnings;
  if (!first) return trueCondition('Ready', { reason: 'Ready', message: 'The agent is ready.' });
  return falseCondition('Ready', { reason: first.reason, message: warnings.map(({ message }) => message).join(' ') });
}
