import { SERVER } from '../../../constructs/model-serving/server-container.ts';
import { PERMANENT_EXIT_CODES } from '../../../constructs/parts/weights/index.ts';
import { instant, timestamp } from '../../engine/api/index.ts';
import type { ContainerEnd, ObservedChild, ObservedPod } from '../../engine/api/index.ts';
import { diagnosePod } from '../shared/diagnosis.ts';
import { because } from '../shared/diagnosis-text.ts';
import { codeOf, lastFailure } from '../shared/ends.ts';
import { outlookOf } from '../shared/nodes.ts';
import { refusalOf, refusalQuery } from '../shared/refused-pods.ts';
import type { Accelerators } from '../shared/accelerators.ts';
import { claimState, jobState } from '../shared/slices.ts';
import { containerOf, FETCH_CONTAINER, isOfJob } from './observed.ts';
import type { Observed } from './observed.ts';
import { retryingOf } from './progress.ts';
import { credentialQueries, credentialsChanged, missingCredentials } from './references.ts';
import { diagnosedBefore, fetched, stuck, waiting } from './weights-state.ts';
import type { WeightsState } from './weights-state.ts';
import { isOnVolume, wasFetched } from './weights-volume.ts';

/** After how many failures in a row an init container's download counts as failed: the kubelet then waits minutes. */
const ATTEMPTS = 5;
/** How long a volume may be pending before it is told: provisioners take seconds, and a minute when they are slow. */
const BINDING_MS = 2 * 60_000;
/** The field that says what the pod of a fetch asks for. */
const FETCHER_RESOURCES = 'fetcher.resources';
/** How long a Job may be without a pod before it is told: the Job controller makes it within a second. */
const POD_MS = 60_000;
/** How long another container may outlive the fetch before it is told: a mesh's proxy that ends with it takes seconds. */
const HELD_MS = 60_000;
/** After how long a failed download is tried again. */
const RETRY_MS = 10 * 60_000;

/** How it stands with weights that a Job fetches. */
export function jobFetches(observed: Observed, carriers: readonly ObservedPod[], now: number): WeightsState {
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
export function nextFetch(observed: Observed, carriers: readonly ObservedPod[], now: number): WeightsState | undefined {
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

/** How it stands with weights that the servers fetch by themselves. */
export function serverFetches(observed: Observed, carriers: readonly ObservedPod[], now: number): WeightsState {
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
      `${failureMessage(observed, end)} It is tried again, at growing intervals of up to five minutes.`,
    );
  }
  return fetching(observed, pod, carriers, now);
}

/** No fetcher runs yet. */
function starting(observed: Observed, job: ObservedChild | undefined, now: number): WeightsState {
  const { claim, spec, snapshot } = observed;
  // A volume may wait for the pod, so this comes first.
  const refused =
    job && (refusalOf(snapshot, job, FETCHER_RESOURCES) ?? diagnosedBefore(observed, [refusalQuery(job)]));
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
        requeueAt: due,
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
    ...(job && { requeueAt: job.createdAt + POD_MS }),
  };
}

/** A fetcher has its pod: it runs, is about to, runs again after a failure, or something keeps it from running. */
function fetching(observed: Observed, pod: ObservedPod, carriers: readonly ObservedPod[], now: number): WeightsState {
  const container = containerOf(pod, FETCH_CONTAINER);
  const cause = container?.running && retryingOf(observed, pod);
  if (cause !== undefined) {
    return waiting(
      'DownloadRetrying',
      `The download of ${observed.spec.model.uri} does not get on${because(cause)}. It is being tried again; what arrived is kept.`,
    );
  }
  const end = carriers.map(failureOf).find((each) => each !== undefined);
  if (end)
    return waiting(
      'DownloadRetrying',
      `${failureMessage(observed, end)} It is being tried again; what arrived is kept.`,
    );
  const held = heldBy(pod, now);
  if (held) return held;
  if (container?.running !== undefined || container?.terminated !== undefined) {
    return waiting('Downloading', `${observed.spec.model.uri} is being downloaded; status.weights says how far it is.`);
  }
  const outlook = outlookOf(observed.snapshot, carriers);
  const diagnosis = diagnosePod(pod, askedBy(observed), { outlook });
  if (diagnosis === undefined) return starting(observed, undefined, now);
  if (diagnosis.reason !== 'VolumeNotBound') return stuck(diagnosis);
  // The scheduler says so of each new volume for a moment: until it is bound, and until the scheduler has learned of it.
  const due = (observed.claim?.createdAt ?? 0) + BINDING_MS;
  return now < due ? { ...starting(observed, undefined, now), requeueAt: due } : stuck({ ...diagnosis, stuck: true });
}

/** A Job's pod asks for no GPU, but for the nodes of the server; its CPU and its memory are its own. */
function askedBy({ mode, spec }: Observed): Accelerators {
  const { gpu, gpuResource, gpuProduct } = spec.resources;
  return mode === 'job' ? { gpu, gpuResource, ...(gpuProduct !== undefined && { gpuProduct }) } : spec.resources;
}

/** The fetch has succeeded, and another container of its pod runs on: a Job is complete once all have ended. */
function heldBy({ name, containers }: ObservedPod, now: number): WeightsState | undefined {
  const { terminated } = containers.find((each) => each.name === FETCH_CONTAINER) ?? {};
  const other = containers.find((each) => !each.init && each.name !== FETCH_CONTAINER && each.running);
  if (terminated?.exitCode !== 0 || !other) return undefined;
  const due = (instant(terminated.finishedAt) ?? 0) + HELD_MS;
  if (now < due)
    return { ...waiting('Downloading', 'The download is complete; its pod is about to end.'), requeueAt: due };
  return stuck({
    reason: 'FetchHeld',
    message: `The weights are there, but container ${other.name} runs on in pod ${name}, so that its Job is not complete. Anyone who adds it must make it a native sidecar, or leave the pod alone: a mesh goes by podTemplate.metadata, for instance sidecar.istio.io/inject: "false".`,
    stuck: true,
  });
}

/** What the Job that fetches failed for, and when it is created again. */
function failedFor(
  observed: Observed,
  carriers: readonly ObservedPod[],
  failed: NonNullable<ReturnType<typeof jobState>['failed']>,
  now: number,
): WeightsState {
  const end = carriers.map(failureOf).find((each) => each !== undefined);
  const due = (instant(failed.lastTransitionTime) ?? now) + RETRY_MS;
  const what = end
    ? failureMessage(observed, end)
    : `The download of ${observed.spec.model.uri} failed (${failed.reason})${because(failed.message)}.`;
  const secret = observed.spec.model.credentials?.secretName;
  const sooner = secret === undefined ? '' : `, or within a minute once Secret ${secret} changes`;
  return {
    ...failedWith(observed, `${what} It is tried again at ${timestamp(due)}${sooner}.`),
    ...(now < due ? { requeueAt: due, retry: credentialsChanged(observed) } : { retry: true }),
  };
}

/** A download that failed for lack of its credentials is told as that. */
function failedWith(observed: Observed, message: string): WeightsState {
  const missing = missingCredentials(observed);
  if (missing) return stuck({ ...missing, message: `${missing.message} ${message}` });
  return stuck(
    diagnosedBefore(observed, credentialQueries(observed)) ?? {
      reason: 'DownloadFailed',
      message: `${message} What arrived is kept.`,
      stuck: true,
    },
  );
}

/** How the fetch in a pod last failed; undefined where it did not, or has succeeded since. */
const failureOf = (pod: ObservedPod): ContainerEnd | undefined => {
  const container = containerOf(pod, FETCH_CONTAINER);
  return container && lastFailure(container);
};

/** Whether no repetition helps. */
const isPermanent = ({ exitCode }: ContainerEnd): boolean => PERMANENT_EXIT_CODES.includes(exitCode);

/** A failure as a sentence. */
const failureMessage = ({ spec }: Pick<Observed, 'spec'>, end: ContainerEnd): string =>
  `The download of ${spec.model.uri} failed with ${codeOf(end)}${because(wordsOf(end))}.`;

/**
 * What the fetcher said of its failure. One that was killed said nothing: then the kubelet has the end of its log, whose lines of
 * JSON tell how far it was, and no cause.
 */
const wordsOf = ({ message }: ContainerEnd): string =>
  message
    .split('\n')
    .filter((line) => !line.startsWith('{'))
    .join('\n');
