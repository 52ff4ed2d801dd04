import { plainText, plainValues } from '../../../constructs/parts/values/index.ts';
import { isObject } from '../../../constructs/schema/json.ts';
import { MOST_CAUSES, withoutDumps } from './status-body.ts';
import type { StatusBody, StatusDetails } from './status-body.ts';

/** The reason of a status code where the body names none (a proxy's page, an aggregated server's plain text). */
const REASONS: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  409: 'Conflict',
  410: 'Expired',
  413: 'RequestEntityTooLarge',
  415: 'UnsupportedMediaType',
  422: 'Invalid',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
  504: 'Timeout',
};

/** Longest message taken from a body that is not a Status, in characters. */
const LONGEST_FOREIGN_MESSAGE = 200;

/**
 * Longest message of a Status, in characters. The words of an admission webhook are in it, and what a user wrote: of many
 * problems the first tell enough.
 */
export const LONGEST_MESSAGE = 4_096;

/** Longest reason, name, or field of a Status, in characters. */
const LONGEST_WORD = 512;

/** The API server, or a proxy before it, answered that it did not do what was asked. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** The HTTP status code. */
  readonly status: number;
  /** One CamelCase word that programs may rely on: `NotFound`, `AlreadyExists`, `Conflict`, `Invalid`… */
  readonly reason: string;
  readonly details: StatusDetails;
  /** How long the server asked us to wait before the next try. */
  readonly retryAfterSeconds: number | undefined;

  constructor(status: number, given: StatusBody, retryAfterSeconds?: number) {
    const body = withoutDumps(given);
    const reason = wordOf(body.reason) || (REASONS[status] ?? 'Unknown');
    const message = typeof body.message === 'string' ? plainText(body.message, { max: LONGEST_MESSAGE }) : '';
    super(message || `the API server answered ${status} ${reason}`);
    this.status = status;
    this.reason = reason;
    this.details = detailsOf(body.details);
    this.retryAfterSeconds = retryAfterSeconds ?? this.details.retryAfterSeconds;
  }

  /** Reads an answer of 400 or above, whatever its body is. */
  static from(status: number, body: string, retryAfter?: string | string[]): ApiError {
    const seconds = Number(Array.isArray(retryAfter) ? retryAfter[0] : retryAfter);
    return new ApiError(status, statusOf(body), seconds >= 0 ? seconds : undefined);
  }

  /** Reads the object of a watch's ERROR frame. */
  static fromStatus(object: unknown): ApiError {
    const body: StatusBody = typeof object === 'object' && object !== null ? object : {};
    return new ApiError(typeof body.code === 'number' ? body.code : 500, body);
  }
}

/** Errors that come before a byte of the request was sent. */
const BEFORE_SENDING =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_)/;

/** No answer came: the connection failed, broke off, or the deadline passed. */
export class TransportError extends Error {
  override readonly name = 'TransportError';
  /** `ECONNREFUSED`, `UND_ERR_SOCKET`, `DEADLINE`… */
  readonly code: string;
  /** Whether the server may have seen the request. */
  readonly mayHaveArrived: boolean;

  constructor(message: string, code: string, mayHaveArrived: boolean, cause?: unknown) {
    // Certificates and proxies have their say in it.
    super(plainText(message, { max: LONGEST_MESSAGE }), { cause });
    this.code = code;
    this.mayHaveArrived = mayHaveArrived;
  }
}

/** There was more of an answer than is read. Its sender would send as much again, so it isn't asked again. */
export class AnswerTooLargeError extends Error {
  override readonly name = 'AnswerTooLargeError';
  /** What is read at the most. */
  readonly largestBytes: number;

  constructor(largestBytes: number) {
    super(`the answer is larger than ${largestBytes} bytes`);
    this.largestBytes = largestBytes;
  }
}

/** Gives network errors their common form; what is none (a gate's refusal) stays as it is. */
export function asTransportError(error: unknown): unknown {
  if (error instanceof TransportError) return error;
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return error;
  return new TransportError(error.message || error.code, error.code, !BEFORE_SENDING.test(error.code), error);
}

/** Whether the server said that there is no such object (or no such type). */
export function isNotFound(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status === 404;
}

/** The words of etcd (above 1.5 MiB), and of the API server's own client of it (above 2 MiB), which come as a 500. */
const TOO_LARGE = /etcdserver: request is too large|trying to send message larger than max/;

/** Whether an object, or a request, is larger than the server takes: it will be, however often it is sent. */
export function isTooLarge(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 413 || TOO_LARGE.test(error.message));
}

/** Whether the version asked for is out of the server's history, in any of the ways that servers say so. */
export function isExpired(error: unknown): error is ApiError {
  return error instanceof ApiError && (error.status === 410 || error.reason === 'Expired' || error.reason === 'Gone');
}

/**
 * Whether the version asked for is ahead of the server's: a follower that lags, or a store restored from a backup.
 * Servers before 1.19 name it in the message only.
 */
export function isTooLargeVersion(error: unknown): error is ApiError {
  return (
    error instanceof ApiError &&
    error.status === 504 &&
    (error.message.includes('Too large resource version') ||
      (error.details.causes ?? []).some((cause) => cause.reason === 'ResourceVersionTooLarge'))
  );
}

const wordOf = (value: unknown): string => (typeof value === 'string' ? plainText(value, { max: LONGEST_WORD }) : '');

/** What a Status says in detail, as far as it is kept. What answered need not be an API server: all else is left out. */
function detailsOf(details: unknown): StatusDetails {
  const { causes, ...rest } = (isObject(details) ? details : {}) as StatusDetails;
  const plain: StatusDetails = plainValues(rest, { max: LONGEST_WORD });
  if (!Array.isArray(causes)) return plain;
  return { ...plain, causes: plainValues(causes.slice(0, MOST_CAUSES).filter(isObject), { max: LONGEST_WORD }) };
}

function statusOf(text: string): StatusBody {
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === 'object' && body !== null && (body as StatusBody).kind === 'Status') return body;
  } catch {
    // Not a Status: a proxy's HTML page, or the plain text of a server that is starting.
  }
  const words = wordsOf(text);
  return words === '' ? {} : { message: plainText(words, { max: LONGEST_FOREIGN_MESSAGE }) };
}

/** So much of a page is looked at, in characters: its style sheet may come first. */
const LONGEST_PAGE = 2 ** 16;

/** The first words of a page, without its markup, or of a text. Each character is looked at once. */
function wordsOf(page: string): string {
  const text = page.slice(0, LONGEST_PAGE);
  let words = '';
  for (let at = 0; at < text.length && words.length < 2 * LONGEST_FOREIGN_MESSAGE;) {
    const tag = text.indexOf('<', at);
    words += ` ${text.slice(at, tag === -1 ? undefined : tag)}`
      .replaceAll(/\s+/g, ' ')
      .slice(0, LONGEST_FOREIGN_MESSAGE);
    at = tag === -1 ? text.length : endOfTag(text, tag);
  }
  return words.replaceAll(/\s+/g, ' ').trim().slice(0, LONGEST_FOREIGN_MESSAGE);
}

/** Where a tag ends; of what is not text to be read, where all of it ends. */
function endOfTag(text: string, tag: number): number {
  const [hidden] = /^(?:style|script)\b/i.exec(text.slice(tag + 1, tag + 8)) ?? [];
  const end = text.indexOf(hidden === undefined ? '>' : `</${hidden}`, tag + 1);
  if (end === -1) return text.length;
  return hidden === undefined ? end + 1 : end;
}
