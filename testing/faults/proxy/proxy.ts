import { type IncomingMessage, type ServerResponse } from 'node:http';
import { Agent, createServer, request as httpsRequest, type Server } from 'node:https';
import { type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  collect,
  endAfter,
  isEndless,
  readableOnly,
  resumed,
  startAnswer,
  streamOf,
  type Written,
  writtenIn,
} from './answers.ts';
import { type Exchange, parseExchange } from './exchange.ts';
import { History } from './history.ts';
import { type Fault, isFrameFault, type RequestFault, RuleBook, type Signal } from './rules.ts';
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
  /** Of a write that was carried out: its object, as the server answered. */
  written?: Written;
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
  /** The resources of which a watch or a list has told an object. */
  readonly reported = new Set<string>();
  readonly #options: FaultProxyOptions;
  readonly #agent: Agent;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #history = new History();
  /** Where a list of the past has ended, and how long the watch that continues from there learns of nothing. */
  readonly #behind = new Map<string, { readonly version: string; readonly forMs: number }>();
  #cut = false;
  #writes = 0;

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
    return this.#writes;
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
        this.#note({ exchange, status: undefined, at: Date.now() });
        return;
      }
    }
    const stream = streamOf(exchange, req.headers.accept);
    const past = this.#pastOf(exchange, stream, whole);
    if (past !== undefined && exchange.verb === 'list') {
      this.#behind.set(stream, past);
      this.#note({ exchange, status: 200, at: Date.now() });
      res.writeHead(200, { 'content-type': 'application/json' });
      res.end(past.list);
      return;
    }
    const answer = await this.#forward(req, past === undefined ? (req.url ?? '/') : resumed(exchange, past), body);
    const passed: Passed = { exchange, status: answer.statusCode, at: Date.now() };
    this.#note(passed);
    if (exchange.verb === 'watch') this.#passOn(answer, res, { exchange, stream, faults, past });
    else await this.#finish(answer, res, whole, { passed, stream });
  }

  #note(passed: Passed): void {
    this.log.push(passed);
    if (isCarriedOut(passed)) this.#writes += 1;
  }

  #passOn(answer: IncomingMessage, res: ServerResponse, { exchange, stream, faults, past }: Watched): void {
    const whole = faults.filter((fault) => !isFrameFault(fault));
    if (whole.some((fault) => this.#committed(fault, res))) {
      answer.destroy();
      return;
    }
    startAnswer(answer, res);
    const trickle = whole.find((fault) => fault.do === 'trickle');
    const lists = exchange.query.get('sendInitialEvents') === 'true';
    const listen = this.#history.listener(stream, lists && past === undefined);
    passOn(answer, res, {
      faults: faults.filter(isFrameFault),
      lists,
      note: (text) => {
        if (text.startsWith('{"type":"ADDED"')) this.reported.add(exchange.resource ?? '');
        listen(text, performance.now());
      },
      ...(past !== undefined && answer.statusCode === 200 && { before: past }),
      ...(trickle !== undefined && { pieces: trickle.bytes }),
    });
  }

  /** What a server in the past would say to somebody who asks for all that exists, or who continues from what it said. */
  #pastOf(exchange: Exchange, stream: string, faults: readonly RequestFault[]): Beginning | undefined {
    const behind = this.#behind.get(stream);
    if (exchange.verb === 'watch' && behind?.version === exchange.query.get('resourceVersion')) {
      this.#behind.delete(stream);
      return { frames: [], list: '', ...behind };
    }
    const travel = faults.find((fault) => fault.do === 'timeTravel');
    // A list without a version, or from another one than 0, is told nothing older than that.
    const mayBeOld =
      exchange.query.has('sendInitialEvents') ||
      (exchange.verb === 'list' && exchange.query.get('resourceVersion') === '0');
    if (travel === undefined || !mayBeOld) return undefined;
    const time = this.#history.timeOf(travel.to, performance.now());
    const past = time === undefined ? undefined : this.#history.at(stream, time);
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
        if (fault.at === 'before') endAfter(fault.milliseconds, res);
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
    if (fault.do === 'stall') endAfter(fault.milliseconds, res);
    else res.socket?.destroy();
    return true;
  }

  async #finish(
    answer: IncomingMessage,
    res: ServerResponse,
    faults: readonly RequestFault[],
    { passed, stream }: { readonly passed: Passed; readonly stream: string },
  ): Promise<void> {
    const { exchange, status = 502 } = passed;
    if (isEndless(exchange)) {
      startAnswer(answer, res);
      answer.pipe(res);
      res.on('close', () => answer.destroy());
      return;
    }
    const body = await collect(answer);
    if (isCarriedOut(passed)) passed.written = writtenIn(body);
    if (faults.some((fault) => this.#committed(fault, res))) return;
    if (exchange.verb === 'list' && status === 200) this.#noteList(exchange, stream, body.toString());
    startAnswer(answer, res);
    const trickle = faults.find((fault) => fault.do === 'trickle');
    if (trickle !== undefined) {
      await dripInto(res, body, trickle.bytes, trickle.everyMilliseconds);
      res.end();
      return;
    }
    if (faults.some((fault) => fault.do === 'truncate')) {
      res.write(body.subarray(0, body.length / 2), () => res.socket?.destroy());
      return;
    }
    await new Promise<void>((resolve) => res.end(body, resolve));
    const kill = faults.find((fault) => fault.do === 'kill' && fault.at === 'answered');
    if (kill?.do === 'kill') this.#options.onKill?.(kill.signal ?? 'SIGKILL');
  }

  #noteList({ resource = '', query }: Exchange, stream: string, text: string): void {
    if (!text.includes('"items":[]')) this.reported.add(resource);
    this.#history.list(stream, text, query.has('continue'), performance.now());
  }

  #forward(req: IncomingMessage, path: string, body: Buffer): Promise<IncomingMessage> {
    const url = new URL(path, this.#options.upstream.url);
    const accept = req.headers.accept === undefined ? {} : { accept: readableOnly(req.headers.accept) };
    const headers = { ...req.headers, ...accept, host: url.host, 'accept-encoding': 'identity' };
    return new Promise((resolve, reject) => {
      const upstream = httpsRequest(url, { method: req.method, headers, agent: this.#agent }, resolve);
      upstream.on('error', reject);
      upstream.end(body);
    });
  }
}

interface Watched {
  readonly exchange: Exchange;
  readonly stream: string;
  readonly faults: readonly Fault[];
  readonly past: Beginning | undefined;
}
