import { instant } from '../../engine/api/index.ts';
import type { ObservedPod } from '../../engine/api/index.ts';
import { diagnosePod } from '../shared/diagnosis.ts';
import { because } from '../shared/diagnosis-text.ts';
import { outlookOf } from '../shared/nodes.ts';
import type { Accelerators } from '../shared/accelerators.ts';
import { failureOf, told } from './fetch-failed.ts';
import { BINDING_MS, starting } from './fetch-starting.ts';
import { retryingOf } from './progress.ts';
import { FETCH_CONTAINER, containerOf } from './observed.ts';
import type { Observed } from './observed.ts';
import { stuck, waiting } from './weights-state.ts';
import type { WeightsState } from './weights-state.ts';

/** How long another container may outlive the fetch before it is told: a mesh's proxy that ends with it takes seconds. */
const HELD_MS = 60_000;

/** A fetcher has its pod: it runs, is about to, runs again after a failure, or something keeps it from running. */
export function fetching(
  observed: Observed,
  pod: ObservedPod,
  carriers: readonly ObservedPod[],
  now: number,
): WeightsState {
  const container = containerOf(pod, FETCH_CONTAINER);
  const cause = container?.running && retryingOf(observed, pod);
  if (cause !== undefined) {
    return waiting(
      'DownloadRetrying',
      `The download of ${observed.spec.model.uri} does not get on${because(cause)}. It is being tried again; what arrived is kept.`,
    );
  }
  const end = carriers.map(failureOf).find((each) => each !== undefined);
  if (end) return waiting('DownloadRetrying', `${told(observed, end)} It is being tried again; what arrived is kept.`);
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
