import { EXIT } from '../../layout.ts';
import type { HuggingFaceUri } from '../../uri.ts';
import type { Checksum } from '../checksum.ts';
import type { Environment } from '../config.ts';
import { FetchError, passing } from '../errors.ts';
import type { Answer, Call, Explain, Http } from '../http.ts';
import { listOf, objectOf, textOf } from '../json.ts';
import type { Json } from '../json.ts';
import { wanted } from '../selection.ts';
import { rangeFrom } from '../source.ts';
import type { Listing, RemoteFile, Source } from '../source.ts';

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
    this.#endpoint = (env['HF_ENDPOINT'] || 'https://huggingface.co').replace(/\/+$/, '');
    this.#token = env['HF_TOKEN']?.trim() || undefined;
  }

  async list(): Promise<Listing> {
    this.#commit = await this.#resolve();
    const files: (RemoteFile & { bytes: number })[] = [];
    for await (const entry of this.#tree()) {
      const path = textOf(entry['path']);
      if (entry['type'] !== 'file' || path === undefined) continue;
      const lfs = objectOf(entry['lfs']);
      const sha256 = textOf(lfs['oid']);
      const bytes = Number(lfs['size'] ?? entry['size']);
      files.push({ path, bytes });
      const blob = textOf(entry['oid']);
      if (sha256 !== undefined) this.#checksums.set(path, { algorithm: 'sha256', hex: sha256 });
      else if (blob !== undefined) this.#checksums.set(path, { algorithm: 'git-blob', hex: blob, bytes });
    }
    return { revision: this.#commit, files: wanted(files) };
  }

  checksum(file: RemoteFile): Promise<Checksum | undefined> {
    return Promise.resolve(this.#checksums.get(file.path));
  }

  open(file: RemoteFile, offset: number): Promise<Answer> {
    const path = file.path.split('/').map(encodeURIComponent).join('/');
    const call = this.#call(`/${this.#repository()}/resolve/${this.#commit}/${path}`, rangeFrom(offset));
    return this.#http.open(call, this.#explain);
  }

  /** A branch moves; all files must be of one commit. */
  async #resolve(): Promise<string> {
    const path = `/api/models/${this.#repository()}/revision/${encodeURIComponent(this.#uri.revision)}`;
    const { value } = await this.#http.json(() => this.#call(path), this.#explain);
    const commit = textOf(objectOf(value)['sha']);
    if (commit !== undefined && /^[0-9a-f]{40}$/.test(commit)) return commit;
    throw passing(`${this.#endpoint} names no commit for ${this.#name()}`);
  }

  /** The tree comes in pages; only the cursor is taken from a page's link, so that the token stays with the endpoint. */
  async *#tree(): AsyncGenerator<Json> {
    let cursor: string | undefined;
    do {
      const query = new URLSearchParams({ recursive: 'true', ...(cursor !== undefined && { cursor }) });
      const path = `/api/models/${this.#repository()}/tree/${this.#commit}?${query.toString()}`;
      const { value, headers } = await this.#http.json(() => this.#call(path), this.#explain);
      yield* listOf(value);
      const next = /<([^>]+)>;\s*rel="?next"?/.exec(headers.get('link') ?? '')?.[1];
      cursor = next === undefined ? undefined : (new URL(next, this.#endpoint).searchParams.get('cursor') ?? undefined);
    } while (cursor !== undefined);
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
