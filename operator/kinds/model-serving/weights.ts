import { isInEngineImage } from '../../../constructs/model-serving/blueprint.ts';
import { SERVER } from '../../../constructs/model-serving/equipment.ts';
import { smallest } from '../../../constructs/parts/extremes.ts';
import type { ObservedChild, ObservedPod } from '../../engine/observed.ts';
import { lastFailure } from '../shared/ends.ts';
import { nodeAsks } from '../shared/nodes.ts';
import { REFUSAL_MS, refusalAsk } from '../shared/refused-pods.ts';
import { claimState, jobState } from '../shared/slices.ts';
import { failedFor, failedWith, isPermanent, told } from './fetch-failed.ts';
import { starting } from './fetch-starting.ts';
import { fetching } from './fetching.ts';
import { progressAsks, progressOf } from './progress.ts';
import { FETCH_CONTAINER, containerOf, isOfJob, mounts } from './view.ts';
import type { View } from './view.ts';
import { fetched, there } from './weights-state.ts';
import type { Weights, WeightsState } from './weights-state.ts';
import { goneState, isOnVolume, wasFetched } from './weights-volume.ts';

/** After how many failures in a row an init container's download counts as failed: the kubelet then waits minutes. */
const ATTEMPTS = 5;

export function weightsOf(view: View, now: number): Weights {
  const carriers = carriersOf(view);
  const state = goneState(view) ?? stateOf(view, carriers, now);
  const next = state.ready ? nextFetch(view, carriers, now) : undefined;
  // One Job alone was made anew: as long as nothing is the matter with it, nobody waits for it.
  const isAwaited =
    next !== undefined && (next.finding !== undefined || view.jobs.some((job) => isOnVolume(view, job)));
  const leastSize = view.claim && claimState(view.claim).least;
  const progress = {
    ...progressOf(view, carriers),
    ...(leastSize !== undefined && { leastSize }),
    ...(state.ready && view.claim && { claimUID: view.claim.uid }),
  };
  const lacking = lackingPod(view, carriers);
  const isAsked = lacking !== undefined && now >= lacking.createdAt + REFUSAL_MS;
  const asks = [...progressAsks(view, carriers), ...nodeAsks(carriers), ...(isAsked ? [refusalAsk(lacking)] : [])];
  const times = [state.wakeAt, next?.wakeAt, isAsked ? undefined : lacking && lacking.createdAt + REFUSAL_MS];
  const known = times.filter((time) => time !== undefined);
  return {
    ...state,
    retry: state.retry === true || next?.retry === true,
    ...(next?.finding && { finding: next.finding }),
    ...(isAwaited && { awaited: { reason: next.reason, message: next.message } }),
    progress,
    asks,
    ...(known.length > 0 && { wakeAt: smallest(known) }),
  };
}

/** The Job that is to fetch and has no pod. */
function lackingPod({ mode, jobs: [job] }: View, carriers: readonly ObservedPod[]): ObservedChild | undefined {
  if (mode !== 'job' || !job || jobState(job).ending) return undefined;
  return carriers.some((pod) => isOfJob(pod, job)) ? undefined : job;
}

/** The pods in which the weights of `spec` are fetched. */
function carriersOf({ mode, jobs, fetchers, servers, spec }: View): readonly ObservedPod[] {
  if (mode === 'server') return servers.filter((pod) => mounts(pod, spec.model));
  return fetchers.filter((pod) => jobs.some((job) => isOfJob(pod, job)));
}

function stateOf(view: View, carriers: readonly ObservedPod[], now: number): WeightsState {
  const { uri } = view.spec.model;
  switch (view.mode) {
    case 'claim':
      return there('ExistingClaim', `The weights are taken from ${uri}; nothing is fetched.`);
    case 'image':
      return isInEngineImage(view.spec)
        ? there('InEngineImage', `The weights are in ${uri}, which is the image of the engine; nothing is fetched.`)
        : there('ImageVolume', `The weights are mounted from ${uri}; nothing is fetched.`);
    case 'job':
      return jobFetches(view, carriers, now);
    case 'server':
      return serverFetches(view, carriers, now);
  }
}

function jobFetches(view: View, carriers: readonly ObservedPod[], now: number): WeightsState {
  const [job] = view.jobs;
  if (view.jobs.some((each) => isOnVolume(view, each))) return fetched(view);
  if (job && jobState(job).complete) return { ...starting(view, undefined, now), retry: true };
  return wasFetched(view) ? fetched(view) : newestFetch(view, carriers, now);
}

/**
 * The fetch that servers of a changed template wait for, though the weights are there: a Job's name has a hash of its
 * template, so a change of credentials or of where pods may run makes another one. It finds the weights and ends at once,
 * if it can start.
 */
function nextFetch(view: View, carriers: readonly ObservedPod[], now: number): WeightsState | undefined {
  const [job] = view.jobs;
  if (view.mode !== 'job' || !job || jobState(job).complete) return undefined;
  return newestFetch(view, carriers, now);
}

/** How it stands with the newest Job, and with no pod of an earlier one. */
function newestFetch(view: View, carriers: readonly ObservedPod[], now: number): WeightsState {
  const [job] = view.jobs;
  if (!job) return starting(view, undefined, now);
  const pods = carriers.filter((pod) => isOfJob(pod, job));
  const { failed } = jobState(job);
  if (failed) return failedFor(view, pods, failed, now);
  const [pod] = pods;
  return pod ? fetching(view, pod, pods, now) : starting(view, job, now);
}

function serverFetches(view: View, carriers: readonly ObservedPod[], now: number): WeightsState {
  const done = (pod: ObservedPod) =>
    containerOf(pod, FETCH_CONTAINER)?.terminated?.exitCode === 0 || containerOf(pod, SERVER)?.ready === true;
  if (carriers.some(done) || wasFetched(view)) return fetched(view);
  const [pod] = carriers;
  if (!pod) return starting(view, undefined, now);
  const container = containerOf(pod, FETCH_CONTAINER);
  const end = container && lastFailure(container);
  if (container && end && (isPermanent(end) || container.restarts >= ATTEMPTS)) {
    return failedWith(view, `${told(view, end)} It is tried again, at growing intervals of up to five minutes.`);
  }
  return fetching(view, pod, carriers, now);
}
