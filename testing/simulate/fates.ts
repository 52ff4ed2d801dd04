import { nameOf } from '../../operator/engine/api/index.ts';
import type { Resource } from '../../operator/engine/api/index.ts';
import type { KubeObject } from '../../operator/kube/index.ts';
import { failedStatus, podSourceOf, podStatus, podsFor, readyStatus, startedStatus } from './controllers/index.ts';
import type { Cause, PodFate } from './controllers/index.ts';
import { SimulationError } from './errors.ts';
import { shortName } from './names.ts';
import { namedOf } from './server/index.ts';
import { CONTROLLER, type World } from './world.ts';

const isPod = ({ apiVersion, kind }: KubeObject): boolean => apiVersion === 'v1' && kind === 'Pod';

const isJob = ({ kind, apiVersion }: KubeObject): boolean => kind === 'Job' && apiVersion.startsWith('batch/');

/**
 * An object becomes as its spec says: its controller has done its work, and its pods are there.
 *
 * @throws SimulationError where the engine does not take it for ready then
 */
export function makeReady<R extends Resource>(world: World<R>, object: KubeObject): void {
  if (isPod(object)) {
    world.report(object, podStatus(object, { type: 'running' }, world.now));
    return;
  }
  makePods(world, object, isJob(object) ? { type: 'succeeded' } : { type: 'running' });
  const status = readyStatus(object, world.now);
  if (status !== undefined) world.report(object, { ...keptOf(object), ...status });
  const live = world.server.find(namedOf(object));
  if (live === undefined || world.observe(live).ready) return;
  throw new SimulationError(
    `nothing here knows when ${shortName(object)} is ready: give it the status that its rule asks for, as in life.become('${shortName(object)}', { status: { … } })`,
  );
}

/**
 * A workload starts: its pods run, and are not ready.
 *
 * @throws SimulationError where an object makes no pods
 */
export function makeStart<R extends Resource>(world: World<R>, object: KubeObject): void {
  if (isPod(object)) {
    world.report(object, podStatus(object, { type: 'starting' }, world.now));
    return;
  }
  const status = startedStatus(object, world.now);
  if (status === undefined) {
    throw new SimulationError(`${shortName(object)} makes no pods, so it can't start: a workload and a pod can`);
  }
  makePods(world, object, { type: 'starting' });
  world.report(object, status);
}

/**
 * An object fails, and its pods with it.
 *
 * @throws SimulationError where objects of its type can't fail
 */
export function makeFail<R extends Resource>(world: World<R>, object: KubeObject, cause: Cause): void {
  const { reason = 'Error', message = '', exitCode = 1 } = cause;
  const type = isStartedAgain(object) ? 'crashing' : 'failed';
  const fate: PodFate = { type, reason, message, exitCode };
  if (isPod(object)) {
    world.report(object, podStatus(object, fate, world.now));
    return;
  }
  const status = failedStatus(object, cause, world.now);
  if (status === undefined) {
    throw new SimulationError(
      `nothing here knows how ${nameOf({ kind: object.kind, name: object.metadata.name })} fails: give it the status that tells it, as in life.become('${shortName(object)}', { status: { … } })`,
    );
  }
  makePods(world, object, fate);
  world.report(object, { ...keptOf(object), ...status });
}

/** What stays of a status: that of a workload is told as a whole, while others have fields of which nobody here knows. */
const keptOf = (object: KubeObject): object =>
  podSourceOf(object) === undefined ? ((object['status'] as object | undefined) ?? {}) : {};

/** Whether the containers of its pods, or of itself, are started again when they end. */
function isStartedAgain(object: KubeObject): boolean {
  if (!isPod(object)) return !isJob(object);
  const { restartPolicy = 'Always' } = (object['spec'] ?? {}) as { readonly restartPolicy?: string };
  return restartPolicy === 'Always';
}

/** Makes the pods of a workload by its present template, removes all others of it, and lets them be as they are to be. */
function makePods<R extends Resource>(world: World<R>, object: KubeObject, fate: PodFate): void {
  if (podSourceOf(object) === undefined) return;
  const wanted = podsFor(object);
  const names = new Set(wanted.map(({ metadata }) => metadata.name));
  const { uid } = object.metadata;
  const present = world.server.objects.filter(
    (other) => isPod(other) && other.metadata.ownerReferences?.some((owner) => owner.uid === uid) === true,
  );
  for (const pod of present) if (!names.has(pod.metadata.name)) world.remove(pod);
  for (const body of wanted) {
    const pod = world.server.find(namedOf(body)) ?? world.create(body, CONTROLLER);
    world.report(pod, podStatus(pod, fate, world.now));
  }
}
