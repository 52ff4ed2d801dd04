import { conditionOf } from '../../engine/api/index.ts';
import type { BareCondition } from '../../engine/api/index.ts';
import type { Diagnosis } from '../shared/diagnosis-text.ts';
import type { Rollout } from '../shared/rollout.ts';
import { scalingFinding } from '../shared/scaling.ts';
import type { Scaling } from '../shared/scaling.ts';
import { carriedOver } from '../shared/carried-over.ts';
import { essentialFailures, extensionQueries, missingExtensions, otherFailures } from '../shared/trouble.ts';
import { egressVerdict } from './egress.ts';
import type { Model } from './model.ts';
import { missingReferences, referenceQueries } from './references.ts';
import type { Observed } from './observed.ts';

/** All that the conditions are made from. */
export interface Context {
  readonly observed: Observed;
  readonly model: Model;
  readonly rollout: Rollout;
  /** Absent where the number of replicas need not follow the load. */
  readonly scaling: Scaling | undefined;
}

/** Children without which the agent does not run; it runs without the others. */
const ESSENTIAL: ReadonlySet<string> = new Set([
  'service-account',
  'network-policy',
  'config',
  'deployment',
  'service',
]);

type Saying = Omit<BareCondition, 'type'>;
type Words = Pick<BareCondition, 'reason' | 'message'>;

/** What each condition says. */
export function verdictsOf(context: Context): readonly BareCondition[] {
  const { observed, model } = context;
  const references = referencesVerdict(context);
  const progressing = progressOf(context);
  const available = availabilityOf(context, progressing);
  const scaling = context.scaling?.says;
  return [
    { type: 'Accepted', status: 'True', reason: 'Accepted', message: 'The spec is valid.' },
    { type: 'ResolvedRefs', ...references },
    { type: 'Available', ...available },
    { type: 'Progressing', ...progressing },
    { type: 'EgressEnforced', ...egressVerdict(observed, model) },
    ...(scaling ? [{ type: 'ScalingActive', ...scaling }] : []),
    { type: 'Ready', ...readinessOf(context, [references, progressing, available], scaling) },
  ];
}

/** Whether all that the spec refers to is there. */
function referencesVerdict({ observed, model }: Context): Saying {
  const absent = [...(model.unresolved ? [model.unresolved] : []), ...missingReferences(observed)];
  const [first] = absent;
  if (first) return lacks({ reason: first.reason, message: absent.map(({ message }) => message).join(' ') });
  const earlier = carriedOver(observed.snapshot, 'ResolvedRefs', referenceQueries(observed));
  return earlier ? lacks(earlier) : holds({ reason: 'Resolved', message: 'All that the spec refers to is there.' });
}

/** True: on its way, or there. False: stuck. */
function progressOf({ observed, model, rollout }: Context): Saying {
  const { state } = rollout;
  const settled = isSettled(rollout);
  const diagnoses = [
    ...essentialFailures(observed.snapshot, ESSENTIAL).filter(({ stuck }) => stuck),
    ...(model.unresolved && !model.binding ? [model.unresolved] : []),
    ...(rollout.diagnosis && !settled ? [rollout.diagnosis] : []),
    ...(settled ? [] : earlierOf(observed, 'Progressing')),
  ];
  const stuck = diagnoses.find((diagnosis) => diagnosis.stuck);
  if (stuck) return lacks(stuck);
  const [waiting] = diagnoses;
  if (waiting) return holds(waiting);
  if (!state) return holds({ reason: 'Pending', message: 'The Deployment is about to be made.' });
  const { desired, ready, replicas, updated } = state;
  if (settled) return holds({ reason: 'Complete', message: 'The rollout is complete.' });
  if (ready === 0 && !wasStopped(observed)) {
    return holds({ reason: 'Starting', message: 'The pods start; none of them is ready yet.' });
  }
  if (replicas !== desired || updated === replicas) {
    return holds({ reason: 'Scaling', message: `${ready} of ${desired} replicas are ready.` });
  }
  return holds({ reason: 'RollingOut', message: `${updated} of ${desired} replicas are of the newest template.` });
}

/** Whether requests are answered. */
function availabilityOf({ rollout }: Context, progressing: Words): Saying {
  const { ready = 0, desired = 0 } = rollout.state ?? {};
  if (ready > 0) {
    const counts = `${ready} of ${desired} replicas are ready.`;
    if (ready >= desired) return holds({ reason: 'Available', message: counts });
    return holds({
      reason: 'Degraded',
      message: rollout.diagnosis ? `${counts} ${rollout.diagnosis.message}` : counts,
    });
  }
  if (rollout.state && desired === 0) {
    return lacks({ reason: 'ScaledToZero', message: 'There are 0 replicas, as asked. Scale it up to run.' });
  }
  return lacks(progressing);
}

/** Whether what was asked for is what there is. */
function readinessOf(
  { observed, model }: Context,
  [references, progressing, available]: readonly Saying[],
  scaling: Saying | undefined,
): Saying {
  if (progressing && progressing.reason !== 'Complete') return lacks(progressing);
  if (available && available.reason !== 'Available') return lacks(available);
  if (references?.status === 'False') return lacks(references);
  const found: readonly Diagnosis[] = [
    ...essentialFailures(observed.snapshot, ESSENTIAL),
    ...otherFailures(observed.snapshot, ESSENTIAL, observed.extensions),
    ...missingExtensions(observed.snapshot, observed.extensions),
    ...(model.away ? [model.away] : []),
  ];
  const others = found.length > 0 ? found : earlierOf(observed, 'Ready');
  const warnings = [...others, ...scalingFinding(scaling, others)];
  const [first] = warnings;
  if (first) return lacks({ reason: first.reason, message: warnings.map(({ message }) => message).join(' ') });
  return holds({ reason: 'Ready', message: 'The agent is ready.' });
}

/** What a condition said before, where it is too soon to take it back. */
function earlierOf(observed: Observed, type: string): readonly Diagnosis[] {
  const earlier = carriedOver(observed.snapshot, type, [
    ...referenceQueries(observed),
    ...extensionQueries(observed.extensions),
  ]);
  return earlier ? [earlier] : [];
}

/** Whether nothing is under way: the newest template runs everywhere, as often as it should. */
const isSettled = ({ state, complete }: Rollout): boolean =>
  state !== undefined && complete && state.replicas === state.desired && state.ready >= state.desired;

/** Whether there were no replicas, as asked, when last looked, or there are more again since. */
function wasStopped({ status }: Observed): boolean {
  const reason = conditionOf(status.conditions, 'Progressing')?.reason;
  return reason === 'Scaling' || conditionOf(status.conditions, 'Available')?.reason === 'ScaledToZero';
}

const holds = ({ reason, message }: Words): Saying => ({ status: 'True', reason, message });
const lacks = ({ reason, message }: Words): Saying => ({ status: 'False', reason, message });
