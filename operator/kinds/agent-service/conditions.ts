import { conditionOf } from '../../engine/conditions.ts';
import type { Verdict } from '../../engine/conditions.ts';
import type { Finding } from '../shared/finding.ts';
import type { Rollout } from '../shared/rollout.ts';
import { scalingFinding } from '../shared/scaling.ts';
import type { Scaling } from '../shared/scaling.ts';
import { standing } from '../shared/standing.ts';
import { essentialProblems, extensionAsks, missingExtensions, otherProblems } from '../shared/trouble.ts';
import { egressVerdict } from './egress.ts';
import type { Model } from './model.ts';
import { missingReferences, referenceAsks } from './references.ts';
import type { View } from './view.ts';

/** All that the conditions are made from. */
export interface Situation {
  readonly view: View;
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

type Saying = Omit<Verdict, 'type'>;
type Words = Pick<Verdict, 'reason' | 'message'>;

/** What each condition says. */
export function verdictsOf(situation: Situation): readonly Verdict[] {
  const { view, model } = situation;
  const references = referencesVerdict(situation);
  const progressing = progressOf(situation);
  const available = availabilityOf(situation, progressing);
  const scaling = situation.scaling?.says;
  return [
    { type: 'Accepted', status: 'True', reason: 'Accepted', message: 'The spec can work.' },
    { type: 'ResolvedRefs', ...references },
    { type: 'Available', ...available },
    { type: 'Progressing', ...progressing },
    { type: 'EgressEnforced', ...egressVerdict(view, model) },
    ...(scaling ? [{ type: 'ScalingActive', ...scaling }] : []),
    { type: 'Ready', ...readinessOf(situation, [references, progressing, available], scaling) },
  ];
}

/** Whether all that the spec refers to is there. */
function referencesVerdict({ view, model }: Situation): Saying {
  const absent = [...(model.unresolved ? [model.unresolved] : []), ...missingReferences(view)];
  const [first] = absent;
  if (first) return lacks({ reason: first.reason, message: absent.map(({ message }) => message).join(' ') });
  const earlier = standing(view.snapshot, 'ResolvedRefs', referenceAsks(view));
  return earlier ? lacks(earlier) : holds({ reason: 'Resolved', message: 'All that the spec refers to is there.' });
}

/** True: on its way, or there. False: stuck. */
function progressOf({ view, model, rollout }: Situation): Saying {
  const { state } = rollout;
  const settled = isSettled(rollout);
  const findings = [
    ...essentialProblems(view.snapshot, ESSENTIAL).filter(({ stuck }) => stuck),
    ...(model.unresolved && !model.binding ? [model.unresolved] : []),
    ...(rollout.finding && !settled ? [rollout.finding] : []),
    ...(settled ? [] : earlierOf(view, 'Progressing')),
  ];
  const stuck = findings.find((finding) => finding.stuck);
  if (stuck) return lacks(stuck);
  const [waiting] = findings;
  if (waiting) return holds(waiting);
  if (!state) return holds({ reason: 'Pending', message: 'The Deployment is about to be made.' });
  const { desired, ready, replicas, updated } = state;
  if (settled) return holds({ reason: 'Complete', message: 'All is as the spec asks.' });
  if (ready === 0 && !wasStopped(view)) {
    return holds({ reason: 'Starting', message: 'The pods start; none of them is ready yet.' });
  }
  if (replicas !== desired || updated === replicas) {
    return holds({ reason: 'Scaling', message: `${ready} of ${desired} replicas are ready.` });
  }
  return holds({ reason: 'RollingOut', message: `${updated} of ${desired} replicas are of the newest template.` });
}

/** Whether requests are answered. */
function availabilityOf({ rollout }: Situation, progressing: Words): Saying {
  const { ready = 0, desired = 0 } = rollout.state ?? {};
  if (ready > 0) {
    const counts = `${ready} of ${desired} replicas are ready.`;
    if (ready >= desired) return holds({ reason: 'Available', message: counts });
    return holds({ reason: 'Degraded', message: rollout.finding ? `${counts} ${rollout.finding.message}` : counts });
  }
  if (rollout.state && desired === 0) {
    return lacks({ reason: 'ScaledToZero', message: 'There are 0 replicas, as asked. Scale it up to run.' });
  }
  return lacks(progressing);
}

/** Whether what was asked for is what there is. */
function readinessOf(
  { view, model }: Situation,
  [references, progressing, available]: readonly Saying[],
  scaling: Saying | undefined,
): Saying {
  if (progressing && progressing.reason !== 'Complete') return lacks(progressing);
  if (available && available.reason !== 'Available') return lacks(available);
  if (references?.status === 'False') return lacks(references);
  const found: readonly Finding[] = [
    ...essentialProblems(view.snapshot, ESSENTIAL),
    ...otherProblems(view.snapshot, ESSENTIAL, view.extensions),
    ...missingExtensions(view.snapshot, view.extensions),
    ...(model.away ? [model.away] : []),
  ];
  const others = found.length > 0 ? found : earlierOf(view, 'Ready');
  const warnings = [...others, ...scalingFinding(scaling, others)];
  const [first] = warnings;
  if (first) return lacks({ reason: first.reason, message: warnings.map(({ message }) => message).join(' ') });
  return holds({ reason: 'Ready', message: 'The agent is as the spec asks.' });
}

/** What a condition said before, where it is too soon to take it back. */
function earlierOf(view: View, type: string): readonly Finding[] {
  const earlier = standing(view.snapshot, type, [...referenceAsks(view), ...extensionAsks(view.extensions)]);
  return earlier ? [earlier] : [];
}

/** Whether nothing is under way: the newest template runs everywhere, as often as it should. */
const isSettled = ({ state, complete }: Rollout): boolean =>
  state !== undefined && complete && state.replicas === state.desired && state.ready >= state.desired;

/** Whether there were no replicas, as asked, when last looked, or there are more again since. */
function wasStopped({ status }: View): boolean {
  const reason = conditionOf(status.conditions, 'Progressing')?.reason;
  return reason === 'Scaling' || conditionOf(status.conditions, 'Available')?.reason === 'ScaledToZero';
}

const holds = ({ reason, message }: Words): Saying => ({ status: 'True', reason, message });
const lacks = ({ reason, message }: Words): Saying => ({ status: 'False', reason, message });
