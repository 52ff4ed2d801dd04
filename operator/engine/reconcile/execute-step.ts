import { isNotFound, TransportError } from '../../kube/index.ts';
import type { EventNote, KubeClient, ObjectBody, KubeObject, ResourceType } from '../../kube/index.ts';
import type { AdmissionDrift, DesiredChild, Step } from '../plan/index.ts';
import { rejectionOf, groupKind, nameOf, typeAmong } from '../api/index.ts';
import type { Resource, ObservedChild } from '../api/index.ts';
import { isProtected, letGoOf, observeChild, valueAt } from '../observe/index.ts';
import type { Observer } from '../observe/index.ts';
import type { AsWanted } from './as-wanted.ts';
import { recreated, reverted } from './manual-edits.ts';
import { stepForTakenName } from './name-taken.ts';
import type { WriteLog } from '../cache/index.ts';
import { afterRejection, DONE, STALE, type StepResult } from './step-result.ts';

export interface StepContext {
  readonly client: Pick<KubeClient, 'apply' | 'delete' | 'find' | 'patch'>;
  /** The types that children may have. */
  readonly types: readonly ResourceType[];
  /** The resource that the children belong to. */
  readonly owner: Resource;
  /** By which live objects are read; whose the writes are. */
  readonly observer: Observer;
  /** Whether an object that has no controller was made for the owner, by its labels. */
  readonly isLabelled: (object: KubeObject) => boolean;
  readonly log: WriteLog;
  readonly drift: AdmissionDrift;
  readonly asWanted: AsWanted;
  /** Tells the owner's users what somebody has done by hand, and the step has put back. */
  readonly record: (note: EventNote) => void;
  readonly signal?: AbortSignal;
  /** What all steps of a plan add to: what an attempt did before it failed counts as well. */
  readonly counts: { writes: number; refreshed: boolean; unreached: boolean };
}

/**
 * Attempts one step.
 *
 * @throws anything but an answer of the API server: the write was aborted, or a gate refused it
 */
export async function attempt(step: Step, context: StepContext): Promise<StepResult> {
  try {
    switch (step.action) {
      case 'create':
        return await create(step.child, context);
      case 'apply':
        return await apply(step, context);
      case 'replace':
        return await remove(step.live, context);
      case 'delete':
        return await (step.atOnce === true ? removeAtOnce : remove)(step.live, context);
    }
  } catch (error) {
    context.counts.unreached ||= error instanceof TransportError;
    return afterRejection(step, rejectionOf(error, 'child' in step ? step.child.id : nameOf(step.live)));
  }
}

async function create(child: DesiredChild, context: StepContext): Promise<StepResult> {
  try {
    // resourceVersion 1 never matches a live object: the server creates the object, or answers with a conflict.
    await write(child, { resourceVersion: '1' }, context);
    if (context.asWanted.had(child)) context.record(recreated(child, context.owner, context.observer.identity));
    return DONE;
  } catch (error) {
    if (rejectionOf(error).type !== 'stale') throw error;
  }
  const object = await context.client.find(typeOf(child.object, context), refOf(child), call(context));
  if (object === undefined) return STALE;
  const isLabelled = context.isLabelled(object);
  const { owner, observer } = context;
  const live = observeChild(object, observer);
  const instead = stepForTakenName(child, { object, live, isLabelled, owner, identity: observer.identity });
  if (instead !== 'none') return instead;
  if (context.log.found(object) === undefined) return STALE;
  context.counts.refreshed = true;
  return DONE;
}

async function apply({ child, live, handOver }: Step & { action: 'apply' }, context: StepContext): Promise<StepResult> {
  for (const path of handOver) await handOverField(child, live, path, context);
  const edited = context.asWanted.had(child)
    ? await context.client.find(typeOf(child.object, context), refOf(child), call(context))
    : undefined;
  await write(child, { uid: live.uid }, context);
  const note = edited && reverted(child, edited, context.owner, context.observer.identity);
  if (note !== undefined) context.record(note);
  return DONE;
}

/**
 * Has another manager hold a field at its present value, so that it isn't reset when our manager gives it up. Not forced:
 * where somebody has just set it to another value, it is theirs already, and the next pass sees so.
 */
async function handOverField(
  child: DesiredChild,
  live: ObservedChild,
  path: string,
  context: StepContext,
): Promise<void> {
  const { client, counts, observer } = context;
  const { apiVersion, kind } = child.object;
  const type = typeOf(child.object, context);
  const value = valueAt(await client.find(type, refOf(child), call(context)), path);
  if (value === undefined) return;
  const metadata = { ...refOf(child), uid: live.uid };
  const body: ObjectBody = { ...nest(path.split('.'), value), apiVersion, kind, metadata };
  await client.apply(type, body, { fieldManager: observer.identity.handoverManager, ...call(context) });
  counts.writes += 1;
}

/** @param guard - without it the write would have its effect on an object that nobody has seen */
async function write(
  child: DesiredChild,
  guard: { readonly uid: string } | { readonly resourceVersion: string },
  context: StepContext,
): Promise<void> {
  const { client, counts, drift, log, observer } = context;
  const body = { ...child.manifest, metadata: { ...child.manifest.metadata, ...guard } };
  const options = { fieldManager: observer.identity.fieldManager, force: true, ...call(context) };
  const object = await client.apply(typeOf(child.object, context), body, options);
  counts.writes += 1;
  drift.note(child, log.wrote(object));
}

async function remove(live: ObservedChild, context: StepContext): Promise<StepResult> {
  const { asWanted, client, counts, log } = context;
  const { namespace, name, uid, resourceVersion } = live;
  asWanted.forget(live);
  try {
    const left = await client.delete(
      typeOf(live, context),
      { namespace, name },
      { uid, resourceVersion, propagationPolicy: 'Background', mustExist: true, ...call(context) },
    );
    counts.writes += 1;
    if (left !== undefined && isHeld(left)) log.wrote(left);
    else log.wroteDelete(live);
    return DONE;
  } catch (error) {
    // That it is gone, only the watch reports: an API server in trouble says so of anything.
    if (isNotFound(error)) return STALE;
    if (rejectionOf(error).type === 'stale') await refresh(live, context);
    throw error;
  }
}

/** Deletes what would stay for the pods that it covers: the finalizer that keeps it for them is removed first. */
async function removeAtOnce(live: ObservedChild, context: StepContext): Promise<StepResult> {
  const { client, counts, log, observer } = context;
  const { identity } = observer;
  const type = typeOf(live, context);
  const found = await client.find(type, { namespace: live.namespace, name: live.name }, call(context));
  if (found?.metadata.uid !== live.uid) return STALE;
  if (!isProtected(found, identity)) return remove(live, context);
  const left = await letGoOf(client, type, found, identity, { fieldManager: identity.fieldManager, ...call(context) });
  counts.writes += 1;
  if (left.metadata.deletionTimestamp === undefined) return remove(log.wrote(left), context);
  if (isHeld(left)) log.wrote(left);
  else log.wroteDelete(live);
  return DONE;
}

/** Reads a child that has changed. A watch whose connection is dead reports that only once it is noticed, a minute later. */
async function refresh(live: ObservedChild, context: StepContext): Promise<void> {
  const { client, counts, log } = context;
  const { namespace, name, resourceVersion } = live;
  const object = await client.find(typeOf(live, context), { namespace, name }, call(context));
  const known = object && log.found(object);
  if (known !== undefined && known.resourceVersion !== resourceVersion) counts.refreshed = true;
}

function typeOf(
  object: { readonly apiVersion: string; readonly kind: string },
  { types, owner }: StepContext,
): ResourceType {
  const type = typeAmong(types, object);
  if (type === undefined) throw new Error(`${groupKind(object)} is no childType of ${owner.kind}`);
  return type;
}

const refOf = ({
  object: { name, namespace },
}: DesiredChild): { readonly name: string; readonly namespace?: string } => ({
  name,
  ...(namespace !== '' && { namespace }),
});

const call = ({ signal }: StepContext): { readonly signal?: AbortSignal } => (signal === undefined ? {} : { signal });

/** Whether something keeps a deleted object. Of some kinds (Service) the server answers with the object that is gone. */
const isHeld = ({ metadata }: KubeObject): boolean =>
  metadata.deletionTimestamp !== undefined && (metadata.finalizers ?? []).length > 0;

/** `value` under a path: `{spec: {replicas: 3}}`. */
const nest = (path: readonly string[], value: unknown): Readonly<Record<string, unknown>> =>
  path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value) as Readonly<Record<string, unknown>>;
