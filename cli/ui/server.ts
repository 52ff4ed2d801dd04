import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { randomBytes } from 'node:crypto';
import { CliError } from '../errors.ts';
import { HEADERS, send, sendFailure } from './answer.ts';
import { failureOf } from './failure.ts';
import { admitted } from './gate.ts';
import { Routes, type Subject } from './routes.ts';

/** Only programs of this machine reach it. */
const ADDRESS = '127.0.0.1';

/** In bytes: 256 bits, which nobody guesses. */
const TOKEN_BYTES = 32;

/** Pages of one user: so many connections, and none that is slow to ask. */
const OPTIONS = {
  maxHeaderSize: 8 * 2 ** 10,
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 30_000,
};
const MOST_CONNECTIONS = 100;

/**
 * The server of the page, on Node's own HTTP: ten paths that are known by heart. Most of it is who may ask, and there a
 * framework has less than is needed: Hono 4.13 knows bearer tokens, and checks neither Host nor, of what is only read, the
 * site that asks. It would be 4 MB in each installation of the package.
 */
export class UiServer {
  /** With the token, which a browser keeps to itself: what is behind # is not sent. */
  readonly url: string;
  readonly #server: Server;
  readonly #ended: AbortController;

  private constructor(url: string, server: Server, ended: AbortController) {
    this.url = url;
    this.#server = server;
    this.#ended = ended;
  }

  /**
   * @param port - 0 for one that is free
   * @throws CliError where it can not listen there
   */
  static async start(subject: Subject, port: number): Promise<UiServer> {
    const ended = new AbortController();
    const place = { port, token: randomBytes(TOKEN_BYTES).toString('base64url') };
    const handling = { subject, place, routes: new Routes(subject), ended: ended.signal };
    const server = createServer(OPTIONS, (request, response) => void handled(request, response, handling));
    server.maxConnections = MOST_CONNECTIONS;
    await listening(server, port);
    place.port = (server.address() as AddressInfo).port;
    return new UiServer(`http://${ADDRESS}:${place.port}/#token=${place.token}`, server, ended);
  }

  /** Ends at once all that is answered. */
  async close(): Promise<void> {
    this.#ended.abort(new CliError('trunnion ui has ended'));
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }
}

async function listening(server: Server, port: number): Promise<void> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ port, host: ADDRESS, exclusive: true }, resolve);
    });
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    const words: Readonly<Record<string, string>> = {
      EADDRINUSE: `port ${port} is in use: choose another one by --port, or leave it out for one that is free`,
      EACCES: `you may not listen at port ${port}: choose one from 1024 on by --port, or leave it out for one that is free`,
    };
    throw new CliError(words[code] ?? `can not listen at ${ADDRESS}, port ${port}: ${message}`);
  }
}

interface Handling {
  readonly subject: Subject;
  readonly routes: Routes;
  readonly place: { readonly port: number; readonly token: string };
  /** Aborted once the command ends. */
  readonly ended: AbortSignal;
}

async function handled(
  request: IncomingMessage,
  response: ServerResponse,
  { subject, routes, place, ended }: Handling,
): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => gone.abort(new Error('the browser is gone')));
  response.on('error', () => gone.abort(new Error('the browser is gone')));
  const signal = AbortSignal.any([gone.signal, ended]);
  for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
  const { method = '', url: target = '', headers } = request;
  try {
    const path = admitted({ method, target, headers }, place);
    const answer = await routes.answer({ request, response, path, target, signal });
    if (answer !== undefined) send(request, response, answer);
  } catch (error) {
    if (signal.aborted) return void response.destroy();
    const { status, error: words } = await failureOf(error, subject.connection);
    if (response.headersSent) response.destroy();
    else sendFailure(response, status, words);
  }
}
