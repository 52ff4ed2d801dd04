import type { BareCondition } from '../../engine/api/index.ts';
import { falseCondition, trueCondition } from '../shared/conditions.ts';
import { quote } from '../shared/diagnosis-text.ts';
import type { Diagnosis } from '../shared/diagnosis-text.ts';
import { scalingDiagnoses } from '../shared/scaling.ts';
import { claimState } from '../shared/slices.ts';
import type { Context, Part } from './context.ts';
import type { Observed } from './observed.ts';
import { earlierDiagnoses, missingCredentials, missingReferences } from './references.ts';
import { essentialFailures, missingExtensions, otherFailures } from './trouble.ts';

/** What was asked for is what there is. */
export const beReady = (context: Context): Part => ({ conditions: [readyOf(context)] });

function readyOf({ observed, template, progressing, available, scaling }: Context): BareCondition {
  if (progressing.reason !== 'Complete') return falseCondition('Ready', progressing);
  if (available.reason !== 'Available') return falseCondition('Ready', available);
  const credentials = missingCredentials(observed);
  const found = [
    ...essentialFailures(observed),
    ...otherFailures(observed),
    ...missingExtensions(observed),
    ...missingReferences(observed, template),
    ...(credentials ? [credentials] : []),
    ...resizeFailure(observed),
  ];
  const others = found.length > 0 ? found : earlierDiagnoses(observed, template, 'Ready');
  const warnings = [...others, ...scalingDiagnoses(scaling, others)];
  const [first] = warnings;
  if (!first) return trueCondition('Ready', { reason: 'Ready', message: 'The service is ready.' });
  return falseCondition('Ready', { reason: first.reason, message: warnings.map(({ message }) => message).join(' ') });
}

/** Why the volume of the weights does not become as large as the spec asks. What it holds, it holds on to. */
function resizeFailure({ claim }: Observed): readonly Diagnosis[] {
  const { resizeError, least } = claim ? claimState(claim) : {};
  if (!claim || resizeError === undefined) return [];
  const message = `Volume ${claim.name} stays at ${least}, since it can't be made larger: ${quote(resizeError)}. Set storage.size to a size that its driver can do, or fix the driver: kubectl describe pvc ${claim.name}.`;
  return [{ reason: 'VolumeResizeFailed', message, stuck: true }];
}
