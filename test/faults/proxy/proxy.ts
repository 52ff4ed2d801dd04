import { type IncomingMessage, type ServerResponse } from 'node:http';
import { Agent, createServer, request as httpsRequest, type Server } from 'node:https';
import { type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Exchange, parseExchange } from './exchange.ts';
import { FrameEditor } from './frames.ts';
import { type FrameFault, isFrameFault, type RequestFault, type Rule, RuleBook } from './rules.ts';

export interface FaultProxyOptions {
  /** The real API server. */
  readonly upstream: { readonly url: string; readonly ca: string };
  /** What the proxy shows to its clients. */
  readonly tls: { readonly cert: string; readonly key: string };
  /** Called by a `kill` fault; must end the client at once (SIGKILL). */
  readonly onKill?: () => void;
}

/** One request that went through, and what came of it. */
export interface Passed {
  readonly exchange: Exchange;
  /** The server's status; undefined where the server never saw it. */
  readonly status: number | undefined;
  readonly at: number;
}

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
  readonly #streams = new Set<{ release(): void; socket: Socket }>();
  #cut = false;

  private constructor(options: FaultProxyOptions) {
    this.#options = options;
    this.#agent = new Agent({ keepAlive: true, ca: options.upstream.ca });
    this.#server = createServer({ cert: options.tls.cert, key: options.tls.key, ALPNProtocols: ['http/1.1'] });
    this.#server.on('secureConnection', (socket) => this.#accept(socket));
    this.#server.on('request', (req, res) => void this.#serve(req, res).catch(() => res.destroy()));
    // Watches live for minutes and a stalled request for ever: no limits of our own.
    this.#server.requestTimeout = 0;
    this.#server.timeout = 0;
  }

  static async start(options: FaultProxyOptions): Promise<FaultProxy> {
    const proxy = new FaultProxy(options);
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get url(): string {
    return `https://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** How many writes the server has carried out for this client. */
  get writes(): number {
    return this.log.filter(({ exchange, status }) => exchange.write && status !== undefined && status < 300).length;
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

  /** Lets go of all frames that are held. */
  release(): void {
    for (const stream of this.#streams) stream.release();
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
    const struck = this.rules.strike(exchange);
    const faults = struck.map((rule: Rule) => rule.fault);
    const whole = faults.filter((fault) => !isFrameFault(fault));
    const body = await collect(req);
    for (const fault of whole) {
      if (await this.#before(fault, res)) {
        this.log.push({ exchange, status: undefined, at: Date.now() });
        return;
      }
    }
    const answer = await this.#forward(req, body);
    this.log.push({ exchange, status: answer.statusCode, at: Date.now() });
    if (whole.some((fault) => this.#committed(fault, res))) {
      answer.destroy();
      return;
    }
    const trickle = whole.find((fault) => fault.do === 'trickle');
    res.writeHead(answer.statusCode ?? 502, withoutHopHeaders(answer.headers));
    res.flushHeaders();
    if (exchange.verb === 'watch') this.#stream(answer, res, faults.filter(isFrameFault));
    else if (trickle) await drip(await collect(answer), res, trickle.bytes, trickle.everyMilliseconds);
    else await this.#finish(answer, res, whole);
  }

  /** Carries out what befalls a request before the server sees it; true where the server never will. */
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
        this.#options.onKill?.();
        res.socket?.destroy();
        return true;
      case 'trickle':
        return false;
    }
  }

  /** The same after the server has committed; true where its answer must not be passed on. */
  #committed(fault: RequestFault, res: ServerResponse): boolean {
    if (!('at' in fault) || fault.at !== 'committed') return false;
    if (fault.do === 'kill') this.#options.onKill?.();
    if (fault.do !== 'stall') res.socket?.destroy();
    return true;
  }

  async #finish(answer: IncomingMessage, res: ServerResponse, faults: readonly RequestFault[]): Promise<void> {
    const body = await collect(answer);
    await new Promise<void>((resolve) => res.end(body, resolve));
    if (faults.some((fault) => fault.do === 'kill' && fault.at === 'answered')) this.#options.onKill?.();
  }

  /** Passes a watch on, frame by frame, through the editors of its faults. */
  #stream(answer: IncomingMessage, res: ServerResponse, faults: readonly FrameFault[]): void {
    const editors = faults.map((fault) => new FrameEditor(fault));
    const socket = res.socket as Socket;
    let rest = Buffer.alloc(0);
    let frozen = false;
    const end = (how: 'end' | 'reset'): void => {
      answer.destroy();
      if (how === 'end') res.end();
      else socket.destroy();
    };
    const send = (text: string, from: number): void => {
      const editor = editors[from];
      if (editor === undefined) {
        res.write(`${text}\n`);
        return;
      }
      const passage = editor.next(text);
      for (const frame of passage.send) {
        // A frame that is cut must not be closed by a line feed.
        if (passage.stream === 'reset') res.write(frame);
        else send(frame, from + 1);
      }
      if (passage.stream === 'freeze') frozen = true;
      else if (passage.stream !== 'go on') end(passage.stream);
    };
    const stream = {
      socket,
      release: () => {
        for (const [index, editor] of editors.entries()) {
          for (const text of editor.release()) send(text, index + 1);
        }
      },
    };
    this.#streams.add(stream);
    answer.on('data', (chunk: Buffer) => {
      rest = Buffer.concat([rest, chunk]);
      const end = rest.lastIndexOf(10);
      const whole = rest.subarray(0, Math.max(end, 0)).toString();
      rest = rest.subarray(end + 1);
      for (const text of whole.split('\n')) if (text !== '' && !frozen) send(text, 0);
    });
    answer.on('end', () => !frozen && res.end());
    answer.on('error', () => socket.destroy());
    res.on('close', () => {
      this.#streams.delete(stream);
      answer.destroy();
    });
  }

  #forward(req: IncomingMessage, body: Buffer): Promise<IncomingMessage> {
    const url = new URL(req.url ?? '/', this.#options.upstream.url);
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

/** The answer's headers, but for those that are about one hop or about a body that is sent anew. */
function withoutHopHeaders(headers: IncomingMessage['headers']): IncomingMessage['headers'] {
  const kept = { ...headers };
  for (const name of ['connection', 'keep-alive', 'transfer-encoding', 'content-length']) delete kept[name];
  return kept;
}

async function drip(body: Buffer, res: ServerResponse, bytes: number, everyMilliseconds: number): Promise<void> {
  for (let at = 0; at < body.length && !res.destroyed; at += bytes) {
    res.write(body.subarray(at, at + bytes));
    await sleep(everyMilliseconds);
  }
  res.end();
}
