import type { ModelServingSpec } from '../../../constructs/model-serving/spec.ts';
import { conditionOf } from '../../engine/conditions.ts';
import type { Verdict } from '../../engine/conditions.ts';
import type { Finding } from '../shared/finding.ts';
import type { Drain } from './drain.ts';
import { requestsCut } from './drain.ts';
import { missingCredentials, missingReferences, referenceAsks } from './references.ts';
import type { Held } from './held.ts';
import type { Rollout } from '../shared/rollout.ts';
import { scalingFinding } from '../shared/scaling.ts';
import type { Scaling } from '../shared/scaling.ts';
import { standing } from '../shared/standing.ts';
import { resizeFailure } from './resize.ts';
import { surgeHindrance } from './surge.ts';
import { essentialProblems, extensionAsks, missingExtensions, otherProblems } from './trouble.ts';
import { mountsOther } from './view.ts';
import type { View } from './view.ts';
import type { Weights } from './weights-state.ts';

/** All that the conditions are made from. */
export interface Situation {
  readonly view: View;
  readonly weights: Weights;
  readonly rollout: Rollout;
  readonly drain: Drain;
  /** The earlier spec that still serves, where one does. */
  readonly earlier: ModelServingSpec | undefined;
  /** The spec that the pods are made from. */
  readonly template: ModelServingSpec;
  readonly held: Held;
  /** Absent where the number of servers need not follow the load. */
  readonly scaling: Scaling | undefined;
}

/** What each condition says. */
export function verdictsOf(situation: Situation): readonly Verdict[] {
  const { weights } = situation;
  const accepted = verdict('Accepted', true, { reason: 'Accepted', message: 'The spec can work.' });
  const weightsReady = verdict('WeightsReady', weights.ready, weights);
  const progressing = { type: 'Progressing', ...progressOf(situation) };
  const available = { type: 'Available', ...availabilityOf(situation, progressing) };
  const scaling = situation.scaling?.says;
  const ready = { type: 'Ready', ...readinessOf(situation, progressing, available, scaling) };
  return [
    accepted,
    weightsReady,
    available,
    progressing,
    ...(scaling ? [{ type: 'ScalingActive', ...scaling }] : []),
    ready,
  ];
}

type Saying = Pick<Verdict, 'status' | 'reason' | 'message'>;
type Words = Pick<Verdict, 'reason' | 'message'>;

/** True: on its way, or there. False: stuck. */
function progressOf(situation: Situation): Saying {
  const { view, weights, rollout, drain } = situation;
  if (drain.lifecycle !== 'serving') return holds(leaving(situation));
  const settled = isSettled(situation);
  const findings = [
    ...essentialProblems(view).filter(({ stuck }) => stuck),
    ...(weights.finding ? [weights.finding] : []),
    ...(rollout.finding && !settled ? [rollout.finding] : []),
    ...(settled ? [] : earlierOf(situation, 'Progressing')),
  ];
  const stuck = findings.find((finding) => finding.stuck);
  if (stuck) return fails(stuck);
  const [waiting] = findings;
  if (waiting) return holds(waiting);
  const fetch = weights.ready ? weights.awaited : weights;
  if (fetch) {
    const meanwhile = isUp(situation) ? ' Meanwhile the servers that there are serve on.' : '';
    return holds({ reason: 'FetchingWeights', message: `${fetch.message}${meanwhile}` });
  }
  if (!rollout.state) return holds({ reason: 'Pending', message: 'The Deployment is about to be made.' });
  const hindrance = surgeHindrance(view);
  if (settled) {
    const beforehand = hindrance === undefined ? '' : ` Mind that ${hindrance}.`;
    return holds({ reason: 'Complete', message: `All is as the spec asks.${beforehand}` });
  }
  if (isUp(situation)) {
    const { updated, desired } = rollout.state;
    return holds({ reason: 'RollingOut', message: `${updated} of ${desired} replicas are of the newest template.` });
  }
  return hindrance !== undefined && wasUpdating(view)
    ? holds({ reason: 'SurgeImpossible', message: `The endpoint is away until the new pod is ready: ${hindrance}.` })
    : holds({ reason: 'Deploying', message: 'The servers start; none of them answers yet.' });
}

/** Whether requests are answered. */
function availabilityOf(situation: Situation, progressing: Words): Saying {
  const { drain, rollout } = situation;
  if (drain.lifecycle !== 'serving') return lacks(leaving(situation));
  const { ready = 0, desired = 0 } = rollout.state ?? {};
  if (isUp(situation)) {
    const counts = `${ready} of ${desired} replicas are ready.`;
    if (ready >= desired) return holds({ reason: 'Available', message: counts });
    return holds({ reason: 'Degraded', message: rollout.finding ? `${counts} ${rollout.finding.message}` : counts });
  }
  if (rollout.state && desired === 0) {
    return lacks({ reason: 'ScaledToZero', message: 'There are 0 replicas, as asked. Scale it up to be served.' });
  }
  return lacks(progressing);
}

/** Whether what was asked for is what there is. */
function readinessOf(situation: Situation, progressing: Words, available: Words, scaling: Saying | undefined): Saying {
  const { view, template } = situation;
  if (progressing.reason !== 'Complete') return lacks(progressing);
  if (available.reason !== 'Available') return lacks(available);
  const credentials = missingCredentials(view);
  const found = [
    ...essentialProblems(view),
    ...otherProblems(view),
    ...missingExtensions(view),
    ...missingReferences(view, template),
    ...(credentials ? [credentials] : []),
    ...resizeFailure(view),
  ];
  const others = found.length > 0 ? found : earlierOf(situation, 'Ready');
  const warnings = [...others, ...scalingFinding(scaling, others)];
  const [first] = warnings;
  if (first) return lacks({ reason: first.reason, message: warnings.map(({ message }) => message).join(' ') });
  return holds({ reason: 'Ready', message: 'The service is as the spec asks.' });
}

/** What a condition said before, where it is too soon to take it back. */
function earlierOf({ view, template }: Situation, type: string): readonly Finding[] {
  const earlier = standing(view.snapshot, type, [...referenceAsks(view, template), ...extensionAsks(view)]);
  return earlier ? [earlier] : [];
}

/** Whether nothing is under way: the newest template runs everywhere, and answers if it should. */
function isSettled(situation: Situation): boolean {
  const { view, weights, rollout, template } = situation;
  const isWanted = rollout.state !== undefined && rollout.state.desired > 0;
  const isLast = template === view.spec && !view.servers.some((pod) => mountsOther(pod, view.spec.model));
  const isFetched = weights.ready && weights.awaited === undefined;
  return isFetched && isLast && rollout.complete && (!isWanted || isUp(situation));
}

/** Whether the endpoint answers. */
const isUp = ({ view, rollout }: Situation): boolean => view.service !== undefined && (rollout.state?.ready ?? 0) > 0;

/** Whether an update was under way, or has just been asked for, when last looked; else this is its first life. */
function wasUpdating({ status, snapshot }: View): boolean {
  const reason = conditionOf(status.conditions, 'Progressing')?.reason;
  const wasUp = conditionOf(status.conditions, 'Available')?.status === 'True';
  const isNew = status.observedGeneration !== snapshot.resource.metadata.generation;
  return reason === 'SurgeImpossible' || reason === 'RollingOut' || (wasUp && (isNew || reason !== 'Complete'));
}

function leaving({ view, drain, held }: Situation): Words {
  const { spec, snapshot } = view;
  const where = spec.successor === undefined ? '' : ` Its users should go to ${spec.successor}.`;
  const trouble = snapshot.problems.map(({ message }) => ` ${message}.`).join('');
  if (drain.lifecycle === 'draining') {
    const within = `requests in flight have ${spec.drain.timeoutSeconds} s to end`;
    return { reason: 'Draining', message: `No new request is taken; ${within}.${where}${trouble}` };
  }
  const cut = requestsCut(drain.status);
  const end = cut === 0 ? '' : ` ${cut} requests were cut after ${spec.drain.timeoutSeconds} s.`;
  const back = spec.retired ? ' Set retired to false to bring it back.' : '';
  const waits =
    held.names.length === 0
      ? ''
      : ` These are still being deleted, held by a finalizer or in use: ${held.names.join(', ')}.`;
  return { reason: 'Retired', message: `It is out of service.${end}${where}${back}${waits}${trouble}` };
}

const verdict = (type: string, held: boolean, { reason, message }: Words): Verdict => ({
  type,
  status: held ? 'True' : 'False',
  reason,
  message,
});

const holds = ({ reason, message }: Words): Saying => ({ status: 'True', reason, message });
const lacks = ({ reason, message }: Words): Saying => ({ status: 'False', reason, message });
const fails = ({ reason, message }: Finding): Saying => lacks({ reason, message });
