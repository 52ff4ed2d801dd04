import { createServer } from 'node:http';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Certificate } from './certificate.ts';

/** A request that a host has seen. */
export interface Seen {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly range: string | undefined;
  readonly headers: IncomingMessage['headers'];
  /** How many bytes of content were sent in answer. */
  sent: number;
}

/** Where a host listens. */
export interface Listening {
  readonly address: string;
  readonly port: number;
}

/** A free port of the loopback. */
const LOOPBACK: Listening = { address: '127.0.0.1', port: 0 };

/** A web server that remembers what it was asked. */
export interface Host extends AsyncDisposable {
  readonly origin: string;
  readonly requests: Seen[];
}

/** What answers a request. */
export type Handler = (
  request: IncomingMessage,
  response: ServerResponse,
  seen: Seen,
  url: URL,
) => void | Promise<void>;

/** Starts a host, on a free port of the loopback if not told otherwise. */
export async function startHost(handle: Handler, certificate?: Certificate, listening = LOOPBACK): Promise<Host> {
  const requests: Seen[] = [];
  const listener: RequestListener = (request, response) => {
    const { method = 'GET', url = '/', headers } = request;
    const seen: Seen = { method, url, range: headers.range, headers, sent: 0 };
    requests.push(seen);
    Promise.resolve(handle(request, response, seen, new URL(url, 'http://host'))).catch((error: unknown) => {
      response.destroy(error instanceof Error ? error : new Error(String(error)));
    });
  };
  const server = certificate ? createTlsServer(certificate, listener) : createServer(listener);
  await new Promise<void>((resolve) => server.listen(listening.port, listening.address, resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `${certificate ? 'https' : 'http'}://127.0.0.1:${port}`,
    requests,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** How the sending of content goes wrong. */
export interface Fault {
  /** The connection breaks after so many bytes of this answer. */
  readonly cutAfter?: number;
  /** Nothing more comes after so many bytes of this answer; the connection stays. */
  readonly stallAfter?: number;
  /** A pause between pieces, in milliseconds. */
  readonly pauseMs?: number;
  /** Range is not honoured. */
  readonly whole?: boolean;
}

const PIECE = 16 * 1024;

/** Sends content as a web server does, from where Range says. */
export async function send(
  request: IncomingMessage,
  response: ServerResponse,
  seen: Seen,
  content: Buffer,
  headers: Readonly<Record<string, string>> = {},
  fault: Fault = {},
): Promise<void> {
  const match = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '');
  const ranged = match !== null && fault.whole !== true;
  const from = ranged ? Number(match[1]) : 0;
  const to = ranged && match[2] ? Number(match[2]) + 1 : content.length;
  const body = content.subarray(from, to);
  response.writeHead(ranged ? 206 : 200, {
    'content-length': body.length,
    'accept-ranges': 'bytes',
    ...(ranged && { 'content-range': `bytes ${from}-${to - 1}/${content.length}` }),
    ...headers,
  });
  for (let at = 0; at < body.length && !response.destroyed; at += PIECE) {
    const limit = fault.cutAfter ?? fault.stallAfter ?? Number.POSITIVE_INFINITY;
    const piece = body.subarray(at, Math.min(at + PIECE, limit));
    if (piece.length > 0) {
      await new Promise<void>((resolve) => response.write(piece, () => resolve()));
      seen.sent += piece.length;
    }
    if (at + PIECE >= limit) {
      if (fault.cutAfter !== undefined) response.destroy();
      return;
    }
    if (fault.pauseMs !== undefined) await new Promise((resolve) => setTimeout(resolve, fault.pauseMs));
  }
  response.end();
}

/** Answers with JSON. */
export function sendJson(
  response: ServerResponse,
  value: unknown,
  status = 200,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
}
