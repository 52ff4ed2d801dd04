import { TRUNNION } from '../../operator/trunnion.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { SpecError } from '../../constructs/schema/error.ts';
import type { RenderedChild } from '../../constructs/workload.ts';
import type { Kind, Resource } from '../../operator/engine/api/index.ts';
import { staysFor } from '../../operator/engine/observe/index.ts';
import { isNotFound, type KubeClient, type KubeObject, type ResourceType } from '../../operator/kube/index.ts';
import { CliError } from '../errors.ts';
import { FIELD_MANAGER } from '../kube/client.ts';
import { childTypeOf } from '../kube/types.ts';
import { changedFields, type FieldChange } from '../plan/fields.ts';
import { futureWith } from './adoption.ts';
import { objectsFor, titleOf, wordsFor } from './objects.ts';
import { lettingGo } from './ownership.ts';
import { pause } from './pause.ts';
import { untilUnchanged } from './unchanged.ts';

/** How long the garbage collector may take to see that nothing belongs to a resource. */
const PATIENCE_MS = 60_000;
const POLL_MS = 100;

/** An object that another host would make otherwise than it is. */
export interface Difference {
  /** `Deployment llama` */
  readonly object: string;
  readonly fields: readonly FieldChange[];
}

/** What is let go of, and what a host without the operator would make of it. */
export interface Release {
  /** `ModelServing models/llama` */
  readonly resource: string;
  /** Objects that the operator lets go of. They run on. */
  readonly objects: readonly string[];
  /** What runs, with manifests that change nothing where they are applied. */
  readonly children: readonly RenderedChild[];
  /** What the same spec gives in a program, where that is not what runs. */
  readonly differences: readonly Difference[];
  /**
   * Why the spec can't run in a program.
   *
   * @default - it can
   */
  readonly unfit?: string;
}

/** Plans a release. Nothing is written. */
export async function planRelease(client: KubeClient, kind: Kind, resource: Resource): Promise<Release> {
  const { metadata } = resource;
  if (metadata.deletionTimestamp !== undefined) {
    throw new CliError(`${titleOf(resource)} is being deleted, and its objects with it: it is too late to release it`);
  }
  const found = await objectsFor(client, kind, resource);
  refuseLeaving(resource, found);
  const { rendered } = await futureWith(client, kind, resource, found);
  return {
    resource: titleOf(resource),
    objects: found.filter((object) => lettingGo(object, metadata.uid) !== undefined).map(wordsFor),
    children: rendered,
    ...inProgram(kind, resource, rendered),
  };
}

/** What is being deleted, and stays for pods, would be gone at once, and these would be open to all. */
function refuseLeaving(resource: Resource, found: readonly KubeObject[]): void {
  const leaving = found.filter((object) => staysFor(object, TRUNNION) !== undefined).map(wordsFor);
  if (leaving.length === 0) return;
  throw new CliError(
    `${titleOf(resource)} can't be released now: ${leaving.join(', ')} is being deleted, and covers its pods only as long as the operator holds it. Stop the pods (replicas: 0, suspend: true or retired: true), wait until it is created again, and call this again`,
  );
}

/** What the same spec gives where no operator is. */
function inProgram(
  kind: Kind,
  resource: Resource,
  running: readonly RenderedChild[],
): Pick<Release, 'differences' | 'unfit'> {
  try {
    const manifests = new Map(kind.render(resource, undefined).map(({ id, manifest }) => [id, manifest]));
    const differences = running.flatMap(({ id, manifest }) => {
      const fields = changedFields(manifest, manifests.get(id) ?? {});
      return fields.length === 0 ? [] : [{ object: wordsFor(manifest), fields }];
    });
    return { differences };
  } catch (error) {
    if (error instanceof SpecError) return { differences: [], unfit: error.message };
    throw error;
  }
}

/**
 * Has the operator let go of a resource's objects, and deletes the resource. The objects run on, and are nobody's. Each
 * step leaves things in order, so that it can be carried out again after it was cut off.
 *
 * @param log - is told each object
 * @throws CliError where no operator answers
 */
export async function release(
  client: KubeClient,
  kind: Kind,
  resource: Resource,
  wait: boolean,
  log: (line: string) => void,
): Promise<void> {
  await pause(client, kind, resource, 'release', wait);
  await letGo(client, kind, resource, log);
  await remove(client, kind, resource);
  log(`${titleOf(resource)} is gone, and its objects are nobody's`);
}

async function letGo(client: KubeClient, kind: Kind, resource: Resource, log: (line: string) => void): Promise<void> {
  for (const object of await objectsFor(client, kind, resource)) {
    if (await letGoOf(client, childTypeOf(kind, object), object, resource.metadata.uid))
      log(`let go of ${wordsFor(object)}`);
  }
}

async function letGoOf(client: KubeClient, type: ResourceType, object: KubeObject, owner: string): Promise<boolean> {
  return untilUnchanged(async () => {
    const live = await client.find(type, object.metadata);
    const patch = live && lettingGo(live, owner);
    if (patch === undefined) return false;
    await client.patch(type, object.metadata, patch, { fieldManager: FIELD_MANAGER });
    return true;
  });
}

/** Deletes the resource without what comes before its end, and without what belongs to it. */
async function remove(client: KubeClient, kind: Kind, { metadata }: Resource): Promise<void> {
  const { name, namespace = '', uid } = metadata;
  const ref = { name, namespace };
  await untilUnchanged(async () => {
    const { finalizers = [], resourceVersion } = (await client.get(kind.type, ref)).metadata;
    const others = finalizers.filter((finalizer) => finalizer !== kind.finalizer);
    if (others.length === finalizers.length) return;
    const body = { metadata: { uid, resourceVersion, finalizers: others } };
    await client.patch(kind.type, ref, body, { fieldManager: FIELD_MANAGER });
  });
  await client.delete(kind.type, ref, { uid, propagationPolicy: 'Orphan' });
  const deadline = performance.now() + PATIENCE_MS;
  while (performance.now() < deadline) {
    if (await isGone(client, kind, ref, uid)) return;
    await sleep(POLL_MS);
  }
  throw new CliError(
    `${kind.type.kind} ${namespace}/${name} is still there: something else holds it up; its objects are nobody's`,
  );
}

async function isGone(
  client: KubeClient,
  kind: Kind,
  ref: { name: string; namespace: string },
  uid: string,
): Promise<boolean> {
  try {
    return (await client.get(kind.type, ref)).metadata.uid !== uid;
  } catch (error) {
    if (isNotFound(error)) return true;
    throw error;
  }
}
