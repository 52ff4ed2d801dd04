import { type Backoff, delayAfter } from './delay.ts';
import { ApiError, isTooLarge, TransportError } from './errors.ts';

/** First wait where the server names none, in milliseconds; it doubles with each attempt. */
const FIRST_WAIT_MS = 250;

/** The waits of our own choice: a server that is back is not kept waiting for long. */
const BACKOFF: Backoff = { first: FIRST_WAIT_MS, longest: 5_000, jitter: 0.5 };

/** Attempts in all, as in client-go. */
const ATTEMPTS = 10;

/** Answers that mean "not now": the request may or may not have been carried out. */
const NOT_NOW: ReadonlySet<number> = new Set([500, 502, 503, 504]);

/** The words of a 500 that a server-side apply gets where its object does not fit the type: it never will. */
const UNFIT = /failed to create typed patch object/;

/**
 * How long to wait before the same request is sent again, in milliseconds; undefined where it must not be.
 *
 * A 429, and a connection that never came about, mean that nothing was done, so anything may be repeated. After a 5xx
 * or a lost answer it may have been done: only what can be done twice is repeated.
 *
 * @param attempt - how many have been made, 1 after the first
 * @param repeatable - whether doing it twice is the same as doing it once
 * @param random - 0 to 1
 */
export function retryDelay(failure: unknown, attempt: number, repeatable: boolean, random: number): number | undefined {
  if (attempt >= ATTEMPTS || !mayRepeat(failure, repeatable)) return undefined;
  const ours = delayAfter(attempt, BACKOFF, random);
  const theirs = failure instanceof ApiError ? failure.retryAfterSeconds : undefined;
  return theirs === undefined ? ours : theirs * 1000 + random * FIRST_WAIT_MS;
}

function mayRepeat(failure: unknown, repeatable: boolean): boolean {
  if (failure instanceof ApiError) {
    const isNotNow = NOT_NOW.has(failure.status) && !UNFIT.test(failure.message) && !isTooLarge(failure);
    return failure.status === 429 || (repeatable && isNotNow);
  }
  if (failure instanceof TransportError) return repeatable || !failure.mayHaveArrived;
  return false;
}
