import type { ModelServingSpec } from '../../../constructs/model-serving/spec.ts';
import { conditionOf } from '../../engine/api/index.ts';
import type { BareCondition } from '../../engine/api/index.ts';
import type { Diagnosis } from '../shared/diagnosis-text.ts';
import type { Drain } from './drain.ts';
import { requestsCut } from './drain.ts';
import { missingCredentials, missingReferences, referenceQueries } from './references.ts';
import type { Held } from './held.ts';
import type { Rollout } from '../shared/rollout.ts';
import { scalingFinding } from '../shared/scaling.ts';
import type { Scaling } from '../shared/scaling.ts';
import { carriedOver } from '../shared/carried-over.ts';
import { resizeFailure } from './resize.ts';
import { surgeHindrance } from './surge.ts';
import { essentialFailures, extensionQueries, missingExtensions, otherFailures } from './trouble.ts';
import { mountsOther } from './observed.ts';
import type { Observed } from './observed.ts';
import type { Weights } from './weights-state.ts';

/** All that the conditions are made from. */
export interface Context {
  readonly observed: Observed;
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
export function verdictsOf(context: Context): readonly BareCondition[] {
  const { weights } = context;
  const accepted = verdict('Accepted', true, { reason: 'Accepted', message: 'The spec is valid.' });
  const weightsReady = verdict('WeightsReady', weights.ready, weights);
  const progressing = { type: 'Progressing', ...progressOf(context) };
  const available = { type: 'Available', ...availabilityOf(context, progressing) };
  const scaling = context.scaling?.says;
  const ready = { type: 'Ready', ...readinessOf(context, progressing, available, scaling) };
  return [
    accepted,
    weightsReady,
    available,
    progressing,
    ...(scaling ? [{ type: 'ScalingActive', ...scaling }] : []),
    ready,
  ];
}

type Saying = Pick<BareCondition, 'status' | 'reason' | 'message'>;
type Words = Pick<BareCondition, 'reason' | 'message'>;

/** True: on its way, or there. False: stuck. */
function progressOf(context: Context): Saying {
  const { observed, weights, rollout, drain } = context;
  if (drain.lifecycle !== 'serving') return holds(leaving(context));
  const settled = isSettled(context);
  const diagnoses = [
    ...essentialFailures(observed).filter(({ stuck }) => stuck),
    ...(weights.diagnosis ? [weights.diagnosis] : []),
    ...(rollout.diagnosis && !settled ? [rollout.diagnosis] : []),
    ...(settled ? [] : earlierOf(context, 'Progressing')),
  ];
  const stuck = diagnoses.find((diagnosis) => diagnosis.stuck);
  if (stuck) return fails(stuck);
  const [waiting] = diagnoses;
  if (waiting) return holds(waiting);
  const fetch = weights.ready ? weights.awaited : weights;
  if (fetch) {
    const meanwhile = isUp(context) ? ' Meanwhile the servers that there are serve on.' : '';
    return holds({ reason: 'FetchingWeights', message: `${fetch.message}${meanwhile}` });
  }
  if (!rollout.state) return holds({ reason: 'Pending', message: 'The Deployment is about to be made.' });
  const hindrance = surgeHindrance(observed);
  if (settled) {
    const beforehand = hindrance === undefined ? '' : ` Mind that ${hindrance}.`;
    return holds({ reason: 'Complete', message: `The rollout is complete.${beforehand}` });
  }
  if (isUp(context)) {
    const { updated, desired } = rollout.state;
    return holds({ reason: 'RollingOut', message: `${updated} of ${desired} replicas are of the newest template.` });
  }
  return hindrance !== undefined && wasUpdating(observed)
    ? holds({ reason: 'SurgeImpossible', message: `The endpoint is away until the new pod is ready: ${hindrance}.` })
    : holds({ reason: 'Deploying', message: 'The servers start; none of them answers yet.' });
}

/** Whether requests are answered. */
function availabilityOf(context: Context, progressing: Words): Saying {
  const { drain, rollout } = context;
  if (drain.lifecycle !== 'serving') return lacks(leaving(context));
  const { ready = 0, desired = 0 } = rollout.state ?? {};
  if (isUp(context)) {
    const counts = `${ready} of ${desired} replicas are ready.`;
    if (ready >= desired) return holds({ reason: 'Available', message: counts });
    return holds({
      reason: 'Degraded',
      message: rollout.diagnosis ? `${counts} ${rollout.diagnosis.message}` : counts,
    });
  }
  if (rollout.state && desired === 0) {
    return lacks({ reason: 'ScaledToZero', message: 'There are 0 replicas, as asked. Scale it up to be served.' });
  }
  return lacks(progressing);
}

/** Whether what was asked for is what there is. */
function readinessOf(context: Context, progressing: Words, available: Words, scaling: Saying | undefined): Saying {
  const { observed, template } = context;
  if (progressing.reason !== 'Complete') return lacks(progressing);
  if (available.reason !== 'Available') return lacks(available);
  const credentials = missingCredentials(observed);
  const found = [
    ...essentialFailures(observed),
    ...otherFailures(observed),
    ...missingExtensions(observed),
    ...missingReferences(observed, template),
    ...(credentials ? [credentials] : []),
    ...resizeFailure(observed),
  ];
  const others = found.length > 0 ? found : earlierOf(context, 'Ready');
  const warnings = [...others, ...scalingFinding(scaling, others)];
  const [first] = warnings;
  if (first) return lacks({ reason: first.reason, message: warnings.map(({ message }) => message).join(' ') });
  return holds({ reason: 'Ready', message: 'The service is ready.' });
}

/** What a condition said before, where it is too soon to take it back. */
function earlierOf({ observed, template }: Context, type: string): readonly Diagnosis[] {
  const earlier = carriedOver(observed.snapshot, type, [
    ...referenceQueries(observed, template),
    ...extensionQueries(observed),
  ]);
  return earlier ? [earlier] : [];
}

/** Whether nothing is under way: the newest template runs everywhere, and answers if it should. */
function isSettled(context: Context): boolean {
  const { observed, weights, rollout, template } = context;
  const isWanted = rollout.state !== undefined && rollout.state.desired > 0;
  const isLast = template === observed.spec && !observed.servers.some((pod) => mountsOther(pod, observed.spec.model));
  const isFetched = weights.ready && weights.awaited === undefined;
  return isFetched && isLast && rollout.complete && (!isWanted || isUp(context));
}

/** Whether the endpoint answers. */
const isUp = ({ observed, rollout }: Context): boolean =>
  observed.service !== undefined && (rollout.state?.ready ?? 0) > 0;

/** Whether an update was under way, or has just been asked for, when last looked; else this is its first life. */
function wasUpdating({ status, snapshot }: Observed): boolean {
  const reason = conditionOf(status.conditions, 'Progressing')?.reason;
  const wasUp = conditionOf(status.conditions, 'Available')?.status === 'True';
  const isNew = status.observedGeneration !== snapshot.resource.metadata.generation;
  return reason === 'SurgeImpossible' || reason === 'RollingOut' || (wasUp && (isNew || reason !== 'Complete'));
}

function leaving({ observed, drain, held }: Context): Words {
  const { spec, snapshot } = observed;
  const where = spec.successor === undefined ? '' : ` Its users should go to ${spec.successor}.`;
  const trouble = snapshot.failures.map(({ message }) => ` ${message}.`).join('');
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

const verdict = (type: string, held: boolean, { reason, message }: Words): BareCondition => ({
  type,
  status: held ? 'True' : 'False',
  reason,
  message,
});

const holds = ({ reason, message }: Words): Saying => ({ status: 'True', reason, message });
const lacks = ({ reason, message }: Words): Saying => ({ status: 'False', reason, message });
const fails = ({ reason, message }: Diagnosis): Saying => lacks({ reason, message });
