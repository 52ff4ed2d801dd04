import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { AddressInfo } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';

// To import it would read all that it exports, and WebSocket among that brings all of Node's own undici along.
const { createServer } = process.getBuiltinModule('node:http');

export interface ServerOptions {
  /** 0 takes any that is free. */
  readonly port: number;
  /**
   * The address to listen on.
   *
   * @default - all
   */
  readonly host?: string;
  /** What keeps the operator from being ready; undefined where nothing does. */
  readonly unready: () => string | undefined;
  /** All metrics in Prometheus' text format, in pieces. */
  readonly metrics: () => AsyncGenerator<string>;
  /**
   * Median delay of the event loop since the last probe, in milliseconds, above which the process counts as dead: it
   * reacts to nothing in time, and its lease has long been another's. One long pause is none.
   *
   * @default 2000
   */
  readonly deadLoopMs?: number;
}

/** Answers the kubelet's probes and Prometheus. */
export interface ProbeServer {
  readonly port: number;
  close(): Promise<void>;
}

const TEXT = { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' };

/** Serves `/healthz`, `/readyz` and `/metrics`. */
export async function serveProbes(options: ServerOptions): Promise<ProbeServer> {
  const { port, host, unready, metrics, deadLoopMs = 2_000 } = options;
  const loop = monitorEventLoopDelay({ resolution: 20 });
  loop.enable();
  const server = createServer((request, response) => {
    const path = (request.url ?? '').split('?')[0];
    if (path === '/healthz') answerProbe(response, lateness(loop, deadLoopMs));
    else if (path === '/readyz') answerProbe(response, unready());
    else if (path === '/metrics') void answerMetrics(response, metrics);
    else answer(response, 404, 'there are /healthz, /readyz and /metrics\n');
  });
  // Nobody who is slow to ask, or never ends, may hold a connection.
  server.requestTimeout = 10_000;
  server.headersTimeout = 5_000;
  server.maxConnections = 100;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, ...(host !== undefined && { host }) }, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      loop.disable();
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function lateness(loop: ReturnType<typeof monitorEventLoopDelay>, deadLoopMs: number): string | undefined {
  const medianMs = loop.percentile(50) / 1e6;
  loop.reset();
  return medianMs > deadLoopMs ? `the event loop is ${Math.round(medianMs)} ms late` : undefined;
}

function answerProbe(response: ServerResponse, trouble: string | undefined): void {
  answer(response, trouble === undefined ? 200 : 503, `${trouble ?? 'ok'}\n`);
}

/** As it is made, and no faster than it is read: nowhere is the text of thousands of resources as a whole. */
async function answerMetrics(response: ServerResponse, metrics: () => AsyncGenerator<string>): Promise<void> {
  try {
    const pieces = metrics();
    const { value: first = '' } = await pieces.next();
    response.writeHead(200, TEXT).write(first);
    await pipeline(Readable.from(pieces), response);
  } catch (error) {
    // One who went away before the end is told nothing.
    if (!response.headersSent) answer(response, 500, `${error instanceof Error ? error.message : String(error)}\n`);
  }
}

function answer(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, TEXT).end(body);
}
