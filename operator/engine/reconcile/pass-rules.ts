/** What a pass does, and when the next one is due, as functions of values: each is tested as a table. */
import { SpecError } from '../../../constructs/schema/error.ts';
import { TransportError } from '../../kube/index.ts';
import type { EventNote } from '../../kube/index.ts';
import { conditionOf, STALE_RETRY_MS, UNREACHED_RETRY_MS } from '../api/index.ts';
import type { BareStatus, CommonStatus, Failure, Identity, Resource, Result } from '../api/index.ts';
import type { Memory } from './memory.ts';
import type { ReconcileResult } from '../telemetry/index.ts';
import { OUTDATED_RETRY_MS, OutdatedCrdError } from './outdated.ts';
import { isAllGone, isDestructive, type Plan } from '../plan/index.ts';
import type { Outcome } from '../queue/index.ts';
import { isHopeless, StaleError, StallError, StatusRefusedError } from './reconcile-errors.ts';
import { isSetAside, MOST_SLOW, setAside, type Stall } from './stalled.ts';

type AnyResult = Result<unknown, unknown>;

/** Whether a pass may begin. */
export type Gate =
  /** There is no resource, or nothing is left to do for it: it is forgotten. */
  | 'gone'
  /** It was so slow that nothing is done for it until its user asks for it. */
  | 'set-aside'
  /** Its namespace has held the main loop, and waits. */
  | 'held'
  | 'open';

/** What a gate depends on beside the resource. */
export interface GateInput {
  /** Of the kind. */
  readonly finalizer: string | undefined;
  readonly identity: Identity;
  /** When resources of its namespace may be worked on again; 0 where it is now. */
  readonly heldUntil: number;
}

export function gateOf(resource: Resource | undefined, { finalizer, identity, heldUntil }: GateInput): Gate {
  if (resource === undefined) return 'gone';
  if (isDeleting(resource)) {
    // The garbage collector removes the children of one for which we have nothing to do first.
    const isOurs = finalizer !== undefined && resource.metadata.finalizers?.includes(finalizer) === true;
    if (!isOurs) return 'gone';
  } else if (isSetAside(resource, identity)) return 'set-aside';
  return heldUntil > 0 ? 'held' : 'open';
}

export const isDeleting = ({ metadata }: Pick<Resource, 'metadata'>): boolean =>
  metadata.deletionTimestamp !== undefined;

/** Whether nothing is done until the answers to its queries are known. A deletion waits for none. */
export const isAwaitingAnswers = ({ waitForAnswers = false }: AnyResult, resource: Resource): boolean =>
  waitForAnswers && !isDeleting(resource);

/** Whether all is done that had to be done before the resource may go. */
export const isReleasable = (result: AnyResult, plan: Plan, resource: Resource): boolean =>
  isDeleting(resource) && result.release === true && isAllGone(plan);

/** Whether the status must be written before the plan is carried out, since that may destroy what the status reports. */
export const isStatusFirst = ({ statusFirst = false }: AnyResult, plan: Plan): boolean =>
  statusFirst || isDestructive(plan);

/** Whether the resource is deleted, since its time is over. */
export const isExpired = ({ expire = false }: AnyResult, resource: Resource): boolean =>
  expire && !isDeleting(resource);

/** Whether the first children of a resource were just made: its first status is about to change, so it waits. */
export const isFirstWrite = ({ status }: Resource, writes: number): boolean => status === undefined && writes > 0;

/**
 * Whether the kind has to decide again after the plan was carried out. Of what others have changed meanwhile, the watch
 * reports.
 *
 * @param before - the failures that it last decided on
 */
export const mustDecideAgain = (
  hasChanged: boolean,
  failures: readonly Failure[],
  before: readonly Failure[],
): boolean => hasChanged || failures.length > 0 || before.length > 0;

/**
 * When a status that differs from the written one is to be written, in milliseconds since the epoch. The first one is
 * written at once where somebody waits for it: the user who wrote what does not work, or waits until it is ready.
 *
 * @param writtenAt - when it was last written
 */
export function statusDueAt(
  { status: before }: Resource,
  { conditions }: Pick<BareStatus<CommonStatus>, 'conditions'>,
  { writtenAt, intervalMs, hasFailed }: { writtenAt: number; intervalMs: number; hasFailed: boolean },
): number {
  const isReady = conditionOf(conditions, 'Ready')?.status === 'True';
  return before === undefined && (hasFailed || isReady) ? -Infinity : writtenAt + intervalMs;
}

/** How a pass that carried out its plan stands. Times are in milliseconds since the epoch. */
export interface PassEnd {
  /** When the kind wants to be called again; absent where only a change matters. */
  readonly requeueAt?: number | undefined;
  /** When the status is due; Infinity where it is written. */
  readonly statusDueAt: number;
  /** See {@link isFirstWrite}. */
  readonly isFirst: boolean;
  /** Whether something in the plan waits. */
  readonly isWaiting: boolean;
  /** Whether the pass wrote something, or refreshed the cache. */
  readonly hasChanged: boolean;
  readonly hasFailed: boolean;
  /** See Execution. */
  readonly stale: boolean;
  readonly unreached: boolean;
  readonly now: number;
}

/** What the queue does after a pass. */
export const outcomeOf = (end: PassEnd): Outcome => ({
  retry: end.stale || end.hasFailed,
  requeueAt: Math.min(end.requeueAt ?? Infinity, end.statusDueAt, nextPassAt(end)),
});

/** After a write at once, since our own writes wake nobody; after a failure not before its backoff is over. */
function nextPassAt({
  isFirst,
  statusDueAt,
  isWaiting,
  hasChanged,
  hasFailed,
  stale,
  unreached,
  now,
}: PassEnd): number {
  // Where all was made, and nothing waits for it, the pass that writes the status also sees that nothing is left to do.
  if (isFirst && statusDueAt < Infinity && !isWaiting) return Infinity;
  if (unreached) return now + UNREACHED_RETRY_MS;
  if (hasChanged && !hasFailed) return now;
  return stale ? now + STALE_RETRY_MS : Infinity;
}

/** What a pass does about an error that ended its sequence. */
export type Recovery =
  /** The spec can't work: say so in the status. */
  | { readonly do: 'refuse'; readonly error: SpecError }
  /** Let a resource go that is being deleted: what had to be done first can't be done. */
  | { readonly do: 'release' }
  /** Fail, and record an event where there is one. */
  | { readonly do: 'fail'; readonly note?: EventNote };

export function recoveryFrom(error: unknown, resource: Resource, memory: Pick<Memory, 'stalls'>): Recovery {
  if (isDeleting(resource) && (error instanceof SpecError || isHopeless(error, memory))) return { do: 'release' };
  if (error instanceof SpecError) return { do: 'refuse', error };
  return error instanceof OutdatedCrdError ? { do: 'fail', note: error.note } : { do: 'fail' };
}

/**
 * The event that says why a status can't be written, where the pass continues without: a resource that is being deleted
 * would otherwise wait forever. Undefined where the error ends the pass.
 */
export function unwritableNote(error: unknown, resource: Resource): EventNote | undefined {
  const isRefused = error instanceof OutdatedCrdError || error instanceof StatusRefusedError;
  return isRefused && isDeleting(resource) ? error.note : undefined;
}

/** How a pass ended: with an outcome for the queue, or with an error. */
export type Ending = { readonly outcome: Outcome } | { readonly error: unknown };

/** Where the cache was behind, the pass is merely made again. */
export const endingOf = (error: unknown, now: number): Ending =>
  error instanceof StaleError ? { outcome: { retry: true, requeueAt: now + STALE_RETRY_MS } } : { error };

/** The passes in a row that stalled, after one more. */
export function stallsAfter(ending: Ending, stalls: number): number {
  if ('outcome' in ending) return 0;
  return ending.error instanceof StallError ? stalls + 1 : stalls;
}

/** What is reported on the resource after a pass: that it is set aside, or why the pass stalled. */
export function stallAfter(
  ending: Ending,
  resource: Resource,
  { slow }: Pick<Memory, 'slow'>,
  identity: Identity,
): Stall | undefined {
  const stall = 'error' in ending && ending.error instanceof StallError ? ending.error.stall : undefined;
  const isTooSlow = slow >= MOST_SLOW && !isDeleting(resource);
  return isTooSlow && ('outcome' in ending || stall !== undefined) ? setAside(resource, identity) : stall;
}

/**
 * What the queue does after a pass that ended with an error. It retries after a backoff, but soon where others correct
 * what is wrong, and no watch event says so.
 */
export function outcomeAfterError(error: unknown, now: number): Outcome {
  if (error instanceof TransportError) return { retry: true, requeueAt: now + UNREACHED_RETRY_MS };
  if (error instanceof OutdatedCrdError) return { retry: true, requeueAt: now + OUTDATED_RETRY_MS };
  return { retry: true };
}

/** The result of a pass without an error, as controller-runtime's metrics name it. */
export function resultOf({ retry = false, requeueAt = Infinity }: Outcome): ReconcileResult {
  if (retry) return 'requeue';
  return requeueAt === Infinity ? 'success' : 'requeue_after';
}
