import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { RequestError } from './request-error.ts';

/** All that is served, and by which method. */
const METHODS = {
  '/': 'GET',
  '/app.js': 'GET',
  '/app.css': 'GET',
  '/api/session': 'GET',
  '/api/overview': 'GET',
  '/api/resource': 'GET',
  '/api/search.svg': 'GET',
  '/api/top': 'GET',
  '/api/logs': 'GET',
  '/api/chat': 'POST',
} as const;

/** A path that is served. */
export type Path = keyof typeof METHODS;

/** What a request says before its body. */
export interface Asked {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
}

/** Where the server listens, and what it takes as a proof that its user asks. */
export interface Place {
  readonly port: number;
  readonly token: string;
}

/** Longest path with its query: a name of Kubernetes has 253 characters at the most. */
const LONGEST_TARGET = 2_048;

/** Largest body, in bytes. */
export const LARGEST_BODY = 2 ** 20;

/**
 * The path that a request is let through to. It is the user's page that asks, or nobody is answered: other programs of this
 * machine have no token, and other sites that the browser shows are known by its headers.
 *
 * @throws RequestError
 */
export function admitted({ method, target, headers }: Asked, { port, token }: Place): Path {
  if (target.length > LONGEST_TARGET) {
    throw new RequestError(414, `the path has ${target.length} characters: ${LONGEST_TARGET} are allowed`);
  }
  const [path = ''] = target.split('?', 1);
  if (!isOurName(headers.host, port)) throw new RequestError(421, misdirected(port));
  if (isOfAnotherSite(headers, path)) {
    throw new RequestError(403, 'another site asks: only the page that trunnion ui serves may do so');
  }
  if (path.startsWith('/api/') && !isProven(headers.authorization, token)) {
    throw new RequestError(
      401,
      'the token is missing, or of an earlier run: open the URL that trunnion ui has printed',
    );
  }
  if (!isServed(path)) throw new RequestError(404, `nothing is at ${path}: the page is at /`);
  if (method !== METHODS[path]) throw new RequestError(405, `${path} is asked by ${METHODS[path]}, not by ${method}`);
  if (method === 'POST') checkBody(headers);
  return path;
}

/**
 * A site can make its own name lead to 127.0.0.1, and then its pages and this server are one origin to the browser. Its
 * requests still bear that name.
 */
function isOurName(host: string | undefined, port: number): boolean {
  const names = ['127.0.0.1', 'localhost'];
  return [...names.map((name) => `${name}:${port}`), ...(port === HTTP_PORT ? names : [])].includes(
    host?.toLowerCase() ?? '',
  );
}

/** Browsers leave it out. */
const HTTP_PORT = 80;

const misdirected = (port: number): string =>
  `this server is http://127.0.0.1:${port} or http://localhost:${port}, and answers to no other name: a tunnel must have the same port at both ends, as in ssh -L ${port}:127.0.0.1:${port} HOST`;

/**
 * Whether a browser sends a request for a page of another origin: another port of this machine is one as well. It says so by
 * Sec-Fetch-Site (W3C, Fetch Metadata), and of what could change something by Origin. A link in another page may lead to ours.
 */
function isOfAnotherSite(headers: IncomingHttpHeaders, path: string): boolean {
  const { origin, host = '', 'sec-fetch-site': site = 'none' } = headers;
  if (origin !== undefined && origin !== `http://${host.toLowerCase()}`) return true;
  if (site === 'none' || site === 'same-origin') return false;
  const isLink = headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
  return !(isLink && path === '/');
}

/** Digests are of one length, and are compared in a time that tells nothing. */
const isProven = (authorization: string | undefined, token: string): boolean =>
  timingSafeEqual(digestOf(authorization ?? ''), digestOf(`Bearer ${token}`));

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();

const isServed = (path: string): path is Path => Object.hasOwn(METHODS, path);

/** A form of another site can send text and forms, and no JSON. */
function checkBody(headers: IncomingHttpHeaders): void {
  const { 'content-type': type = '', 'content-length': length = '0' } = headers;
  if (!/^application\/json(?: *;.*)?$/i.test(type)) {
    throw new RequestError(415, 'the body must have the content-type application/json');
  }
  if (Number(length) > LARGEST_BODY) throw tooLarge();
}

/** A body is longer than is taken. */
export const tooLarge = (): RequestError =>
  new RequestError(413, `the body is larger than ${LARGEST_BODY} bytes: begin a new conversation`);
