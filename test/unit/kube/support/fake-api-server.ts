import { createServer, type Server } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { connect, KubeClient, type KubeClientOptions } from '../../../../operator/kube/index.ts';
import { type Certificate, selfSigned } from '../../weights/support/certificate.ts';

/** What arrived. */
export interface Received {
  readonly kind: 'stream' | 'watch' | 'list' | 'other';
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly authorization: string | undefined;
  readonly contentType: string | undefined;
  readonly body: string;
}

/** How one request is answered. */
export type Reply = (response: ServerResponse, request: Received) => unknown;

/** Replies by kind of request, one after the other; the last one stays. */
export type Script = Partial<Record<Received['kind'], readonly Reply[]>>;

/** An API server over TLS on 127.0.0.1 that does as its script says, and keeps what it was asked. */
export class FakeApiServer {
  readonly received: Received[] = [];
  readonly certificate: Certificate;
  /** TLS connections, as far as they came about. */
  connections = 0;
  readonly #server: Server;
  readonly #script: Script;
  readonly #counts = new Map<string, number>();

  constructor(script: Script, certificate: Certificate = selfSigned()) {
    this.#script = script;
    this.certificate = certificate;
    this.#server = createServer({ key: certificate.key, cert: certificate.cert }, (request, response) => {
      void this.#answer(request, response);
    });
    this.#server.on('secureConnection', () => (this.connections += 1));
  }

  static async start(script: Script, certificate?: Certificate, port = 0): Promise<FakeApiServer> {
    const server = new FakeApiServer(script, certificate);
    await new Promise<void>((resolve) => server.#server.listen(port, '127.0.0.1', resolve));
    onTestFinished(() => server.stop());
    return server;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `https://127.0.0.1:${this.port}`;
  }

  client(options: Partial<KubeClientOptions> = {}): KubeClient {
    const fixed = { url: this.url, ca: this.certificate.cert, authorization: 'Bearer t', namespace: 'default' };
    const client = new KubeClient({ connection: connect({ from: 'fixed', connection: fixed }), ...options });
    onTestFinished(() => client.close());
    return client;
  }

  /** How the requests of a kind came, one string each. */
  paths(kind: Received['kind']): string[] {
    return this.received
      .filter((request) => request.kind === kind)
      .map(({ path, query }) => `${path}?${query.toString()}`);
  }

  count(kind: Received['kind']): number {
    return this.paths(kind).length;
  }

  /** Dies as with SIGKILL. */
  async stop(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '', 'https://x');
    const received: Received = {
      kind: kindOf(request.method ?? '', pathname, searchParams),
      method: request.method ?? '',
      path: pathname,
      query: searchParams,
      authorization: request.headers.authorization,
      contentType: request.headers['content-type'],
      body: await text(request),
    };
    this.received.push(received);
    const replies = this.#script[received.kind] ?? [];
    const count = this.#counts.get(received.kind) ?? 0;
    this.#counts.set(received.kind, count + 1);
    const reply = replies[Math.min(count, replies.length - 1)] ?? status(404);
    await reply(response, received);
  }
}

function kindOf(method: string, path: string, query: URLSearchParams): Received['kind'] {
  if (query.has('sendInitialEvents')) return 'stream';
  if (query.has('watch')) return 'watch';
  return method === 'GET' && path.endsWith('s') ? 'list' : 'other';
}

/** A Status with a code. */
export function status(code: number, fields: object = {}, headers: Readonly<Record<string, string>> = {}): Reply {
  return json({ kind: 'Status', apiVersion: 'v1', status: 'Failure', code, ...fields }, code, headers);
}

export function json(body: unknown, code = 200, headers: Readonly<Record<string, string>> = {}): Reply {
  return (response) => {
    response.writeHead(code, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  };
}

/** A list of objects at a version. */
export function list(version: number, objects: readonly object[], token?: string): Reply {
  const metadata = { resourceVersion: `${version}`, ...(token === undefined ? {} : { continue: token }) };
  return json({ kind: 'ConfigMapList', apiVersion: 'v1', metadata, items: objects });
}

/** Frames of a watch, and how it continues after them: it stays open, the server ends it, or the connection breaks. */
export function frames(lines: readonly (object | string)[], then: 'open' | 'end' | 'reset' = 'open'): Reply {
  return (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.flushHeaders();
    for (const line of lines) response.write(typeof line === 'string' ? line : `${JSON.stringify(line)}\n`);
    if (then === 'end') response.end();
    // Not before what was written has left.
    if (then === 'reset') setTimeout(() => response.socket?.destroy(), 20);
  };
}

/** A ConfigMap. */
export function object(name: string, version: number, uid = name): object {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace: 'd', uid, resourceVersion: `${version}`, creationTimestamp: '2026-01-01T00:00:00Z' },
  };
}

export const added = (name: string, version: number, uid?: string) => ({
  type: 'ADDED',
  object: object(name, version, uid),
});
export const modified = (name: string, version: number, uid?: string) => ({
  type: 'MODIFIED',
  object: object(name, version, uid),
});
export const deleted = (name: string, version: number, uid?: string) => ({
  type: 'DELETED',
  object: object(name, version, uid),
});
export const bookmark = (version: number) => ({
  type: 'BOOKMARK',
  object: { metadata: { resourceVersion: `${version}` } },
});
export const initialEnd = (version: number) => ({
  type: 'BOOKMARK',
  object: { metadata: { resourceVersion: `${version}`, annotations: { 'k8s.io/initial-events-end': 'true' } } },
});
export const failure = (code: number, reason: string) => ({
  type: 'ERROR',
  object: { kind: 'Status', code, reason, message: reason },
});
