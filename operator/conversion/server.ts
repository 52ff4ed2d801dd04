import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { KeyedCertificate } from '../../certificates/index.ts';
import { CONVERSION_PATH } from '../../constructs/schema/crd-conversion.ts';

export interface ConversionServerOptions {
  /** 0 takes any that is free. */
  readonly port: number;
  /** @default - all addresses */
  readonly host?: string;
  readonly certificate: KeyedCertificate;
  /** The body of an answer for that of a request. */
  readonly answer: (body: string) => Promise<string>;
  /**
   * Largest request, in bytes.
   *
   * @default 8388608 (8 MiB): the API server takes objects of 3 MiB, and sends them one by one
   */
  readonly largestBytes?: number;
}

/** Answers the API server. */
export interface ConversionServer {
  readonly port: number;
  /** Takes another certificate for connections to come. */
  use(certificate: KeyedCertificate): void;
  close(): Promise<void>;
}

const LARGEST_BYTES = 8 * 2 ** 20;

/** For what is under way at the end. */
const GRACE_MS = 2_000;

/** Serves conversions, over TLS alone. */
export async function serveConversions(options: ConversionServerOptions): Promise<ConversionServer> {
  const { port, host, certificate, answer, largestBytes = LARGEST_BYTES } = options;
  let bytesUnderWay = 0;
  // To import it would bring all of Node's own undici along; and most operators convert nothing.
  const { createServer } = process.getBuiltinModule('node:https');

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refusal = refusalOf(request, largestBytes);
    if (refusal !== undefined) return refuse(response, refusal[0], refusal[1]);
    const chunks: Buffer[] = [];
    let bytes = 0;
    try {
      // One that is refused half-read still gets its answer.
      for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
        bytes += chunk.length;
        bytesUnderWay += chunk.length;
        if (bytes > largestBytes) return refuse(response, 413, `a request has at most ${largestBytes} bytes`);
        // Anyone may ask, and what is read takes many times its bytes.
        if (bytesUnderWay > largestBytes) return refuse(response, 503, 'too much is under way: ask again');
        chunks.push(chunk);
      }
      const text = await answer(Buffer.concat(chunks).toString());
      response.writeHead(200, { 'content-type': 'application/json' }).end(text);
    } finally {
      bytesUnderWay -= bytes;
    }
  }

  const server = createServer({ ...secrets(certificate), minVersion: 'TLSv1.2' }, (request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  // Nobody who is slow to ask, or never ends, may hold a connection.
  server.requestTimeout = 30_000;
  server.headersTimeout = 5_000;
  server.maxConnections = 200;
  // The API server drops an idle connection after 90 s (net.go of apimachinery v0.36). One that is closed here at the
  // moment at which it asks would be a failed request of a user.
  server.keepAliveTimeout = 120_000;
  server.on('tlsClientError', (_error: Error, socket: TLSSocket) => socket.destroy());
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, ...(host !== undefined && { host }) }, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    use: (next) => server.setSecureContext({ ...secrets(next), minVersion: 'TLSv1.2' }),
    close: () => {
      const timer = setTimeout(() => server.closeAllConnections(), GRACE_MS);
      return new Promise((resolve) => {
        server.close(() => {
          clearTimeout(timer);
          resolve();
        });
        server.closeIdleConnections();
      });
    },
  };
}

const secrets = ({ certificate, key }: KeyedCertificate) => ({ cert: certificate, key });

type Refusal = readonly [status: number, text: string];

function refusalOf({ url = '', method, headers }: IncomingMessage, largestBytes: number): Refusal | undefined {
  if (url.split('?')[0] !== CONVERSION_PATH) return [404, `there is ${CONVERSION_PATH}`];
  if (method !== 'POST') return [405, 'a ConversionReview is posted'];
  if (Number(headers['content-length'] ?? 0) > largestBytes) {
    return [413, `a request has at most ${largestBytes} bytes`];
  }
  return undefined;
}

/** The rest of the request is not read. */
function refuse(response: ServerResponse, status: number, text: string): void {
  response
    .writeHead(status, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' })
    .end(`${text}\n`, () => response.destroy());
}
