import { createSecureContext } from 'node:tls';
import { Agent, type Dispatcher } from 'undici';
import type { Connection, ConnectionSource } from './connection.ts';
import { asTransportError, TransportError } from './errors.ts';
import { type Gate, gatedBy } from './gate.ts';
import type { HttpResponse } from './receiver.ts';
import { type Body, StreamedAnswer } from './streamed-answer.ts';
import { WholeAnswer } from './whole-answer.ts';

/** One attempt at a request. */
export interface Attempt {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path and query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /**
   * Largest answer, in bytes, where it is wanted as a whole.
   *
   * @default LARGEST_OBJECT_BYTES
   */
  readonly largestBytes?: number;
}

/**
 * Largest answer about one object, in bytes: etcd takes requests of up to 1.5 MiB, and JSON writes a byte of it as six
 * ("\\u0001") at the most; the rest is for what the server adds.
 */
export const LARGEST_OBJECT_BYTES = 10 * 2 ** 20;

/** Go's HTTP server drops idle connections after 90 s or more; we drop them first. */
const IDLE_MS = 60_000;

/** Time for TCP and TLS to come about. */
const CONNECT_MS = 10_000;

/** Connections for requests, at most. With HTTP/1.1 it is also the number of requests under way. */
const CONNECTIONS = 64;

/** Errors that say that we don't trust the server's certificate (any more). */
const UNTRUSTED = /^(ERR_TLS_CERT|CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_)/;

/** Whether the certificates that we trust may have been replaced. */
export function isUntrusted(error: unknown): boolean {
  return error instanceof TransportError && UNTRUSTED.test(error.code);
}

/** The connections to one server. */
interface Lines {
  readonly origin: string;
  /** The path below which the API is served; '' where it is the root. */
  readonly base: string;
  readonly requests: Dispatcher;
  readonly watches: Dispatcher;
}

/**
 * Sends bytes and gets bytes: connections that are kept and shared, a deadline, and nothing else.
 *
 * HTTP/1.1 on purpose: HTTP/2 would put all watches and requests on one connection, where one loss stalls all of them.
 * Watches have connections of their own, so that they can't use up those of requests.
 */
export class Transport {
  readonly #source: ConnectionSource;
  readonly #gate: Gate | undefined;
  #connection: Connection | undefined;
  #identity = '';
  #lines: Lines | undefined;

  constructor(source: ConnectionSource, gate?: Gate) {
    this.#source = source;
    this.#gate = gate;
  }

  /**
   * Sends a request and reads the whole answer.
   *
   * @throws AnswerTooLargeError where there is more of it than `largestBytes`
   */
  async send(attempt: Attempt, deadlineMs: number, signal?: AbortSignal): Promise<HttpResponse<string>> {
    const answer = new WholeAnswer(attempt.largestBytes ?? LARGEST_OBJECT_BYTES);
    const breakOff = (reason: Error) => answer.breakOff(reason);
    return within(deadlineMs, signal, breakOff, async () => {
      const [{ requests }, options] = await this.#prepared(attempt);
      return answer.of(requests, options);
    });
  }

  /**
   * Sends a request and hands over the answer's body as it comes. The deadline holds until the head of the answer;
   * from then on `signal` ends it.
   */
  async open(attempt: Attempt, deadlineMs: number, signal: AbortSignal): Promise<HttpResponse<Body>> {
    const answer = new StreamedAnswer();
    const breakOff = (reason: Error) => answer.breakOff(reason);
    const opened = await within(deadlineMs, signal, breakOff, async () => {
      const [{ watches }, options] = await this.#prepared(attempt);
      return answer.of(watches, options);
    });
    answer.endWith(signal);
    return opened;
  }

  /** Breaks off all requests. */
  async close(): Promise<void> {
    await Promise.all([this.#lines?.requests.destroy(), this.#lines?.watches.destroy()]);
  }

  /** The connections to use now, and an attempt as it is sent by them. */
  async #prepared({ method, path, headers, body }: Attempt): Promise<readonly [Lines, Dispatcher.DispatchOptions]> {
    const connection = await this.#source.current();
    const lines = this.#linesOf(connection);
    const { authorization } = connection;
    const options = {
      origin: lines.origin,
      path: lines.base + path,
      method,
      headers: { accept: 'application/json', ...(authorization !== undefined && { authorization }), ...headers },
      ...(body !== undefined && { body }),
    };
    return [lines, options];
  }

  /** Makes new connections where what identifies either side has changed. A new token alone needs none. */
  #linesOf(connection: Connection): Lines {
    if (this.#lines !== undefined && connection === this.#connection) return this.#lines;
    this.#connection = connection;
    const { url, ca, serverName, cert, key } = connection;
    const identity = JSON.stringify([url, ca, serverName, cert, key]);
    if (this.#lines !== undefined && identity === this.#identity) return this.#lines;
    this.#identity = identity;
    // What is under way on the old connections ends there.
    void this.#lines?.requests.close();
    void this.#lines?.watches.close();
    // Shared, since each connection would read the certificates again.
    const secureContext = createSecureContext({
      ...(ca === undefined ? {} : { ca }),
      ...(cert === undefined ? {} : { cert }),
      ...(key === undefined ? {} : { key }),
    });
    const options: Agent.Options = {
      allowH2: false,
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: IDLE_MS,
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: {
        timeout: CONNECT_MS,
        secureContext,
        ...(serverName === undefined ? {} : { servername: serverName }),
      },
    };
    const { origin, pathname } = new URL(url);
    const requests = new Agent({ ...options, connections: CONNECTIONS });
    return (this.#lines = {
      origin,
      base: pathname.replace(/\/$/, ''),
      requests: this.#gate === undefined ? requests : requests.compose(gatedBy(this.#gate)),
      watches: new Agent(options),
    });
  }
}

/**
 * Does `work`, which `breakOff` is to end when the time is up or `outer` is aborted.
 *
 * @throws what it was broken off for, where it was
 */
async function within<T>(
  ms: number,
  outer: AbortSignal | undefined,
  breakOff: (reason: Error) => void,
  work: () => Promise<T>,
): Promise<T> {
  outer?.throwIfAborted();
  let brokenOff: Error | undefined;
  const end = (reason: Error) => breakOff((brokenOff ??= reason));
  const abort = () => end(outer?.reason as Error);
  outer?.addEventListener('abort', abort, { once: true });
  const timer = setTimeout(
    () => end(new TransportError(`no answer within ${Math.round(ms)} ms`, 'DEADLINE', true)),
    ms,
  );
  try {
    return await work();
  } catch (error) {
    throw brokenOff ?? asTransportError(error);
  } finally {
    clearTimeout(timer);
    outer?.removeEventListener('abort', abort);
  }
}
