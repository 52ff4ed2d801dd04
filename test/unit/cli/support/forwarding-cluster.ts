import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { onTestFinished } from 'vitest';
import type { KubeObject } from '../../../../operator/kube/index.ts';
import { selfSigned } from '../../weights/support/certificate.ts';

/** What the API server says that it serves. */
const SERVED: Readonly<Record<string, object>> = {
  '/api/v1/namespaces/models': { metadata: { name: 'models' } },
  '/apis/trunnion.dev/v1alpha1': {
    resources: ['modelservings', 'agentservices', 'distributedtrainings'].map((name) => ({ name, verbs: ['create'] })),
  },
};

/** How a pod is connected to: it answers as a program does, refuses with a status, never answers, or has nobody who listens. */
export type PodPort = RequestListener | number | 'silent' | 'closed';

/** What a cluster has. */
export interface Contents {
  /** By path; a number is a status. */
  readonly objects: Readonly<Record<string, object | number>>;
  /** By the name of the pod. */
  readonly ports?: Readonly<Record<string, PodPort>>;
}

/** A list of objects. */
export const itemsOf = (...items: readonly KubeObject[]): object => ({
  kind: 'List',
  metadata: { resourceVersion: '1' },
  items,
});

/** An API server that answers by path, and forwards ports of pods to programs of the test. */
export class ForwardingCluster {
  readonly kubeconfig: string;
  /** Pods that were connected to, in order. */
  readonly connected: string[] = [];
  /** Paths that were asked for, in order. */
  readonly asked: string[] = [];
  readonly #sockets = new Map<string, Duplex>();

  private constructor(kubeconfig: string) {
    this.kubeconfig = kubeconfig;
  }

  static async start({ objects, ports = {} }: Contents): Promise<ForwardingCluster> {
    const { key, cert } = selfSigned();
    const server = createServer({ key, cert }, (request, response) => {
      const { pathname } = new URL(request.url ?? '', 'https://x');
      cluster.asked.push(pathname);
      const found = objects[pathname] ?? SERVED[pathname] ?? 404;
      const body = typeof found === 'number' ? statusOf(found, pathname) : found;
      response.writeHead(typeof found === 'number' ? found : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const sockets = new Set<Duplex>();
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
      server.closeAllConnections();
      server.close();
    });
    const cluster = new ForwardingCluster(kubeconfigOf((server.address() as AddressInfo).port, cert));
    const programs = await programsOf(ports);
    server.on('upgrade', (request, socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined);
      const [, pod = ''] = /\/pods\/([^/]+)\/portforward/.exec(request.url ?? '') ?? [];
      cluster.connected.push(pod);
      cluster.#sockets.set(pod, socket);
      const port = programs[pod] ?? 404;
      if (port === 'silent') return;
      if (typeof port === 'number' && port < 1_000) return void socket.end(`HTTP/1.1 ${port} No\r\n\r\n`);
      socket.write(handshake(request.headers['sec-websocket-key'] ?? ''));
      forward(socket, port === 'closed' ? undefined : connect(port, '127.0.0.1'));
    });
    return cluster;
  }

  /** Ends all that is connected to a pod, as when its node dies. */
  kill(pod: string): void {
    this.#sockets.get(pod)?.destroy();
  }
}

const statusOf = (code: number, path: string) => ({
  kind: 'Status',
  apiVersion: 'v1',
  status: 'Failure',
  code,
  message: code === 403 ? `${path} is forbidden: User "ann" has no right` : `${path} is not there`,
});

/** The ports of the programs of pods; other answers stay as they are. */
async function programsOf(ports: Readonly<Record<string, PodPort>>) {
  const programs: Record<string, number | 'silent' | 'closed'> = {};
  for (const [pod, port] of Object.entries(ports)) {
    if (typeof port !== 'function') {
      programs[pod] = port;
      continue;
    }
    const program = createHttpServer(port);
    program.listen(0, '127.0.0.1');
    await once(program, 'listening');
    onTestFinished(() => {
      program.closeAllConnections();
      program.close();
    });
    programs[pod] = (program.address() as AddressInfo).port;
  }
  return programs;
}

/** RFC 6455, section 1.3. */
function handshake(key: string): string {
  const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
  const head = ['HTTP/1.1 101 Switching Protocols', 'Upgrade: websocket', 'Connection: Upgrade'];
  return [...head, `Sec-WebSocket-Accept: ${accept}`, 'Sec-WebSocket-Protocol: v4.channel.k8s.io', '', ''].join('\r\n');
}

/** As a kubelet: each channel begins with the number of its port. */
function forward(socket: Duplex, program: Socket | undefined): void {
  for (const channel of [0, 1]) socket.write(frame(Buffer.from([channel, 0x40, 0x1f])));
  if (program === undefined) {
    socket.write(frame(Buffer.from('\u0001failed to connect to localhost:8000: connection refused')));
    return;
  }
  program.on('data', (chunk: Buffer) => socket.write(frame(Buffer.concat([Buffer.from([0]), chunk]))));
  program.on('end', () => socket.end());
  program.on('error', () => socket.destroy());
  socket.on('close', () => program.destroy());
  let rest = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    for (let read = messageIn(rest); read !== undefined; read = messageIn(rest)) {
      rest = rest.subarray(read.length);
      if (read.opcode === 2) program.write(read.content.subarray(1));
    }
  });
}

/** A binary frame of a server, which is not masked. */
function frame(content: Buffer): Buffer {
  const { length } = content;
  const head = length < 126 ? Buffer.from([0x82, length]) : Buffer.from([0x82, 126, length >> 8, length & 0xff]);
  return Buffer.concat([head, content]);
}

/** The first frame of a client, as far as it is there: it is masked. */
function messageIn(bytes: Buffer): { opcode: number; content: Buffer; length: number } | undefined {
  if (bytes.length < 2) return undefined;
  const [first = 0, second = 0] = bytes;
  const short = second & 0x7f;
  const at = short === 126 ? 4 : 2;
  if (bytes.length < at + 4) return undefined;
  const size = short === 126 ? bytes.readUInt16BE(2) : short;
  const length = at + 4 + size;
  if (bytes.length < length) return undefined;
  const mask = bytes.subarray(at, at + 4);
  const content = bytes.subarray(at + 4, length).map((byte, index) => byte ^ (mask[index % 4] ?? 0));
  return { opcode: first & 0x0f, content: Buffer.from(content), length };
}

function kubeconfigOf(port: number, ca: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'trunnion-chat-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'kubeconfig');
  const cluster = {
    server: `https://127.0.0.1:${port}`,
    'certificate-authority-data': Buffer.from(ca).toString('base64'),
  };
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'a',
    contexts: [{ name: 'a', context: { cluster: 'a', user: 'a', namespace: 'models' } }],
    clusters: [{ name: 'a', cluster }],
    users: [{ name: 'a', user: { token: 't' } }],
  };
  writeFileSync(file, JSON.stringify(config));
  return file;
}
