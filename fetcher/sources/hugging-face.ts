import { EXIT } from '../../constructs/parts/weights/index.ts';
import type { HuggingFaceUri } from '../../constructs/parts/weights/index.ts';
import type { Checksum } from '../checksum.ts';
import type { Environment } from '../config.ts';
import { endpointOf } from '../endpoint.ts';
import { FetchError } from '../errors.ts';
import type { HttpResponse, Call, Http } from '../http.ts';
import { allPages } from '../pages.ts';
import type { Page } from '../pages.ts';
import type { Explain } from '../refusal.ts';
import { encodedPath, rangeFrom } from '../source.ts';
import type { Listing, RemoteFile, Source } from '../source.ts';
import { parseHubPage, parseHubRevision } from './hub-answers.ts';
import type { HubFile } from './hub-answers.ts';

/** A repository of the Hugging Face Hub, or of a mirror (HF_ENDPOINT). */
export class HuggingFace implements Source {
  readonly #uri: HuggingFaceUri;
  readonly #http: Http;
  readonly #endpoint: string;
  readonly #token: string | undefined;
  readonly #checksums = new Map<string, Checksum>();
  #commit = '';

  constructor(uri: HuggingFaceUri, http: Http, env: Environment) {
    this.#uri = uri;
    this.#http = http;
    this.#endpoint = endpointOf(env['HF_ENDPOINT'] || 'https://huggingface.co');
    this.#token = env['HF_TOKEN']?.trim() || undefined;
  }

  async list(): Promise<Listing> {
    this.#commit = await this.#resolve();
    const listed = await allPages(this.#name(), (cursor) => this.#page(cursor));
    for (const { key, checksum } of listed) if (checksum) this.#checksums.set(key, checksum);
    return { revision: this.#commit, files: listed.map(({ key, bytes }) => ({ path: key, bytes })) };
  }

  checksum(file: RemoteFile): Promise<Checksum | undefined> {
    return Promise.resolve(this.#checksums.get(file.path));
  }

  open(file: RemoteFile, offset: number): Promise<HttpResponse> {
    const path = encodedPath(file.path);
    const call = this.#call(`/${this.#repository()}/resolve/${this.#commit}/${path}`, rangeFrom(offset));
    return this.#http.open(call, this.#explain);
  }

  /** A branch moves; all files must be of one commit. */
  #resolve(): Promise<string> {
    const path = `/api/models/${this.#repository()}/revision/${encodeURIComponent(this.#uri.revision)}`;
    return this.#http.read(() => this.#call(path), parseHubRevision, this.#explain);
  }

  #page(cursor: string | undefined): Promise<Page<HubFile>> {
    const query = new URLSearchParams({ recursive: 'true', ...(cursor !== undefined && { cursor }) });
    const path = `/api/models/${this.#repository()}/tree/${this.#commit}?${query.toString()}`;
    const read = (text: string, headers: Headers): Page<HubFile> => parseHubPage(text, headers.get('link'));
    return this.#http.read(() => this.#call(path), read, this.#explain);
  }

  #call(path: string, headers: Readonly<Record<string, string>> = {}): Call {
    const authorization = this.#token === undefined ? {} : { authorization: `Bearer ${this.#token}` };
    return { url: this.#endpoint + path, headers: { ...headers, ...authorization } };
  }

  #repository(): string {
    return `${this.#uri.owner}/${this.#uri.model}`;
  }

  #name(): string {
    return `hf://${this.#repository()}@${this.#uri.revision}`;
  }

  // The Hub answers 401 for a repository that does not exist as well, so that private names can't be guessed.
  readonly #explain: Explain = (status, headers) => {
    const reason = headers.get('x-error-code');
    if (reason === 'GatedRepo' || status === 403) {
      return new FetchError(
        `${this.#name()} is gated: accept its terms on its page, with the account whose token is HF_TOKEN of model.credentials.secretName`,
        EXIT.unauthorized,
      );
    }
    if (status === 401) {
      const token =
        this.#token === undefined ? 'no token was given' : 'the token HF_TOKEN may not read it, or is not valid';
      return new FetchError(
        `${this.#name()} does not exist or is private, and ${token}: check model.uri, and put a token that may read it as HF_TOKEN into the Secret model.credentials.secretName`,
        EXIT.unauthorized,
      );
    }
    if (status === 404) {
      const what = reason === 'RevisionNotFound' ? `has no revision ${this.#uri.revision}` : 'was not found';
      return new FetchError(`hf://${this.#repository()} ${what}: check model.uri`, EXIT.notFound);
    }
    return undefined;
  };
}
