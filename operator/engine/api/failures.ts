import { ApiError, TransportError } from '../../kube/index.ts';
import type { Failure } from './kind.ts';

/** Every reason of a failure. */
export const FAILURE_REASONS = ['NameTaken', 'Forbidden', 'Invalid', 'QuotaExceeded', 'NotServed', 'ApiError'] as const;

/** What a failed write means. */
export type Rejection =
  /** The cache was behind: another pass is needed. */
  | { readonly type: 'stale' }
  /** The object can't be changed in this way: a field is immutable. */
  | { readonly type: 'immutable'; readonly failure: Failure }
  /** The API server refuses the write. */
  | { readonly type: 'refused'; readonly failure: Failure }
  /** The API server can't be reached, or is in trouble: the next write would fail as well. */
  | { readonly type: 'away'; readonly failure: Failure };

/** Longest wait before a retry, in milliseconds, where the API server could not be reached: such a retry costs nothing. */
export const UNREACHED_RETRY_MS = 5_000;

/**
 * Longest wait before a retry, in milliseconds, where an object was not in the version that the cache has. Once the watch
 * catches up, it wakes nobody where nothing but the version is new.
 */
export const STALE_RETRY_MS = 5_000;

const QUOTA = /exceeded quota|insufficient quota/i;
const IMMUTABLE = /immutable|may not be changed|updates to \S+ spec for fields other than/i;

/**
 * Reads the failure of a write.
 *
 * @param child - id of the child that was written; absent where it was the resource
 * @throws what is not an answer of the API server: a write that was aborted, or that a gate refused
 */
export function rejectionOf(error: unknown, child?: string): Rejection {
  const about = child === undefined ? {} : { child };
  if (error instanceof TransportError) {
    return { type: 'away', failure: { ...about, reason: 'ApiError', message: error.message } };
  }
  if (!(error instanceof ApiError)) throw error;
  if (isStale(error)) return { type: 'stale' };
  const failure = { ...about, reason: reasonOf(error), message: error.message };
  if (error.status === 422 && IMMUTABLE.test(error.message)) return { type: 'immutable', failure };
  if (error.status >= 500 || error.status === 429 || error.status === 401) return { type: 'away', failure };
  return { type: 'refused', failure };
}

/** A precondition failed: of a resourceVersion, or of a UID, which apply reports as an invalid change of it. */
const isStale = ({ status, details }: ApiError): boolean =>
  status === 409 || (status === 422 && (details.causes ?? []).some(({ field }) => field === 'metadata.uid'));

function reasonOf({ status, message, details }: ApiError): string {
  if (status === 403) return QUOTA.test(message) ? 'QuotaExceeded' : 'Forbidden';
  if (status === 400 || status === 413 || status === 422) return 'Invalid';
  // A type that isn't served has nothing to name; a namespace that is gone has. Of one whose CRD is being deleted the server
  // takes no new objects (405).
  if (status === 405 || (status === 404 && details.kind === undefined)) return 'NotServed';
  return 'ApiError';
}
