import type { SpecError } from '../../../constructs/schema/error.ts';
import { isNotFound } from '../../kube/index.ts';
import type { KubeObject } from '../../kube/index.ts';
import { deleteResource } from './actions.ts';
import { rejectionOf, pausedStatus } from '../api/index.ts';
import type { BareStatus, CommonStatus, Resource } from '../api/index.ts';
import { isFresh } from './fresh.ts';
import { callKind } from './kind-call.ts';
import type { Pass } from './pass.ts';
import { statusDueAt, unwritableNote } from './pass-rules.ts';
import { StaleError } from './reconcile-errors.ts';
import { refusedStatus } from '../api/index.ts';
import { stalledStatus, type Stall } from './stalled.ts';
import { applyStatus, finishStatus, isWritten, phaseEvent } from './status.ts';

/** Leaves the resource alone, and says so in its status: the user who asked for it waits for that. */
export async function pause<R extends Resource, State>(pass: Pass<R, State>): Promise<void> {
  const status = pausedStatus(pass.resource, pass.context.identity, pass.context.clock.now());
  if (!isWritten(pass.resource, status)) await writeResource(pass, sendStatus(pass, pass.resource, status));
  pass.memory.failures = [];
}

/**
 * Says in the status that the spec can't work. Its next generation is waited for; what runs continues.
 *
 * @returns when the status is due: see {@link writeStatusWhenDue}
 */
export async function refuse<R extends Resource, State>(pass: Pass<R, State>, error: SpecError): Promise<number> {
  const { kind } = pass.context;
  const refused = callKind(pass, 'refuse', () => refusedStatus(kind, pass.resource, error, pass.decided));
  const dueAt = await writeStatusWhenDue(pass, refused, true);
  pass.memory.failures = [];
  return dueAt;
}

/**
 * Writes the status, unless it is as written, or was written a moment ago: see {@link statusDueAt}.
 *
 * @returns when it is due, in milliseconds since the epoch; Infinity where nothing is left to write
 */
export async function writeStatusWhenDue<R extends Resource, State>(
  pass: Pass<R, State>,
  decided: BareStatus<NonNullable<R['status']>>,
  hasFailed: boolean,
): Promise<number> {
  const { clock, statusIntervalMs: intervalMs = 500 } = pass.context;
  const status = unwrittenStatus(pass, decided);
  if (status === undefined) return Infinity;
  const dueAt = statusDueAt(pass.resource, decided, { writtenAt: pass.memory.statusAt, intervalMs, hasFailed });
  if (clock.now() < dueAt) return dueAt;
  await writeUnwritten(pass, status);
  return Infinity;
}

/** Writes the status, unless it is as written. */
export async function writeStatus<R extends Resource, State>(
  pass: Pass<R, State>,
  decided: BareStatus<NonNullable<R['status']>>,
): Promise<void> {
  const status = unwrittenStatus(pass, decided);
  if (status !== undefined) await writeUnwritten(pass, status);
}

/** Writes a status that differs from the written one; a change of phase is an event. */
async function writeUnwritten<R extends Resource, State>(
  pass: Pass<R, State>,
  status: NonNullable<R['status']>,
): Promise<void> {
  const { clock, record, transition } = pass.context;
  const before = pass.resource;
  await writeResource(pass, sendStatus(pass, before, status)).catch((error: unknown) =>
    continueUnwritten(pass, status, error),
  );
  pass.memory.statusAt = clock.now();
  transition?.(before, status);
  const note = phaseEvent(before.status, status);
  if (note !== undefined) record(pass.resource, note);
}

/** Continues with a status that can't be written, as if it were, where the resource is being deleted. */
function continueUnwritten<R extends Resource, State>(
  pass: Pass<R, State>,
  status: NonNullable<R['status']>,
  error: unknown,
): void {
  const note = unwritableNote(error, pass.resource);
  if (note === undefined) throw error;
  if (pass.memory.unwritten === undefined) pass.context.record(pass.resource, note);
  pass.memory.unwritten = status;
  pass.resource = { ...pass.resource, status };
}

/** Reports on a resource why nothing is done for it; where not even that can be written, an event does. */
export async function reportStall<R extends Resource, State>(pass: Pass<R, State>, stall: Stall): Promise<void> {
  const { clock, record, transition, reader } = pass.context;
  // As the cache has it: the pass may have ended since its own copy was out of date.
  const resource = reader.resource(pass.key);
  if (resource === undefined) return;
  const status = stalledStatus(resource, stall, clock.now());
  if (isWritten(resource, status)) return;
  record(resource, { type: 'Warning', action: 'Reconcile', ...stall });
  try {
    reader.wroteResource(await sendStatus(pass, resource, status));
    transition?.(resource, status);
  } catch {
    // Refused as well, or out of date: the next try, after the backoff, comes here again.
  }
}

/** Keeps the resource from going before we have done what its end needs. */
export async function addFinalizer<R extends Resource, State>(pass: Pass<R, State>): Promise<void> {
  const { finalizer } = pass.context.kind;
  const { finalizers = [] } = pass.resource.metadata;
  if (finalizer !== undefined && !finalizers.includes(finalizer)) await setFinalizers(pass, [...finalizers, finalizer]);
}

/** Lets the resource go. */
export async function release<R extends Resource, State>(pass: Pass<R, State>): Promise<void> {
  const { finalizer } = pass.context.kind;
  const { finalizers = [] } = pass.resource.metadata;
  await setFinalizers(
    pass,
    finalizers.filter((other) => other !== finalizer),
  );
  pass.released = true;
}

/** Deletes the resource. The garbage collector removes its children; the watch reports when it is gone. */
export async function expire<R extends Resource, State>(pass: Pass<R, State>): Promise<void> {
  const { client, kind } = pass.context;
  try {
    await deleteResource({ client, kind, resource: pass.resource, ...pass.call });
  } catch (error) {
    if (rejectionOf(error).type === 'stale') throw new StaleError();
    throw error;
  }
  pass.writes += 1;
}

/**
 * Sees that the resource is as the API server has it, before children are written for it. A write of this pass has shown
 * that already.
 *
 * @throws StaleError where it is not
 */
export async function ensureFresh<R extends Resource, State>(pass: Pass<R, State>): Promise<void> {
  const { client, kind, reader } = pass.context;
  if (pass.writes > 0) return;
  if (!(await isFresh(pass.resource, { client, type: kind.type, reader, ...pass.call }))) throw new StaleError();
}

/** A status as it is to be written; undefined where it is written already. */
function unwrittenStatus<R extends Resource, State>(
  { resource, context: { clock, kind } }: Pass<R, State>,
  decided: BareStatus<NonNullable<R['status']>>,
): NonNullable<R['status']> | undefined {
  const status = finishStatus(resource, decided, clock.now(), kind.updatedField);
  return isWritten(resource, status) ? undefined : status;
}

const sendStatus = <R extends Resource, State>(
  { context: { client, identity, kind }, call }: Pass<R, State>,
  resource: Resource,
  status: CommonStatus,
): Promise<KubeObject> => applyStatus(client, kind.type, resource, status, { identity, ...call });

async function setFinalizers<R extends Resource, State>(
  pass: Pass<R, State>,
  finalizers: readonly string[],
): Promise<void> {
  const { client, identity, kind } = pass.context;
  const { name, namespace, uid, resourceVersion } = pass.resource.metadata;
  const ref = { name, ...(namespace !== undefined && { namespace }) };
  const body = { metadata: { uid, resourceVersion, finalizers } };
  const options = { fieldManager: identity.fieldManager, ...pass.call };
  await writeResource(pass, client.patch(kind.type, ref, body, options));
}

/** Counts a write of the resource, and continues with the answer. */
async function writeResource<R extends Resource, State>(
  pass: Pass<R, State>,
  answer: Promise<KubeObject>,
): Promise<void> {
  const { reader } = pass.context;
  const object = await answer.catch((error: unknown) => {
    if (isNotFound(error) || rejectionOf(error).type === 'stale') throw new StaleError();
    throw error;
  });
  pass.writes += 1;
  reader.wroteResource(object);
  pass.resource = reader.resource(pass.key) ?? pass.resource;
}
