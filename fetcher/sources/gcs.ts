import { EXIT } from '../../constructs/parts/weights/index.ts';
import type { GcsUri } from '../../constructs/parts/weights/index.ts';
import { hexOf } from '../checksum.ts';
import type { Checksum } from '../checksum.ts';
import type { Environment } from '../config.ts';
import { digestOfLines } from '../digest.ts';
import { FetchError } from '../errors.ts';
import { endpointOf } from '../endpoint.ts';
import type { HttpResponse, Call, Http } from '../http.ts';
import { allPages } from '../pages.ts';
import { objectsAt } from '../prefix.ts';
import type { Explain } from '../refusal.ts';
import { rangeFrom } from '../source.ts';
import type { Listing, RemoteFile, Source } from '../source.ts';
import { parseGcsPage } from './gcs-answers.ts';
import type { GcsObject } from './gcs-answers.ts';
import { googleToken } from './google-token.ts';

/** A bucket of Google Cloud Storage, or of its emulator (STORAGE_EMULATOR_HOST). */
export class Gcs implements Source {
  readonly #uri: GcsUri;
  readonly #http: Http;
  readonly #endpoint: string;
  readonly #token: () => Promise<string | undefined>;
  readonly #objects = new Map<string, GcsObject>();

  constructor(uri: GcsUri, http: Http, env: Environment) {
    this.#uri = uri;
    this.#http = http;
    this.#endpoint = endpointOf(env['STORAGE_EMULATOR_HOST'] || 'https://storage.googleapis.com');
    this.#token = googleToken(env, http);
  }

  async list(): Promise<Listing> {
    const found = await objectsAt(this.#uri.prefix, (start) => this.#listFrom(start));
    if (found.length === 0) {
      throw new FetchError(`there is no object at ${this.#name()}: check model.uri`, EXIT.notFound);
    }
    for (const { path, object } of found) this.#objects.set(path, object);
    return {
      revision: digestOfLines(found.map(({ path, object }) => `${path} ${object.bytes} ${object.generation}`)),
      files: found.map(({ path, object }) => ({ path, bytes: object.bytes })),
    };
  }

  /** Composed objects have no MD5; every object has a CRC-32C. */
  checksum(file: RemoteFile): Promise<Checksum | undefined> {
    const { md5, crc32c } = this.#object(file);
    if (md5 !== undefined) return Promise.resolve({ algorithm: 'md5', hex: hexOf(md5) });
    return Promise.resolve(crc32c === undefined ? undefined : { algorithm: 'crc32c', hex: hexOf(crc32c) });
  }

  async open(file: RemoteFile, offset: number): Promise<HttpResponse> {
    const { key, generation } = this.#object(file);
    const query = new URLSearchParams({ alt: 'media', generation });
    return await this.#http.open(
      await this.#call(`/o/${encodeURIComponent(key)}?${query.toString()}`, rangeFrom(offset)),
      this.#explain,
    );
  }

  #listFrom(start: string): Promise<GcsObject[]> {
    return allPages(this.#name(), (pageToken) => {
      const query = new URLSearchParams({
        prefix: start,
        fields: 'items(name,size,generation,md5Hash,crc32c),nextPageToken',
        ...(pageToken !== undefined && { pageToken }),
      });
      return this.#http.read(() => this.#call(`/o?${query.toString()}`), parseGcsPage, this.#explain);
    });
  }

  async #call(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Call> {
    const token = await this.#token();
    return {
      url: `${this.#endpoint}/storage/v1/b/${this.#uri.bucket}${path}`,
      headers: { ...headers, ...(token !== undefined && { authorization: `Bearer ${token}` }) },
    };
  }

  #object(file: RemoteFile): GcsObject {
    const object = this.#objects.get(file.path);
    if (!object) throw new Error(`${file.path} was not listed`);
    return object;
  }

  #name(): string {
    return `gs://${this.#uri.bucket}/${this.#uri.prefix}`;
  }

  readonly #explain: Explain = (status) => {
    if (status === 401 || status === 403) {
      return new FetchError(
        `${this.#name()} may not be read (${status}): put the key of a service account with the role Storage Object Viewer as GOOGLE_APPLICATION_CREDENTIALS_JSON into the Secret model.credentials.secretName, or give the ServiceAccount such an identity (serviceAccount.identity: gke-workload-identity)`,
        EXIT.unauthorized,
      );
    }
    if (status === 404) return new FetchError(`there is nothing at ${this.#name()}: check model.uri`, EXIT.notFound);
    return undefined;
  };
}
