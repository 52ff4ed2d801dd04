import { EXIT } from '../../constructs/parts/weights/index.ts';
import type { HttpsUri } from '../../constructs/parts/weights/index.ts';
import { hexOf } from '../checksum.ts';
import type { Checksum } from '../checksum.ts';
import type { Environment } from '../config.ts';
import { digestOfLines } from '../digest.ts';
import { FetchError } from '../errors.ts';
import type { HttpResponse, Call, Http } from '../http.ts';
import { countOf } from '../json.ts';
import { placeOf } from '../refusal.ts';
import type { Explain } from '../refusal.ts';
import { rangeFrom } from '../source.ts';
import type { Listing, RemoteFile, Source } from '../source.ts';

/** An ETag or a date, as web servers give them. */
const PLAIN_REVISION = /^[\x20-\x7e]{1,128}$/;

/** One file of any web server. */
export class Https implements Source {
  readonly #uri: HttpsUri;
  readonly #http: Http;
  readonly #authorization: string | undefined;
  #sha256: string | undefined;
  #etag: string | undefined;

  constructor(uri: HttpsUri, http: Http, env: Environment) {
    this.#uri = uri;
    this.#http = http;
    this.#authorization = authorizationOf(env);
    this.#sha256 = uri.sha256;
  }

  /** Asks for one byte, and not for the headers alone: a presigned URL is good for GET only. */
  async list(): Promise<Listing> {
    const headers = await this.#http.persist(async () => {
      const answer = await this.#http.open(this.#call({ range: 'bytes=0-0' }), this.#explain);
      answer.discard();
      return answer.headers;
    });
    const etag = headers.get('etag') ?? undefined;
    this.#etag = etag?.startsWith('W/') ? undefined : etag;
    this.#sha256 ??= sha256In(headers);
    const bytes = sizeIn(headers);
    const revision =
      this.#sha256 ?? etag?.replaceAll(/^W\/|"/g, '') ?? headers.get('last-modified') ?? `${bytes} bytes`;
    // It goes into a status: what is not short and plain there stands as a digest.
    return {
      revision: PLAIN_REVISION.test(revision) ? revision : digestOfLines([revision]),
      files: [{ path: this.#uri.fileName, bytes }],
    };
  }

  checksum(): Promise<Checksum | undefined> {
    return Promise.resolve(this.#sha256 === undefined ? undefined : { algorithm: 'sha256', hex: this.#sha256 });
  }

  /** If-Range: where the file is no longer the one that was begun, all of the new one comes. */
  open(_file: RemoteFile, offset: number): Promise<HttpResponse> {
    const condition = offset > 0 && this.#etag !== undefined ? { 'if-range': this.#etag } : {};
    return this.#http.open(this.#call({ ...rangeFrom(offset), ...condition }), this.#explain);
  }

  #call(headers: Readonly<Record<string, string>>): Call {
    const authorization = this.#authorization === undefined ? {} : { authorization: this.#authorization };
    return { url: this.#uri.url, headers: { ...headers, ...authorization } };
  }

  readonly #explain: Explain = (status) => {
    const place = placeOf(this.#uri.url);
    if (status === 401 || status === 403) {
      return new FetchError(
        `${place} may not be read (${status}): put TOKEN, or USERNAME and PASSWORD, into the Secret model.credentials.secretName`,
        EXIT.unauthorized,
      );
    }
    if (status === 404 || status === 410) {
      return new FetchError(`there is nothing at ${place}: check model.uri`, EXIT.notFound);
    }
    return undefined;
  };
}

function authorizationOf(env: Environment): string | undefined {
  const token = env['TOKEN']?.trim();
  if (token) return `Bearer ${token}`;
  const { USERNAME: user, PASSWORD: password } = env;
  if (!user || password === undefined) return undefined;
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}

/** The size of the whole file: behind the slash of Content-Range, or Content-Length of a whole answer. */
function sizeIn(headers: Headers): number | undefined {
  const range = headers.get('content-range');
  return countOf(range === null ? headers.get('content-length') : /\/([0-9]+)$/.exec(range)?.[1]);
}

/** A checksum of the content where the server gives one: RFC 9530, or the header of artifact stores. */
function sha256In(headers: Headers): string | undefined {
  const digest = /sha-256=:([A-Za-z0-9+/]{43}=):/.exec(headers.get('repr-digest') ?? '')?.[1];
  if (digest !== undefined) return hexOf(digest);
  return /^[0-9a-f]{64}$/.exec(headers.get('x-checksum-sha256') ?? '')?.[0];
}
