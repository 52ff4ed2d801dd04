import { setTimeout as sleep } from 'node:timers/promises';
import type { ConnectionSource } from './connection.ts';
import { AnswerTooLargeError, ApiError, TransportError } from './errors.ts';
import type { Gate } from './gate.ts';
import type { CallOptions } from './options.ts';
import { retryDelay } from './retry.ts';
import type { HttpResponse } from './receiver.ts';
import type { Body } from './streamed-answer.ts';
import { type Attempt, isUntrusted, Transport } from './transport.ts';

/** One attempt, for metrics. */
export interface Observation {
  /** `get`, `list`, `watch`, `create`, `apply`, `patch`, `replace`, `delete`, `log`. */
  readonly verb: string;
  /** The plural of the type, with the subresource: `deployments/status`. */
  readonly resource: string;
  /** Of the HTTP request, as is the path, which is without its query. */
  readonly method: string;
  readonly path: string;
  /** The HTTP status, or the code of the network error. */
  readonly code: string;
  /** Until the whole answer was there; of a watch, until its head was. */
  readonly seconds: number;
}

export interface KubeClientOptions {
  readonly connection: ConnectionSource;
  /** @default - every request may be sent */
  readonly gate?: Gate;
  /** @default - attempts are not observed */
  readonly observe?: (observation: Observation) => void;
  /** @default 'trunnion' */
  readonly userAgent?: string;
  /**
   * Whether a server that has never answered is tried again: anyone who waits at a terminal would rather know.
   *
   * @default true
   */
  readonly patient?: boolean;
}

/** A request as the client's verbs describe it. */
export interface Request extends Attempt, CallOptions {
  /** See `Observation`. */
  readonly verb: string;
  /** See `Observation`. */
  readonly resource: string;
  /** Whether doing it twice is the same as doing it once. */
  readonly repeatable: boolean;
}

const DEADLINE_MS = 60_000;

/** For one attempt. The API server lets a webhook take 30 s at most. */
const ATTEMPT_MS = 30_000;

/** Carries requests out: tries again where that is safe, renews refused credentials, tells what happened. */
export class Requester {
  readonly #source: ConnectionSource;
  readonly #transport: Transport;
  readonly #observe: (observation: Observation) => void;
  readonly #userAgent: string;
  /** Whether what fails is tried again. */
  #patient: boolean;

  constructor(options: KubeClientOptions) {
    this.#source = options.connection;
    this.#transport = new Transport(options.connection, options.gate);
    this.#observe = options.observe ?? (() => undefined);
    this.#userAgent = options.userAgent ?? 'trunnion';
    this.#patient = options.patient ?? true;
  }

  /** The body of the answer. */
  async text(request: Request): Promise<string> {
    return this.#repeat(request, async (attempt, deadlineMs) => {
      const answer = await this.#transport.send(attempt, deadlineMs, request.signal);
      if (answer.status >= 400) throw ApiError.from(answer.status, answer.body, answer.retryAfter);
      return answer;
    });
  }

  /** The body of the answer as it comes, until `signal` is aborted. */
  async stream(request: Request & { readonly signal: AbortSignal }): Promise<Body> {
    return this.#repeat(request, async (attempt, deadlineMs) => {
      const answer = await this.#transport.open(attempt, deadlineMs, request.signal);
      if (answer.status < 400) return answer;
      throw ApiError.from(answer.status, await firstText(answer.body), answer.retryAfter);
    });
  }

  async close(): Promise<void> {
    await this.#transport.close();
  }

  async #repeat<Content>(
    request: Request,
    send: (attempt: Attempt, deadlineMs: number) => Promise<HttpResponse<Content>>,
  ): Promise<Content> {
    const end = performance.now() + (request.deadlineMs ?? DEADLINE_MS);
    const attempt = { ...request, headers: { 'user-agent': this.#userAgent, ...request.headers } };
    for (let made = 1, renewed = false; ; made += 1) {
      const started = performance.now();
      try {
        const answer = await send(attempt, Math.min(ATTEMPT_MS, end - started));
        this.#report(request, String(answer.status), started);
        this.#patient = true;
        return answer.body;
      } catch (error) {
        this.#report(request, codeOf(error), started);
        if (!renewed && areCredentialsRefused(error)) {
          renewed = true;
          await this.#source.reload();
          continue;
        }
        const isHopeless = !this.#patient && error instanceof TransportError;
        const wait =
          request.retry === false || isHopeless
            ? undefined
            : retryDelay(error, made, request.repeatable, Math.random());
        if (wait === undefined || performance.now() + wait >= end) throw error;
        await sleep(wait, undefined, request.signal === undefined ? {} : { signal: request.signal });
      }
    }
  }

  #report({ verb, resource, method, path }: Request, code: string, started: number): void {
    const [address = ''] = path.split('?', 1);
    this.#observe({ verb, resource, method, path: address, code, seconds: (performance.now() - started) / 1000 });
  }
}

/** Nothing was done in either case, so any request may be sent again. */
function areCredentialsRefused(error: unknown): boolean {
  return (error instanceof ApiError && error.status === 401) || isUntrusted(error);
}

function codeOf(error: unknown): string {
  if (error instanceof ApiError) return String(error.status);
  if (error instanceof AnswerTooLargeError) return 'TOO_LARGE';
  return error instanceof TransportError ? error.code : 'ABORTED';
}

/** The body of a refused stream: short if it is the API server's, and cut if it is not. */
async function firstText(body: Body): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > 2 ** 16) break;
  }
  return text;
}
