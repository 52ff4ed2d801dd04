import { conditionOf } from '../../engine/api/index.ts';
import type { BareCondition } from '../../engine/api/index.ts';
import { falseCondition, trueCondition } from '../shared/conditions.ts';
import { rolloutInWords } from '../shared/rollout.ts';
import type { Rollout } from '../shared/rollout.ts';
import type { Context, Part } from './context.ts';
import { earlierDiagnoses, essentialFailuresOf } from './trouble.ts';
import type { Observed } from './observed.ts';

/** The pods come to be of the newest template. */
export const rollOut = ({ progressing }: Context): Part => ({ conditions: [progressing] });

/** What keeps pods from running, nodes and logs tell. Last, since a pass has so many answers, and there may be any number of pods. */
export const inspectPods = ({ rollout }: Context): Part => ({ queries: rollout.queries });

/** Progressing. True: on its way, or there. False: stuck. */
export function progressingOf({
  observed,
  model,
  rollout,
}: Pick<Context, 'observed' | 'model' | 'rollout'>): BareCondition {
  const { state } = rollout;
  const settled = isSettled(rollout);
  const diagnoses = [
    ...essentialFailuresOf(observed).filter(({ stuck }) => stuck),
    ...(model.unresolved && !model.binding ? [model.unresolved] : []),
    ...(rollout.diagnosis && !settled ? [rollout.diagnosis] : []),
    ...(settled ? [] : earlierDiagnoses(observed, 'Progressing')),
  ];
  const stuck = diagnoses.find((diagnosis) => diagnosis.stuck);
  if (stuck) return falseCondition('Progressing', stuck);
  const [waiting] = diagnoses;
  if (waiting) return goesOn(waiting.reason, waiting.message);
  if (!state) return goesOn('Pending', 'The Deployment is about to be made.');
  const { desired, ready, replicas, updated } = state;
  if (settled) return goesOn('Complete', 'The rollout is complete.');
  if (ready === 0 && !wasStopped(observed)) return goesOn('Starting', 'The pods start; none of them is ready yet.');
  if (replicas !== desired || updated === replicas) {
    return goesOn('Scaling', `${ready} of ${desired} replicas are ready.`);
  }
  return goesOn('RollingOut', rolloutInWords(state));
}

const goesOn = (reason: string, message: string): BareCondition => trueCondition('Progressing', { reason, message });

/** Whether nothing is under way: the newest template runs everywhere, as often as it should. */
const isSettled = ({ state, complete }: Rollout): boolean =>
  state !== undefined && complete && state.replicas === state.desired && state.ready >= state.desired;

/** Whether there were no replicas, as asked, when last looked, or there are more again since. */
function wasStopped({ status }: Observed): boolean {
  const reason = conditionOf(status.conditions, 'Progressing')?.reason;
  return reason === 'Scaling' || conditionOf(status.conditions, 'Available')?.reason === 'ScaledToZero';
}
