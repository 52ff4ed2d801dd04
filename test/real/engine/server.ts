import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { Answers, ApiError, type Asked, read } from './api.ts';
import type { Serve } from './command-line.ts';
import type { Knobs } from './knobs.ts';
import { Metrics } from './metrics.ts';
import { json, type Output, Streamed, Whole } from './output.ts';
import { Scheduler } from './scheduler.ts';

/** The version of vLLM whose HTTP and metrics this is. */
export const VLLM_VERSION = '0.30.0';

/** vLLM 0.30.0, envs.py, VLLM_HTTP_TIMEOUT_KEEP_ALIVE: connections at rest are closed after 5 s. */
const KEEP_ALIVE_MILLISECONDS = 5_000;

/** What a hidden path can order. */
export interface Orders {
  readonly exit: (code: number) => void;
  readonly allocate: (mib: number) => void;
  /** Answers nothing from now on. */
  readonly hang: () => void;
}

/** The HTTP server of the light engine. */
export class Engine {
  readonly scheduler: Scheduler;
  readonly server: Server;
  readonly #serve: Serve;
  readonly #knobs: Knobs;
  readonly #orders: Orders;
  readonly #metrics: Metrics;
  /** False once the engine is dead: vLLM's /health is 503 then. */
  healthy = true;
  /** Whether what is answered from now on ends its connection. */
  closing = false;

  constructor(serve: Serve, knobs: Knobs, orders: Orders) {
    this.#serve = serve;
    this.#knobs = knobs;
    this.#orders = orders;
    this.#metrics = new Metrics(serve.servedName);
    this.scheduler = new Scheduler({ ...serve, ...knobs }, this.#metrics);
    this.server = createServer((request, response) => void this.#answer(request, response));
    this.server.keepAliveTimeout = KEEP_ALIVE_MILLISECONDS;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // uvicorn 0.54.0, server.py, shutdown(): a connection that answers is closed when it is done.
    response.once('close', () => {
      if (this.closing) this.server.closeIdleConnections();
    });
    try {
      await this.#route(request, response);
    } catch (error) {
      // The client is gone in the middle of its request: nobody is left to tell.
      if (response.destroyed) return;
      const known =
        error instanceof ApiError ? error : new ApiError(500, 'InternalServerError', (error as Error).message);
      json(response, known.status, known.json());
    }
  }

  async #route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', 'http://engine');
    const control = this.#knobs.controlPath;
    if (control !== undefined && request.method === 'POST' && pathname.startsWith(`${control}/`)) {
      return this.#obey(pathname.slice(control.length + 1).split('/'), response);
    }
    const route = `${request.method} ${pathname}`;
    switch (route) {
      case 'GET /health':
        response.writeHead(this.healthy ? 200 : 503).end();
        return;
      case 'GET /version':
        return json(response, 200, { version: VLLM_VERSION });
      case 'GET /metrics':
        response.writeHead(200, { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' });
        response.end(this.#metrics.text(this.scheduler.load()));
        return;
      case 'GET /v1/models':
        return json(response, 200, { object: 'list', data: [this.#model()] });
      case 'POST /v1/chat/completions':
        return this.#generate('chat', await bodyOf(request), response);
      case 'POST /v1/completions':
        return this.#generate('completion', await bodyOf(request), response);
      default:
        return json(response, 404, { detail: 'Not Found' });
    }
  }

  #model(): object {
    const { servedName, model, maxModelLen } = this.#serve;
    const created = Math.floor(Date.now() / 1_000);
    return {
      id: servedName,
      object: 'model',
      created,
      owned_by: 'vllm',
      root: model,
      parent: null,
      max_model_len: maxModelLen,
    };
  }

  #generate(kind: Asked['kind'], body: string, response: ServerResponse): void {
    const asked = read(kind, body, { ...this.#serve, ...this.#knobs });
    const answers = new Answers(asked, this.#serve.servedName, Date.now());
    const { promptTokens, tokens, reason } = asked;
    let output: Output | undefined;
    const remove = this.scheduler.add({
      promptTokens,
      tokens,
      reason,
      onToken: (count) => output?.token(count, count === tokens),
      onEnd: (how) => output?.end(how),
    });
    output = asked.stream ? new Streamed(response, asked, answers) : new Whole(response, answers);
    // vLLM aborts a request whose client is gone.
    response.once('close', remove);
  }

  #obey([order, value]: readonly string[], response: ServerResponse): void {
    if (order === 'unhealthy') {
      // vLLM's watchdog would end the process within 5 s (launcher.py, watchdog_loop); here the kubelet has to.
      this.healthy = false;
    } else if (order === 'exit' && value !== undefined) {
      response.once('close', () => this.#orders.exit(Number(value)));
    } else if (order === 'hang') {
      response.once('close', () => this.#orders.hang());
    } else if (order === 'allocate' && value !== undefined) {
      this.#orders.allocate(Number(value));
    } else {
      throw new ApiError(
        404,
        'Not Found',
        `no order "${order}"; there are unhealthy, hang, exit/CODE and allocate/MIB`,
      );
    }
    response.writeHead(204).end();
  }
}

/** @throws {ApiError} for what does not say that it is JSON, which vLLM doesn't read either */
async function bodyOf(request: IncomingMessage): Promise<string> {
  const text = await textOf(request);
  if ((request.headers['content-type'] ?? '').startsWith('application/json')) return text;
  const message = "1 validation error:\n  Unsupported Media Type: Only 'application/json' is allowed";
  throw new ApiError(400, 'Bad Request', message);
}
