import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { plainValues } from '../../constructs/parts/values/index.ts';

/** What is answered at once, as a whole. */
export interface Answer {
  readonly type: string;
  readonly body: string;
  /** Tells whether it is the same as before. */
  readonly etag: string;
}

/**
 * For every answer. Scripts, styles and requests are of this server alone, and nothing of it is shown inside another page;
 * the pictures of searches are blobs.
 */
export const HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
} as const;

/** A text of a type. */
export const answerOf = (type: string, body: string): Answer => ({
  type,
  body,
  etag: `"${createHash('sha256').update(body).digest('base64url')}"`,
});

/** Data, each text of it plain: names, conditions and logs are of others. */
export const jsonOf = (data: unknown): Answer => answerOf('application/json; charset=utf-8', plainJson(data));

/** Data as one line of JSON, each text of it plain. */
export const plainJson = (data: unknown): string => JSON.stringify(plainValues(data, { lines: true }));

/** Sends an answer, or says that it is the one that the browser has. */
export function send(request: IncomingMessage, response: ServerResponse, { type, body, etag }: Answer): void {
  response.setHeader('etag', etag);
  if (request.headers['if-none-match'] === etag) {
    response.writeHead(304).end();
    return;
  }
  response.writeHead(200, { 'content-type': type, 'content-length': Buffer.byteLength(body) }).end(body);
}

/** Sends why there is no answer, and ends the connection: what is left of the request is not read. */
export function sendFailure(response: ServerResponse, status: number, error: string): void {
  const { type, body } = jsonOf({ error });
  response
    .writeHead(status, {
      'content-type': type,
      'content-length': Buffer.byteLength(body),
      connection: 'close',
      ...(status === 401 && { 'www-authenticate': 'Bearer' }),
    })
    .end(body);
}
