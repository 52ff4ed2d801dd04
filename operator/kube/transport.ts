import type { Readable } from 'node:stream';
import { createSecureContext } from 'node:tls';
import type { Agent as AgentType, Dispatcher } from 'undici';
import type { Connection, ConnectionSource } from './connection.ts';
import { asTransportError, TransportError } from './errors.ts';
import { type Gate, gatedBy } from './gate.ts';
import { Agent, request } from './http.ts';

/** One attempt at a request. */
export interface Attempt {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path and query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** What came back. */
export interface Answer<Body> {
  readonly status: number;
  readonly retryAfter: string | string[] | undefined;
  readonly body: Body;
}

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
  #requests: Dispatcher | undefined;
  #watches: Dispatcher | undefined;

  constructor(source: ConnectionSource, gate?: Gate) {
    this.#source = source;
    this.#gate = gate;
  }

  /** Sends a request and reads the whole answer. */
  async send(attempt: Attempt, deadlineMs: number, signal?: AbortSignal): Promise<Answer<string>> {
    return within(deadlineMs, signal, async (limit) => {
      const connection = await this.#source.current();
      this.#connect(connection);
      const { body, ...answer } = await dispatch(this.#requests, connection, attempt, limit);
      return { ...answer, body: await body.text() };
    });
  }

  /**
   * Sends a request and hands over the answer's body as it comes. The deadline holds until the head of the answer;
   * from then on `signal` ends it.
   */
  async open(attempt: Attempt, deadlineMs: number, signal: AbortSignal): Promise<Answer<Readable>> {
    const stream = new AbortController();
    const abort = () => stream.abort(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    try {
      return await within(deadlineMs, signal, async (limit) => {
        limit.addEventListener('abort', () => stream.abort(limit.reason), { once: true });
        const connection = await this.#source.current();
        this.#connect(connection);
        const answer = await dispatch(this.#watches, connection, attempt, stream.signal);
        answer.body.once('close', () => signal.removeEventListener('abort', abort));
        return answer;
      });
    } catch (error) {
      signal.removeEventListener('abort', abort);
      throw error;
    }
  }

  /** Breaks off all requests. */
  async close(): Promise<void> {
    await Promise.all([this.#requests?.destroy(), this.#watches?.destroy()]);
  }

  /** Makes new connections where what identifies either side has changed. A new token alone needs none. */
  #connect(connection: Connection): void {
    if (connection === this.#connection) return;
    this.#connection = connection;
    const { url, ca, serverName, cert, key } = connection;
    const identity = JSON.stringify([url, ca, serverName, cert, key]);
    if (identity === this.#identity) return;
    this.#identity = identity;
    // What is under way on the old connections ends there.
    void this.#requests?.close();
    void this.#watches?.close();
    // Shared, since each connection would read the certificates anew.
    const secureContext = createSecureContext({
      ...(ca === undefined ? {} : { ca }),
      ...(cert === undefined ? {} : { cert }),
      ...(key === undefined ? {} : { key }),
    });
    const options: AgentType.Options = {
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
    const requests = new Agent({ ...options, connections: CONNECTIONS });
    this.#requests = this.#gate === undefined ? requests : requests.compose(gatedBy(this.#gate));
    this.#watches = new Agent(options);
  }
}

async function dispatch(
  dispatcher: Dispatcher | undefined,
  connection: Connection,
  attempt: Attempt,
  signal: AbortSignal,
): Promise<Answer<Dispatcher.ResponseData['body']>> {
  if (dispatcher === undefined) throw new TransportError('not connected', 'CLOSED', false);
  const base = new URL(connection.url);
  const { statusCode, headers, body } = await request(dispatcher, {
    origin: base.origin,
    path: base.pathname.replace(/\/$/, '') + attempt.path,
    method: attempt.method,
    headers: {
      accept: 'application/json',
      ...(connection.authorization === undefined ? {} : { authorization: connection.authorization }),
      ...attempt.headers,
    },
    ...(attempt.body === undefined ? {} : { body: attempt.body }),
    signal,
  });
  return { status: statusCode, retryAfter: headers['retry-after'], body };
}

/** Runs `work` with a signal that ends it when the time is up or `outer` is aborted. */
async function within<T>(ms: number, outer: AbortSignal | undefined, work: (signal: AbortSignal) => Promise<T>) {
  outer?.throwIfAborted();
  const limit = new AbortController();
  const abort = () => limit.abort(outer?.reason);
  outer?.addEventListener('abort', abort, { once: true });
  const timer = setTimeout(
    () => limit.abort(new TransportError(`no answer within ${Math.round(ms)} ms`, 'DEADLINE', true)),
    ms,
  );
  try {
    return await work(limit.signal);
  } catch (error) {
    throw limit.signal.aborted ? limit.signal.reason : asTransportError(error);
  } finally {
    clearTimeout(timer);
    outer?.removeEventListener('abort', abort);
  }
}
