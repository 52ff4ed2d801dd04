import type { ModelServingSpec } from '../../../constructs/model-serving/spec.ts';
import { isGrouped } from '../../../constructs/model-serving/launch.ts';
import { nodesOf } from '../../../constructs/model-serving/launch.ts';
import { conditionOf } from '../../engine/api/index.ts';
import type { BareCondition, ObservedPod } from '../../engine/api/index.ts';
import { falseCondition, trueCondition } from '../shared/conditions.ts';
import { rolloutInWords, rolloutOf as rolloutOfPods } from '../shared/rollout.ts';
import type { Rollout } from '../shared/rollout.ts';
import { newestFirst } from '../shared/order.ts';
import type { Circumstances, Context, Part } from './context.ts';
import { restartDiagnosis } from './groups.ts';
import { stateOf } from './standing.ts';
import { FETCH_CONTAINER, mountsOther } from './observed.ts';
import type { Observed } from './observed.ts';
import { earlierDiagnoses, missingPullSecrets, missingReferences } from './references.ts';
import { leaving } from './retirement.ts';
import { isUp } from './serving.ts';
import { imagesInUse, pinnedImages, servedSpec, waitsForGroup } from './template.ts';
import { essentialFailures } from './trouble.ts';

/** The servers come to be of the newest template, one after the other. */
export function rollOut(context: Context): Part {
  const { observed, drain, earlier, template, rollout, standing, progressing } = context;
  const images = pinnedImages(observed, template);
  const engine = imagesInUse(observed, template, drain);
  const served = standing ? { spec: standing.spec } : servedSpec(observed, earlier, drain);
  return {
    state: {
      ...(earlier && { serving: earlier }),
      ...(standing && { standing: standing.spec }),
      ...(Object.keys(images).length > 0 && { images }),
    },
    status: {
      ...(engine && { engine }),
      ...(served && { served }),
      ...(observed.leaderWorkerSet && drain.lifecycle !== 'retired' && { groups: observed.groupStatuses }),
    },
    conditions: [progressing],
    queries: drain.lifecycle === 'retired' ? [] : rollout.queries,
  };
}

/**
 * How the servers stand.
 *
 * @param template - the spec that they are made from
 * @param weights - as long as they are not there, a fetch that fails in a server's pod is their affair: it continues when it
 *   is started again, and so is no crash loop of the server
 */
export const rolloutOf = (
  observed: Observed,
  template: ModelServingSpec,
  weights: Pick<Circumstances['weights'], 'ready'>,
): Rollout => {
  const pods = newestFirst([...observed.servers, ...observed.workers]);
  return rolloutOfPods({
    state: stateOf(observed, template),
    pods: weights.ready ? pods : pods.map(withoutFetch),
    asked: template.resources,
    missing: missingReferences(observed, template),
    missingPullSecrets: missingPullSecrets(observed),
    surges: observed.spec.rollout?.maxSurge !== 0 && surgeHindrance(observed) === undefined,
    answers: observed.snapshot.answers,
    otherwise: isGrouped(template) ? restartDiagnosis(observed.groups, observed.groupStatuses) : undefined,
  });
};

const withoutFetch = (pod: ObservedPod): ObservedPod => ({
  ...pod,
  containers: pod.containers.filter(({ name }) => name !== FETCH_CONTAINER),
});

/** Progressing. True: on its way, or there. False: stuck. */
export function progressingOf(context: Circumstances): BareCondition {
  const { observed, weights, rollout, drain, template } = context;
  if (drain.lifecycle !== 'serving') return trueCondition('Progressing', leaving(context));
  const settled = isSettled(context);
  const diagnoses = [
    ...essentialFailures(observed).filter(({ stuck }) => stuck),
    ...(weights.diagnosis ? [weights.diagnosis] : []),
    ...(rollout.diagnosis && !settled ? [rollout.diagnosis] : []),
    ...(settled ? [] : earlierDiagnoses(observed, template, 'Progressing')),
  ];
  const stuck = diagnoses.find((diagnosis) => diagnosis.stuck);
  if (stuck) return falseCondition('Progressing', stuck);
  const [waiting] = diagnoses;
  if (waiting) return goesOn(waiting.reason, waiting.message);
  const fetch = weights.ready ? weights.awaited : weights;
  if (fetch) {
    const meanwhile = isUp(context) ? ' Meanwhile the servers that there are serve on.' : '';
    return goesOn('FetchingWeights', `${fetch.message}${meanwhile}`);
  }
  if (!rollout.state)
    return goesOn('Pending', `The ${isGrouped(template) ? 'LeaderWorkerSet' : 'Deployment'} is about to be made.`);
  const hindrance = surgeHindrance(observed);
  if (settled) {
    const beforehand = hindrance === undefined ? '' : ` Mind that ${hindrance}.`;
    return goesOn('Complete', `The rollout is complete.${beforehand}`);
  }
  if (context.standing) {
    const { ready, desired } = rollout.state;
    const shape = isGrouped(template) ? `${nodesOf(template)} pods each` : 'one pod each';
    return goesOn(
      'RollingOut',
      `${ready} of ${desired} replicas of ${shape} are ready; those of the earlier kind run until all are.`,
    );
  }
  if (isUp(context)) {
    const waits = template !== observed.spec && waitsForGroup(observed, template) ? WAITS_FOR_GROUP : '';
    return goesOn('RollingOut', `${rolloutInWords(rollout.state)}${waits}`);
  }
  return hindrance !== undefined && wasUpdating(observed)
    ? goesOn('SurgeImpossible', `The endpoint is away until the new pod is ready: ${hindrance}.`)
    : goesOn('Deploying', 'The servers start; none of them answers yet.');
}

/** Told of a change that waits, with the way past it. */
const WAITS_FOR_GROUP =
  ' The last change waits for the replica that is being replaced, so that none is missing; with rollout.maxUnavailable: 1 it does not wait.';

const goesOn = (reason: string, message: string): BareCondition => trueCondition('Progressing', { reason, message });

/** Whether nothing is under way: the newest template runs everywhere, and answers if it should. */
function isSettled(context: Circumstances): boolean {
  const { observed, weights, rollout, standing, template } = context;
  const isWanted = rollout.state !== undefined && rollout.state.desired > 0;
  const isLast = template === observed.spec && !observed.servers.some((pod) => mountsOther(pod, observed.spec.model));
  const isFetched = weights.ready && weights.awaited === undefined;
  return standing === undefined && isFetched && isLast && rollout.complete && (!isWanted || isUp(context));
}

/** Whether an update was under way, or has just been asked for, when last looked; else this is its first life. */
function wasUpdating({ status, snapshot }: Observed): boolean {
  const reason = conditionOf(status.conditions, 'Progressing')?.reason;
  const wasUp = conditionOf(status.conditions, 'Available')?.status === 'True';
  const isNew = status.observedGeneration !== snapshot.resource.metadata.generation;
  return reason === 'SurgeImpossible' || reason === 'RollingOut' || (wasUp && (isNew || reason !== 'Complete'));
}

/** Why no replica can be added before an old one stops; undefined where one can. */
function surgeHindrance({ mode, servers, spec }: Observed): string | undefined {
  if (spec.rollout?.maxSurge === 0 && servers.length <= 1) {
    return 'rollout.maxSurge is 0, so a change stops the only server before the new one starts';
  }
  // Another model has a volume of its own.
  if (mode !== 'server' || servers.some((pod) => mountsOther(pod, spec.model))) return undefined;
  return 'one node alone may mount a ReadWriteOnce volume, so a change that keeps the model stops the server before the new one starts';
}
