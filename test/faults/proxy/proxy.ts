import { type IncomingMessage, type ServerResponse } from 'node:http';
import { Agent, createServer, request as httpsRequest, type Server } from 'node:https';
import { type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Exchange, parseExchange } from './exchange.ts';
import { History } from './history.ts';
import { isFrameFault, type RequestFault, RuleBook, type Signal } from './rules.ts';
import { type Beginning, dripInto, passOn } from './stream.ts';

export interface FaultProxyOptions {
  /** The real API server. */
  readonly upstream: { readonly url: string; readonly ca: string };
  /** What the proxy shows to its clients. */
  readonly tls: { readonly cert: string; readonly key: string };
  /** Called by a `kill` fault; must send the client the signal at once. */
  readonly onKill?: (signal: Signal) => void;
}

/** One request that went through, and what came of it. */
export interface Passed {
  readonly exchange: Exchange;
  /** The server's status; undefined where the server never saw it. */
  readonly status: number | undefined;
  readonly at: number;
  /** Of a write that was answered: the version of the object after it. */
  version?: string;
}

/** Whether it is a write that the server has carried out. */
export const isCarriedOut = ({ exchange, status }: Passed): boolean =>
  exchange.write && status !== undefined && status < 300;

/**
 * Stands between any Kubernetes client and a real API server, and does to their conversation what its rules say.
 *
 * TLS on both sides; the caller's own token is passed on, so that the server still sees who asks. HTTP/1.1 only.
 */
export class FaultProxy {
  readonly rules = new RuleBook();
  /** Every request that has been answered or lost, in order. */
  readonly log: Passed[] = [];
  readonly #options: FaultProxyOptions;
  readonly #agent: Agent;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #history = new History();
  #cut = false;

  private constructor(options: FaultProxyOptions) {
    this.#options = options;
    this.#agent = new Agent({ keepAlive: true, ca: options.upstream.ca });
    this.#server = createServer({ cert: options.tls.cert, key: options.tls.key, ALPNProtocols: ['http/1.1'] });
    this.#server.on('secureConnection', (socket) => this.#accept(socket));
    this.#server.on('request', (req, res) => void this.#serve(req, res).catch(() => res.destroy()));
    // Watches live for minutes and a stalled request forever: no limits of our own.
    this.#server.requestTimeout = 0;
    this.#server.timeout = 0;
  }

  static async start(options: FaultProxyOptions): Promise<FaultProxy> {
    const proxy = new FaultProxy(options);
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  /** On 127.0.0.1. */
  get port(): string {
    return `${(this.#server.address() as AddressInfo).port}`;
  }

  get url(): string {
    return `https://127.0.0.1:${this.port}`;
  }

  /** How many writes the server has carried out for this client. */
  get writes(): number {
    return this.log.filter(isCarriedOut).length;
  }

  /** A partition: resets every connection and refuses new ones. */
  cut(): void {
    this.#cut = true;
    this.dropConnections();
  }

  /** Ends the partition. */
  mend(): void {
    this.#cut = false;
  }

  /** Resets every connection, watches among them, once. */
  dropConnections(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async stop(): Promise<void> {
    this.dropConnections();
    this.#agent.destroy();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  #accept(socket: Socket): void {
    if (this.#cut) {
      socket.destroy();
      return;
    }
    this.#sockets.add(socket);
    socket.on('close', () => this.#sockets.delete(socket));
    socket.on('error', () => socket.destroy());
  }

  async #serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const exchange = parseExchange(req.method ?? 'GET', req.url ?? '/', req.headers['content-type']);
    const faults = this.rules.strike(exchange);
    const whole = faults.filter((fault) => !isFrameFault(fault));
    const body = await collect(req);
    for (const fault of whole) {
      if (await this.#before(fault, res)) {
        this.log.push({ exchange, status: undefined, at: Date.now() });
        return;
      }
    }
    const past = this.#pastOf(exchange, whole);
    const answer = await this.#forward(req, past === undefined ? (req.url ?? '/') : resumed(exchange, past), body);
    const passed: Passed = { exchange, status: answer.statusCode, at: Date.now() };
    this.log.push(passed);
    if (whole.some((fault) => this.#committed(fault, res))) {
      answer.destroy();
      return;
    }
    res.writeHead(answer.statusCode ?? 502, withoutHopHeaders(answer.headers));
    res.flushHeaders();
    const trickle = whole.find((fault) => fault.do === 'trickle');
    if (exchange.verb === 'watch') {
      const lists = exchange.query.get('sendInitialEvents') === 'true';
      const listen = this.#history.listener(streamOf(exchange), lists && past === undefined);
      passOn(answer, res, {
        faults: faults.filter(isFrameFault),
        lists,
        note: (text) => listen(text, performance.now()),
        ...(past !== undefined && answer.statusCode === 200 && { before: past }),
        ...(trickle !== undefined && { pieces: trickle.bytes }),
      });
    } else if (trickle === undefined) await this.#finish(answer, res, whole, passed);
    else {
      await dripInto(res, await collect(answer), trickle.bytes, trickle.everyMilliseconds);
      res.end();
    }
  }

  /** What a server in the past would say of a watch that begins with all that exists. */
  #pastOf(exchange: Exchange, faults: readonly RequestFault[]): Beginning | undefined {
    const travel = faults.find((fault) => fault.do === 'timeTravel');
    if (travel === undefined || !exchange.query.has('sendInitialEvents')) return undefined;
    const time = this.#history.timeOf(travel.to, performance.now());
    const past = time === undefined ? undefined : this.#history.at(streamOf(exchange), time);
    return past && { ...past, forMs: travel.catchUpAfterMilliseconds };
  }

  /** Carries out what affects a request before the server sees it; true where the server never will. */
  async #before(fault: RequestFault, res: ServerResponse): Promise<boolean> {
    switch (fault.do) {
      case 'delay':
        await sleep(fault.milliseconds);
        return false;
      case 'answer':
        res.writeHead(fault.status, { 'content-type': 'application/json', ...fault.headers });
        res.end(fault.body ?? '');
        return true;
      case 'reset':
        if (fault.at === 'before') res.socket?.destroy();
        return fault.at === 'before';
      case 'stall':
        return fault.at === 'before';
      case 'kill':
        if (fault.at !== 'before') return false;
        this.#options.onKill?.(fault.signal ?? 'SIGKILL');
        res.socket?.destroy();
        return true;
      case 'trickle':
      case 'truncate':
      case 'timeTravel':
        return false;
    }
  }

  /** The same after the server has committed; true where its answer must not be passed on. */
  #committed(fault: RequestFault, res: ServerResponse): boolean {
    if (!('at' in fault) || fault.at !== 'committed') return false;
    if (fault.do === 'kill') this.#options.onKill?.(fault.signal ?? 'SIGKILL');
    if (fault.do !== 'stall') res.socket?.destroy();
    return true;
  }

  async #finish(
    answer: IncomingMessage,
    res: ServerResponse,
    faults: readonly RequestFault[],
    passed: Passed,
  ): Promise<void> {
    const body = await collect(answer);
    const version = passed.exchange.write ? versionIn(body) : undefined;
    if (version !== undefined) passed.version = version;
    if (faults.some((fault) => fault.do === 'truncate')) {
      res.write(body.subarray(0, body.length / 2), () => res.socket?.destroy());
      return;
    }
    await new Promise<void>((resolve) => res.end(body, resolve));
    const kill = faults.find((fault) => fault.do === 'kill' && fault.at === 'answered');
    if (kill?.do === 'kill') this.#options.onKill?.(kill.signal ?? 'SIGKILL');
  }

  #forward(req: IncomingMessage, path: string, body: Buffer): Promise<IncomingMessage> {
    const url = new URL(path, this.#options.upstream.url);
    const headers = { ...req.headers, host: url.host, 'accept-encoding': 'identity' };
    return new Promise((resolve, reject) => {
      const upstream = httpsRequest(url, { method: req.method, headers, agent: this.#agent }, resolve);
      upstream.on('error', reject);
      upstream.end(body);
    });
  }
}

async function collect(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** The answer's headers, but for those that are about one hop or about a body that is sent again. */
function withoutHopHeaders(headers: IncomingMessage['headers']): IncomingMessage['headers'] {
  const kept = { ...headers };
  for (const name of ['connection', 'keep-alive', 'transfer-encoding', 'content-length']) delete kept[name];
  return kept;
}

/** The version of the object that an answer holds, where it holds one. Of one that is gone by it, it is that before. */
function versionIn(body: Buffer): string | undefined {
  try {
    const { metadata = {} } = JSON.parse(body.toString()) as Answer;
    const isGone = metadata.deletionTimestamp !== undefined && (metadata.finalizers ?? []).length === 0;
    return isGone ? undefined : metadata.resourceVersion;
  } catch {
    return undefined;
  }
}

interface Answer {
  readonly metadata?: {
    readonly resourceVersion?: string;
    readonly deletionTimestamp?: string;
    readonly finalizers?: readonly string[];
  };
}

/** Watches of the same path and selection tell the same history. */
const streamOf = ({ path, query }: Exchange): string => `${path} ${query.get('labelSelector') ?? ''}`;

/** The same watch, from where the past ends. */
function resumed({ path, query }: Exchange, { version }: Beginning): string {
  const from = new URLSearchParams(query);
  from.delete('sendInitialEvents');
  from.delete('resourceVersionMatch');
  from.set('resourceVersion', version);
  return `${path}?${from.toString()}`;
}
