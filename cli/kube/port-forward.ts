import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { Agent, buildConnector, WebSocket } from 'undici';
import { plainText } from '../../constructs/parts/values/index.ts';
import type { Connection, ObjectRef } from '../../operator/kube/index.ts';
import { CliError } from '../errors.ts';

/**
 * The protocol of a kubelet for forwarded ports: the first byte of each message is its channel, and the first message of a
 * channel is the port's number. Kubernetes 1.36, k8s.io/kubelet, pkg/cri/streaming/portforward/websocket.go.
 */
const PROTOCOL = 'v4.channel.k8s.io';
const DATA = 0;
const ERROR = 1;

/** Longest words of a kubelet that are told. */
const LONGEST_WORDS = 1_000;

/** How long the other end may take to close as well. */
const CLOSING_MILLISECONDS = 500;

/** So many bytes a channel begins with: the number of its port. */
const PORT_BYTES = 2;

/**
 * A connection to a port of a pod, by way of the API server and the kubelet, as `kubectl port-forward` makes it: no
 * NetworkPolicy is in its way. It needs the right to get `pods/portforward`, which is how a WebSocket begins, and from Kubernetes 1.35
 * on that to create it as well (k8s.io/kubernetes 1.36.3, pkg/registry/core/pod/rest/subresources.go).
 *
 * @throws where the API server refuses, and where nothing listens there, both in one sentence
 */
export async function portForward(
  connection: Connection,
  pod: ObjectRef,
  port: number,
  signal: AbortSignal,
): Promise<Duplex> {
  signal.throwIfAborted();
  const { ca, cert, key, serverName, authorization } = connection;
  // A WebSocket begins with a request of HTTP/1.1.
  const connectTo = buildConnector({ ca, cert, key, servername: serverName, allowH2: false });
  let wire: Socket | undefined;
  const agent = new Agent({
    connect: (options, done) =>
      connectTo(options, (...result) => {
        wire = result[1] ?? undefined;
        done(...result);
      }),
  });
  const path = `/api/v1/namespaces/${pod.namespace}/pods/${pod.name}/portforward?ports=${port}`;
  const socket = new WebSocket(`${connection.url.replace(/^http/, 'ws')}${path}`, {
    protocols: PROTOCOL,
    dispatcher: agent,
    ...(authorization !== undefined && { headers: { authorization } }),
  });
  socket.binaryType = 'arraybuffer';
  const closed = new Promise<void>((resolve) => socket.addEventListener('close', () => resolve()));
  void closed.then(() => agent.destroy());
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => resolve());
    socket.addEventListener('error', ({ error }) => reject(broken(pod, error)));
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  }).catch((error: unknown) => {
    // A server that answers nothing is waited for no longer.
    void agent.destroy();
    throw error;
  });
  return new ForwardedPort(socket, wire, pod);
}

function broken({ namespace, name }: ObjectRef, error: unknown): CliError {
  // A handshake that is answered otherwise has no words of the server.
  const words = error instanceof Error ? plainText(error.message.trim(), { max: LONGEST_WORDS }) : '';
  return new CliError(
    `no connection to the pod ${namespace}/${name} by way of the API server: ${words === '' ? 'it was refused' : words}`,
  );
}

class ForwardedPort extends Duplex {
  readonly #socket: WebSocket;
  readonly #wire: Socket | undefined;
  readonly #begun = new Set<number>();

  constructor(socket: WebSocket, wire: Socket | undefined, pod: ObjectRef) {
    super();
    this.#socket = socket;
    this.#wire = wire;
    socket.addEventListener('message', ({ data }) => this.#receive(Buffer.from(data as ArrayBuffer), pod));
    socket.addEventListener('close', () => this.push(null));
    socket.addEventListener('error', ({ error }) => this.destroy(broken(pod, error)));
  }

  #receive(message: Buffer, pod: ObjectRef): void {
    const channel = message[0] ?? DATA;
    const isFirst = !this.#begun.has(channel);
    this.#begun.add(channel);
    const content = message.subarray(isFirst ? 1 + PORT_BYTES : 1);
    if (content.length === 0) return;
    if (channel === ERROR) this.destroy(broken(pod, new Error(content.toString('utf8'))));
    else this.push(content);
  }

  override _read(): void {
    // What comes is pushed: a WebSocket can't be told to wait.
  }

  override _write(chunk: Buffer, _: BufferEncoding, done: (error?: Error) => void): void {
    this.#socket.send(new Uint8Array([DATA, ...chunk]));
    done();
  }

  override _final(done: (error?: Error) => void): void {
    this.#close();
    done();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#close();
    done(error);
  }

  /** A server that does not close as well would keep this process from its end. */
  #close(): void {
    this.#socket.close();
    setTimeout(() => this.#wire?.destroy(), CLOSING_MILLISECONDS).unref();
  }
}
