import { isInEngineImage } from '../../../constructs/model-serving/render-input.ts';
import { SERVER } from '../../../constructs/model-serving/equipment.ts';
import { smallest } from '../../../constructs/parts/values/index.ts';
import type { ObservedChild, ObservedPod } from '../../engine/api/index.ts';
import { lastFailure } from '../shared/ends.ts';
import { nodeQueries } from '../shared/nodes.ts';
import { REFUSAL_MS, refusalQuery } from '../shared/refused-pods.ts';
import { claimState, jobState } from '../shared/slices.ts';
import { failedFor, failedWith, isPermanent, told } from './fetch-failed.ts';
import { starting } from './fetch-starting.ts';
import { fetching } from './fetching.ts';
import { progressQueries, progressOf } from './progress.ts';
import { FETCH_CONTAINER, containerOf, isOfJob, mounts } from './observed.ts';
import type { Observed } from './observed.ts';
import { fetched, there } from './weights-state.ts';
import type { Weights, WeightsState } from './weights-state.ts';
import { goneState, isOnVolume, wasFetched } from './weights-volume.ts';

/** After how many failures in a row an init container's download counts as failed: the kubelet then waits minutes. */
const ATTEMPTS = 5;

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

function jobFetches(observed: Observed, carriers: readonly ObservedPod[], now: number): WeightsState {
  const [job] = observed.jobs;
  if (observed.jobs.some((each) => isOnVolume(observed, each))) return fetched(observed);
  if (job && jobState(job).complete) return { ...starting(observed, undefined, now), retry: true };
  return wasFetched(observed) ? fetched(observed) : newestFetch(observed, carriers, now);
}

/**
 * The fetch that servers of a changed template wait for, though the weights are there: a Job's name has a hash of its
 * template, so a change of credentials or of where pods may run makes another one. It finds the weights and ends at once,
 * if it can start.
 */
function nextFetch(observed: Observed, carriers: readonly ObservedPod[], now: number): WeightsState | undefined {
  const [job] = observed.jobs;
  if (observed.mode !== 'job' || !job || jobState(job).complete) return undefined;
  return newestFetch(observed, carriers, now);
}

/** How it stands with the newest Job, and with no pod of an earlier one. */
function newestFetch(observed: Observed, carriers: readonly ObservedPod[], now: number): WeightsState {
  const [job] = observed.jobs;
  if (!job) return starting(observed, undefined, now);
  const pods = carriers.filter((pod) => isOfJob(pod, job));
  const { failed } = jobState(job);
  if (failed) return failedFor(observed, pods, failed, now);
  const [pod] = pods;
  return pod ? fetching(observed, pod, pods, now) : starting(observed, job, now);
}

function serverFetches(observed: Observed, carriers: readonly ObservedPod[], now: number): WeightsState {
  const done = (pod: ObservedPod) =>
    containerOf(pod, FETCH_CONTAINER)?.terminated?.exitCode === 0 || containerOf(pod, SERVER)?.ready === true;
  if (carriers.some(done) || wasFetched(observed)) return fetched(observed);
  const [pod] = carriers;
  if (!pod) return starting(observed, undefined, now);
  const container = containerOf(pod, FETCH_CONTAINER);
  const end = container && lastFailure(container);
  if (container && end && (isPermanent(end) || container.restarts >= ATTEMPTS)) {
    return failedWith(
      observed,
      `${told(observed, end)} It is tried again, at growing intervals of up to five minutes.`,
    );
  }
  return fetching(observed, pod, carriers, now);
}
