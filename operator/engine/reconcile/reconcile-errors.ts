import { ApiError, isTooLarge } from '../../kube/index.ts';
import type { EventNote, ResourceType } from '../../kube/index.ts';
import type { Memory } from './memory.ts';
import { OutdatedCrdError } from './outdated.ts';
import { rejectionOf } from '../api/index.ts';
import type { Identity } from '../api/index.ts';
import { quoted } from './stalled.ts';
import type { Stall } from './stalled.ts';

/** The cache was behind for the resource: the pass ends, and the next one starts again. */
export class StaleError extends Error {
  override readonly name = 'StaleError';
}

/** Something that keeps the operator from deciding about one resource; it is reported on that resource. */
export abstract class StallError extends Error {
  /** What is reported on the resource. */
  abstract readonly stall: Stall;

  /** The same as an event. */
  get note(): EventNote {
    return { type: 'Warning', action: 'Reconcile', ...this.stall };
  }
}

/** A kind's own function threw, or took too long: there is a fault in it, or in what it was given. */
export class ReconcileError extends StallError {
  override readonly name = 'ReconcileError';
  readonly stall: Stall;

  /** @param step - what was done: `decide`, `render` */
  constructor(step: string, cause: unknown) {
    const what = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause);
    super(`the step "${step}" failed: ${what}`, { cause });
    this.stall = {
      reason: 'ReconcileError',
      message: `The operator failed in its step "${step}": ${quoted(what)}. What runs continues as it is, and the operator tries again. Undo the last change of the spec, and report this message: no spec may make the operator fail.`,
    };
  }
}

/**
 * An error of a pass, as it is reported: JavaScript's own errors are faults of the program wherever they are thrown, also
 * where the engine handles what a kind has decided.
 */
export const faultOf = (error: unknown): unknown =>
  error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError
    ? new ReconcileError('reconcile', error)
    : error;

/** After so many failed reconciles in a row, a resource that is being deleted is released though its end was not prepared. */
const MOST_STALLS = 3;

/** Whether a retry of what is to be done before a resource is released makes no sense. */
export const isHopeless = (error: unknown, { stalls }: Pick<Memory, 'stalls'>): boolean =>
  error instanceof ReconcileError && stalls >= MOST_STALLS;

/** The API server does not take the status of a resource. */
export class StatusRefusedError extends StallError {
  override readonly name = 'StatusRefusedError';
  readonly stall: Stall;

  constructor(cause: ApiError) {
    super(`the status was refused: ${cause.message}`, { cause });
    this.stall =
      isTooLarge(cause) || TOO_LONG.test(cause.message)
        ? {
            reason: 'StatusTooLarge',
            message: `The resource and its status together are larger than the API server takes. Make the spec smaller: move long texts into a ConfigMap. The API server says: ${quoted(cause.message)}`,
          }
        : {
            reason: 'StatusRefused',
            message: `The API server refuses the status, so most of it can't be told here. It says: ${quoted(cause.message)}`,
          };
  }
}

/** The words of a CRD's `maxLength` and `maxItems`. */
const TOO_LONG = /\bToo (?:long|many)\b/;

/** The words of a server-side apply of fields that a CRD does not have. */
const UNDECLARED = /field not declared in schema/;

const REFUSALS: ReadonlySet<string> = new Set(['Invalid', 'Forbidden', 'QuotaExceeded']);

/** The failure to write a status of a type, by its name where it has one. */
export function statusFailure(type: ResourceType, error: unknown, identity: Identity): unknown {
  if (!(error instanceof ApiError)) return error;
  if (UNDECLARED.test(error.message)) return new OutdatedCrdError(type, error, identity);
  const rejection = rejectionOf(error);
  // Webhooks and policies refuse with 403.
  const isRefused =
    rejection.type === 'immutable' || (rejection.type === 'refused' && REFUSALS.has(rejection.failure.reason));
  return isRefused || isTooLarge(error) ? new StatusRefusedError(error) : error;
}
