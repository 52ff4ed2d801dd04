import { isInEngineImage } from '../../../constructs/model-serving/render-input.ts';
import { smallest } from '../../../constructs/parts/values/index.ts';
import type { ObservedChild, ObservedPod } from '../../engine/api/index.ts';
import { falseCondition, trueCondition } from '../shared/conditions.ts';
import { nodeQueries } from '../shared/nodes.ts';
import { REFUSAL_MS, refusalQuery } from '../shared/refused-pods.ts';
import { claimState, jobState } from '../shared/slices.ts';
import type { Context, Part } from './context.ts';
import { jobFetches, nextFetch, serverFetches } from './fetch.ts';
import { isOfJob, mounts } from './observed.ts';
import type { Observed } from './observed.ts';
import { progressOf, progressQueries } from './progress.ts';
import { stuck, there, waiting } from './weights-state.ts';
import type { Weights, WeightsState } from './weights-state.ts';
import { isOnVolume } from './weights-volume.ts';

/** The weights come onto their volume, unless they are there. */
export function fetchWeights({ weights, drain }: Context): Part {
  const part = {
    status: { weights: weights.progress },
    conditions: [weights.ready ? trueCondition('WeightsReady', weights) : falseCondition('WeightsReady', weights)],
  };
  if (drain.lifecycle === 'retired') return part;
  return {
    ...part,
    queries: weights.queries,
    ...(weights.retry && drain.lifecycle === 'serving' && { replace: ['fetch'] }),
    ...(weights.requeueAt !== undefined && { requeueAt: weights.requeueAt }),
  };
}

/** Where the weights are, and how the fetch of those that are not there stands. */
export function weightsOf(observed: Observed, now: number): Weights {
  const carriers = carriersOf(observed);
  const state = goneState(observed) ?? stateOf(observed, carriers, now);
  const next = state.ready ? nextFetch(observed, carriers, now) : undefined;
  // One Job alone was created again: as long as nothing is the matter with it, nobody waits for it.
  const isAwaited =
    next !== undefined && (next.diagnosis !== undefined || observed.jobs.some((job) => isOnVolume(observed, job)));
  const leastSize = observed.claim && claimState(observed.claim).least;
  const progress = {
    ...progressOf(observed, carriers),
    ...(leastSize !== undefined && { leastSize }),
    ...(state.ready && observed.claim && { claimUID: observed.claim.uid }),
  };
  const lacking = lackingPod(observed, carriers);
  const isAsked = lacking !== undefined && now >= lacking.createdAt + REFUSAL_MS;
  const queries = [
    ...progressQueries(observed, carriers),
    ...nodeQueries(carriers),
    ...(isAsked ? [refusalQuery(lacking)] : []),
  ];
  const times = [state.requeueAt, next?.requeueAt, isAsked ? undefined : lacking && lacking.createdAt + REFUSAL_MS];
  const known = times.filter((time) => time !== undefined);
  return {
    ...state,
    retry: state.retry === true || next?.retry === true,
    ...(next?.diagnosis && { diagnosis: next.diagnosis }),
    ...(isAwaited && { awaited: { reason: next.reason, message: next.message } }),
    progress,
    queries,
    ...(known.length > 0 && { requeueAt: smallest(known) }),
  };
}

/** The Job that is to fetch and has no pod. */
function lackingPod({ mode, jobs: [job] }: Observed, carriers: readonly ObservedPod[]): ObservedChild | undefined {
  if (mode !== 'job' || !job || jobState(job).ending) return undefined;
  return carriers.some((pod) => isOfJob(pod, job)) ? undefined : job;
}

/** The pods in which the weights of `spec` are fetched. */
function carriersOf({ mode, jobs, fetchers, servers, spec }: Observed): readonly ObservedPod[] {
  if (mode === 'server') return servers.filter((pod) => mounts(pod, spec.model));
  return fetchers.filter((pod) => jobs.some((job) => isOfJob(pod, job)));
}

/** What was on a volume goes with it, whatever was fetched onto it. */
function goneState({ mode, claim, leavingClaim, jobs }: Observed): WeightsState | undefined {
  if (mode !== 'job' && mode !== 'server') return undefined;
  if (leavingClaim) {
    return {
      ...waiting(
        'VolumePending',
        `Volume ${leavingClaim.name} is being deleted. Once no pod uses it, it is created again, and the weights are fetched again.`,
      ),
      // The pods of a Job that has ended use it too.
      retry: jobs.map(jobState).some(({ complete, failed }) => complete !== undefined || failed !== undefined),
    };
  }
  if (!claim || !claimState(claim).lost) return undefined;
  return stuck({
    reason: 'VolumeLost',
    message: `Volume ${claim.name} has lost the PersistentVolume that it was bound to, and what was on it. Bring that back, or have the weights fetched again onto another: kubectl delete pvc ${claim.name}. It goes once no server uses it.`,
    stuck: true,
  });
}

function stateOf(observed: Observed, carriers: readonly ObservedPod[], now: number): WeightsState {
  const { uri } = observed.spec.model;
  switch (observed.mode) {
    case 'claim':
      return there('ExistingClaim', `The weights are taken from ${uri}; nothing is fetched.`);
    case 'image':
      return isInEngineImage(observed.spec)
        ? there('InEngineImage', `The weights are in ${uri}, which is the image of the engine; nothing is fetched.`)
        : there('ImageVolume', `The weights are mounted from ${uri}; nothing is fetched.`);
    case 'job':
      return jobFetches(observed, carriers, now);
    case 'server':
      return serverFetches(observed, carriers, now);
  }
}
