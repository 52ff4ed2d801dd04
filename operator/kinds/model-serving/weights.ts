import { isInEngineImage } from '../../../constructs/model-serving/blueprint.ts';
import { PERMANENT_EXIT_CODES } from '../../../constructs/parts/weights/layout.ts';
import { SERVER } from '../../../constructs/model-serving/equipment.ts';
import type { ModelServingStatus } from '../../../constructs/model-serving/spec.ts';
import { smallest } from '../../../constructs/parts/extremes.ts';
import { instant, timestamp } from '../../engine/conditions.ts';
import type { Ask } from '../../engine/asks.ts';
import type { ContainerEnd, ObservedChild, ObservedPod } from '../../engine/observed.ts';
import { diagnosePod } from '../shared/diagnosis.ts';
import { lastFailure } from '../shared/ends.ts';
import { because } from '../shared/finding.ts';
import type { Finding } from '../shared/finding.ts';
import { nodeAsks, outlookOf } from '../shared/nodes.ts';
import { REFUSAL_MS, refusalAsk, refusalOf } from '../shared/refused-pods.ts';
import { claimState, jobState } from '../shared/slices.ts';
import { standing } from '../shared/standing.ts';
import { progressAsks, progressOf, retryingOf } from './progress.ts';
import { credentialAsks, credentialsChanged, missingCredentials } from './references.ts';
import { FETCH_CONTAINER, containerOf, isOfJob, mounts } from './view.ts';
import type { View } from './view.ts';

/** The field that says what the pod of a fetch asks for. */
const ASKED = 'fetcher.resources';
/** After how long a failed download is tried again. */
const RETRY_MS = 10 * 60_000;
/** How long a volume may be pending before it is told: provisioners take seconds, and a minute when they are slow. */
const BINDING_MS = 2 * 60_000;
/** How long a Job may be without a pod before it is told: the Job controller makes it within a second. */
const POD_MS = 60_000;
/** How long another container may outlive the fetch before it is told: a mesh's proxy that ends with it takes seconds. */
const HELD_MS = 60_000;
/** After how many failures in a row an init container's download counts as failed: the kubelet then waits minutes. */
const ATTEMPTS = 5;

/** Where the weights of `spec` are. */
export interface Weights {
  readonly ready: boolean;
  /** The reason and message of WeightsReady. */
  readonly reason: string;
  readonly message: string;
  /** What keeps them from coming, where something does. */
  readonly finding?: Finding;
  readonly progress: NonNullable<ModelServingStatus['weights']>;
  readonly asks: readonly Ask[];
  /** Whether the failed Job is to be made anew. */
  readonly retry: boolean;
  readonly wakeAt?: number;
}

type State = Omit<Weights, 'progress' | 'asks' | 'retry'> & { readonly retry?: boolean };

export function weightsOf(view: View, now: number): Weights {
  const carriers = carriersOf(view);
  const state = goneState(view) ?? stateOf(view, carriers, now);
  const leastSize = view.claim && claimState(view.claim).least;
  const progress = {
    ...progressOf(view, carriers),
    ...(leastSize !== undefined && { leastSize }),
    ...(state.ready && view.claim && { claimUID: view.claim.uid }),
  };
  const lacking = lackingPod(view, carriers);
  const isAsked = lacking !== undefined && now >= lacking.createdAt + REFUSAL_MS;
  const asks = [...progressAsks(view, carriers), ...nodeAsks(carriers), ...(isAsked ? [refusalAsk(lacking)] : [])];
  const times = [state.wakeAt, isAsked ? undefined : lacking && lacking.createdAt + REFUSAL_MS];
  const known = times.filter((time) => time !== undefined);
  // Servers of a changed template wait for a Job of another one, even where the weights are there already.
  const refused = state.ready && lacking ? refusalOf(view.snapshot, lacking, ASKED) : undefined;
  return {
    retry: false,
    ...state,
    ...(refused && { finding: refused }),
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
  if (mode === 'server') return servers.filter((pod) => mounts(pod, spec.model.uri));
  return fetchers.filter((pod) => jobs.some((job) => isOfJob(pod, job)));
}

/** What was on a volume goes with it, whatever was fetched onto it. */
function goneState({ mode, claim, leavingClaim, jobs }: View): State | undefined {
  if (mode !== 'job' && mode !== 'server') return undefined;
  if (leavingClaim) {
    return {
      ...waiting(
        'VolumePending',
        `Volume ${leavingClaim.name} is being deleted. Once no pod uses it, it is made anew, and the weights are fetched again.`,
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

function stateOf(view: View, carriers: readonly ObservedPod[], now: number): State {
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

function jobFetches(view: View, carriers: readonly ObservedPod[], now: number): State {
  const [job] = view.jobs;
  if (view.jobs.some((each) => isOnVolume(view, each))) return fetched(view);
  if (job && jobState(job).complete) return { ...starting(view, undefined, now), retry: true };
  const failed = job && jobState(job).failed;
  if (job && failed) return failedFor(view, carriers, failed, now);
  if (wasFetched(view)) return fetched(view);
  const pod = carriers.find((each) => job && isOfJob(each, job));
  return pod ? fetching(view, pod, carriers, now) : starting(view, job, now);
}

function serverFetches(view: View, carriers: readonly ObservedPod[], now: number): State {
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

/** A fetcher has its pod: it runs, is about to, runs again after a failure, or something keeps it from running. */
function fetching(view: View, pod: ObservedPod, carriers: readonly ObservedPod[], now: number): State {
  const container = containerOf(pod, FETCH_CONTAINER);
  const cause = container?.running && retryingOf(view, pod);
  if (cause !== undefined) {
    return waiting(
      'DownloadRetrying',
      `The download of ${view.spec.model.uri} does not get on${because(cause)}. It is being tried again; what arrived is kept.`,
    );
  }
  const end = carriers.map(failureOf).find((each) => each !== undefined);
  if (end) return waiting('DownloadRetrying', `${told(view, end)} It is being tried again; what arrived is kept.`);
  const held = heldBy(pod, now);
  if (held) return held;
  if (container?.running !== undefined || container?.terminated !== undefined) {
    return waiting('Downloading', `${view.spec.model.uri} is being downloaded; status.weights says how far it is.`);
  }
  // A Job's pod asks for no GPU, but for the nodes of the server.
  const outlook = outlookOf(view.snapshot, carriers, now);
  const finding = diagnosePod(pod, view.spec.resources, { outlook });
  if (finding === undefined) return starting(view, undefined, now);
  if (finding.reason !== 'VolumeNotBound') {
    return { ...stuck(finding), ...(outlook?.until !== undefined && { wakeAt: outlook.until }) };
  }
  // The scheduler says so of each new volume for a moment: until it is bound, and until the scheduler has heard of it.
  const due = (view.claim?.createdAt ?? 0) + BINDING_MS;
  return now < due ? { ...starting(view, undefined, now), wakeAt: due } : stuck({ ...finding, stuck: true });
}

/** The fetch has ended well, and another container of its pod runs on: a Job is complete once all have ended. */
function heldBy({ name, containers }: ObservedPod, now: number): State | undefined {
  const { terminated } = containers.find((each) => each.name === FETCH_CONTAINER) ?? {};
  const other = containers.find((each) => !each.init && each.name !== FETCH_CONTAINER && each.running);
  if (terminated?.exitCode !== 0 || !other) return undefined;
  const due = (instant(terminated.finishedAt) ?? 0) + HELD_MS;
  if (now < due)
    return { ...waiting('Downloading', 'The download is complete; its pod is about to end.'), wakeAt: due };
  return stuck({
    reason: 'FetchHeld',
    message: `The weights are there, but container ${other.name} runs on in pod ${name}, so that its Job is not complete. Whoever adds it must make it a native sidecar, or leave the pod alone: a mesh goes by podTemplate.metadata, for instance sidecar.istio.io/inject: "false".`,
    stuck: true,
  });
}

/** No fetcher runs yet. */
function starting({ claim, spec, snapshot }: View, job: ObservedChild | undefined, now: number): State {
  // A volume may wait for the pod, so this comes first.
  const refused = job && (refusalOf(snapshot, job, ASKED) ?? standing(snapshot, 'WeightsReady', [refusalAsk(job)]));
  if (refused) return stuck(refused);
  const state = claim && claimState(claim);
  if (claim && state && !state.bound) {
    if (state.storageClassName === undefined) {
      return stuck({
        reason: 'VolumeNotBound',
        message: `Volume ${claim.name} has no storage class, and the cluster has no default. Name one in storage.storageClassName, or mark one as the default.`,
        stuck: true,
      });
    }
    const due = claim.createdAt + BINDING_MS;
    if (now < due) {
      return {
        ...waiting(
          'VolumePending',
          `Volume ${claim.name} is not bound yet; many storage classes wait for the first pod.`,
        ),
        wakeAt: due,
      };
    }
    return stuck({
      reason: 'VolumeNotBound',
      message: `Volume ${claim.name} of storage class ${state.storageClassName} is not bound yet. Check that the class exists and has room: kubectl describe pvc ${claim.name}.`,
      stuck: true,
    });
  }
  if (job && now >= job.createdAt + POD_MS) {
    return stuck({
      reason: 'PodNotCreated',
      message: `Job ${job.name} has no pod. A quota or an admission policy of the namespace may refuse it: kubectl describe job ${job.name}.`,
      stuck: true,
    });
  }
  return {
    ...waiting('FetchPending', `The download of ${spec.model.uri} is about to start.`),
    ...(job && { wakeAt: job.createdAt + POD_MS }),
  };
}

function failedFor(
  view: View,
  carriers: readonly ObservedPod[],
  failed: NonNullable<ReturnType<typeof jobState>['failed']>,
  now: number,
): State {
  const end = carriers.map(failureOf).find((each) => each !== undefined);
  const due = (instant(failed.lastTransitionTime) ?? now) + RETRY_MS;
  const what = end
    ? told(view, end)
    : `The download of ${view.spec.model.uri} failed (${failed.reason})${because(failed.message)}.`;
  const secret = view.spec.model.credentials?.secretName;
  const sooner = secret === undefined ? '' : `, or within a minute once Secret ${secret} changes`;
  return {
    ...failedWith(view, `${what} It is tried again at ${timestamp(due)}${sooner}.`),
    ...(now < due ? { wakeAt: due, retry: credentialsChanged(view) } : { retry: true }),
  };
}

/** A download that failed for want of its credentials is told as that. */
function failedWith(view: View, message: string): State {
  const missing = missingCredentials(view);
  if (missing) return stuck({ ...missing, message: `${missing.message} ${message}` });
  return stuck(
    standing(view.snapshot, 'WeightsReady', credentialAsks(view)) ?? {
      reason: 'DownloadFailed',
      message: `${message} What arrived is kept.`,
      stuck: true,
    },
  );
}

/**
 * Whether these weights were there when last looked: what is on a volume stays there, whatever becomes of the fetcher.
 * A volume made since is another one. The condition does not tell: it may have been true of other weights.
 */
export const wasFetched = ({ claim, spec, status: { weights } }: View): boolean =>
  claim !== undefined && weights?.uri === spec.model.uri && weights.claimUID === claim.uid;

/** Whether a Job has fetched the weights onto the volume that there is, and not onto an earlier one of its name. */
function isOnVolume({ claim }: View, job: ObservedChild): boolean {
  const { complete } = jobState(job);
  if (!complete) return false;
  const at = instant(complete.lastTransitionTime);
  return claim === undefined || at === undefined || at >= claim.createdAt;
}

const failureOf = (pod: ObservedPod): ContainerEnd | undefined => {
  const container = containerOf(pod, FETCH_CONTAINER);
  return container && lastFailure(container);
};

const isPermanent = ({ exitCode }: ContainerEnd): boolean => PERMANENT_EXIT_CODES.includes(exitCode);

const told = ({ spec }: Pick<View, 'spec'>, { exitCode, message }: ContainerEnd): string =>
  `The download of ${spec.model.uri} failed with exit code ${exitCode}${because(message)}.`;

const fetched = ({ spec }: View): State => there('Fetched', `${spec.model.uri} is complete on its volume.`);

const there = (reason: string, message: string): State => ({ ready: true, reason, message });

const waiting = (reason: string, message: string): State => ({ ready: false, reason, message });

const stuck = (finding: Finding): State => ({
  ready: false,
  reason: finding.reason,
  message: finding.message,
  finding,
});
