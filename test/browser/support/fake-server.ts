import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { answerOf, HEADERS, jsonOf, send, sendFailure } from '../../../cli/ui/answer.ts';
import type { ChatPiece, Detail, LogPiece, Overview, Session, Top } from '../../../cli/ui/api.ts';
import { PAGE } from '../../../cli/ui/page.generated.ts';

/** A cluster, as the server tells the page of it. A test changes it as it likes. */
export interface World {
  session: Session;
  overview: Overview;
  /** By `namespace/kind/name`. */
  details: Readonly<Record<string, Detail>>;
  top: Top;
  plot: () => Promise<string>;
}

/** A line that is sent when a test wants it. */
interface Stream<Piece> {
  /** What was asked. */
  readonly asked: URL;
  readonly body: unknown;
  write(...pieces: readonly Piece[]): void;
  end(...pieces: readonly Piece[]): void;
  readonly isOpen: boolean;
}

const TOKEN = 'a-token-of-the-test';

/** Answers as the server of `trunnion ui` does, with what a test says. */
export class FakeServer {
  readonly world: World;
  /** Paths that were asked for, with their queries and what was answered. */
  readonly requests: string[] = [];
  readonly logs: Stream<LogPiece>[] = [];
  readonly chats: Stream<ChatPiece>[] = [];
  /** What all requests of data are refused with. */
  refusal: { readonly status: number; readonly error: string } | undefined;
  readonly #server: Server;

  private constructor(world: World) {
    this.world = world;
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }

  static async start(world: World): Promise<FakeServer> {
    const fake = new FakeServer(world);
    await fake.listen(0);
    return fake;
  }

  async listen(port: number): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(port, '127.0.0.1', resolve));
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** The address that is printed; with a route behind the token's place, that of a link. */
  url(route = ''): string {
    if (route === '') return `${this.origin}/#token=${TOKEN}`;
    return `${this.origin}/#${route}${route.includes('?') ? '&' : '?'}token=${TOKEN}`;
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.once('finish', () => this.requests.push(`${request.url} ${response.statusCode}`));
    for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
    const url = new URL(request.url ?? '/', this.origin);
    const file = FILES[url.pathname];
    if (file !== undefined) return send(request, response, file);
    if (request.headers.authorization !== `Bearer ${TOKEN}`) {
      return sendFailure(response, 401, 'the token is missing, or of an earlier run');
    }
    if (this.refusal !== undefined) return sendFailure(response, this.refusal.status, this.refusal.error);
    if (url.pathname === '/api/logs') return void this.logs.push(streamOf(response, url));
    if (url.pathname === '/api/chat') return void this.chats.push(streamOf(response, url, await json(request)));
    const data = url.pathname === '/api/search.svg' ? await this.world.plot() : this.#data(url);
    if (data === undefined) return sendFailure(response, 404, `there is no resource ${url.searchParams.get('name')}`);
    send(request, response, typeof data === 'string' ? answerOf('image/svg+xml', data) : jsonOf(data));
  }

  #data({ pathname, searchParams }: URL): object | undefined {
    const { session, overview, details, top } = this.world;
    const namespace = searchParams.get('namespace');
    const isHere = (each: { readonly namespace: string }): boolean =>
      namespace === null || each.namespace === namespace;
    if (pathname === '/api/session') return session;
    if (pathname === '/api/overview') return { ...overview, resources: overview.resources.filter(isHere) };
    if (pathname === '/api/top')
      return { ...top, resources: top.resources.filter(isHere), namespaces: top.namespaces.filter(isHere) };
    return details[`${namespace}/${searchParams.get('kind')}/${searchParams.get('name')}`];
  }
}

const FILES: Readonly<Record<string, ReturnType<typeof answerOf>>> = {
  '/': answerOf('text/html; charset=utf-8', PAGE.html),
  '/app.js': answerOf('text/javascript; charset=utf-8', PAGE.script),
  '/app.css': answerOf('text/css; charset=utf-8', PAGE.style),
};

function streamOf<Piece>(response: ServerResponse, asked: URL, body?: unknown): Stream<Piece> {
  response.writeHead(200, { 'content-type': 'application/x-ndjson; charset=utf-8' });
  response.flushHeaders();
  const text = (pieces: readonly Piece[]): string => pieces.map((piece) => `${JSON.stringify(piece)}\n`).join('');
  return {
    asked,
    body,
    write: (...pieces) => void response.write(text(pieces)),
    end: (...pieces) => void response.end(text(pieces)),
    get isOpen() {
      return !response.destroyed && !response.writableEnded;
    },
  };
}
