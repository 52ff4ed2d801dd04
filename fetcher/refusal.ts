import { EXIT } from '../constructs/parts/weights/index.ts';
import { FetchError, passing } from './errors.ts';

/** The longest wait that a host may ask for. */
const LONGEST_RETRY_AFTER_MS = 15 * 60_000;

/** How much of a host's own words is told, in characters. */
const WORDS = 300;

/** Words a refusal as the source would have it; undefined leaves it to the general words. */
export type Explain = (status: number, headers: Headers, body: string) => FetchError | undefined;

/** A URL without its query, which may carry a signature. */
export function placeOf(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}

/**
 * The error of a status that is no success.
 *
 * @param body - its beginning
 */
export function refusal(
  url: string,
  { status, headers }: { readonly status: number; readonly headers: Headers },
  body: string,
  explain: Explain | undefined,
): FetchError {
  const place = placeOf(url);
  if (status === 408 || status === 425 || status === 429 || status >= 500) {
    return passing(`${place} answered ${status}`, { retryAfterMs: retryAfter(headers) });
  }
  const explained = explain?.(status, headers, body);
  if (explained) return explained;
  if (status === 401 || status === 403) {
    return new FetchError(
      `${place} answered ${status}: the credentials are missing, or not sufficient`,
      EXIT.unauthorized,
    );
  }
  if (status === 404 || status === 410) return new FetchError(`there is nothing at ${place}`, EXIT.notFound);
  return new FetchError(`${place} answered ${status}: ${body.slice(0, WORDS).replaceAll(/\s+/g, ' ')}`, 1);
}

/** Retry-After, in seconds or as a date, in milliseconds from now. */
function retryAfter(headers: Headers): number | undefined {
  const text = headers.get('retry-after');
  if (text === null) return undefined;
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), LONGEST_RETRY_AFTER_MS);
}
