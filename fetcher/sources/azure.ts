import { EXIT } from '../../constructs/parts/weights/index.ts';
import type { AzureUri } from '../../constructs/parts/weights/index.ts';
import { hexOf } from '../checksum.ts';
import type { Checksum } from '../checksum.ts';
import type { Environment } from '../config.ts';
import { digestOfLines } from '../digest.ts';
import { endpointOf } from '../endpoint.ts';
import { FetchError } from '../errors.ts';
import type { HttpResponse, Call, Http } from '../http.ts';
import { allPages } from '../pages.ts';
import { objectsAt } from '../prefix.ts';
import type { Explain } from '../refusal.ts';
import { encodedPath, rangeFrom } from '../source.ts';
import type { Listing, RemoteFile, Source } from '../source.ts';
import { azureAccess } from './azure-access.ts';
import { parseAzurePage } from './azure-answers.ts';
import type { AzureBlob } from './azure-answers.ts';
import { s3Code } from './s3-answers.ts';

/** A container of Azure Blob Storage, or of its emulator (AZURE_STORAGE_ENDPOINT). */
export class Azure implements Source {
  readonly #uri: AzureUri;
  readonly #http: Http;
  readonly #container: string;
  readonly #call: (plain: Pick<Call, 'url' | 'headers'>) => Promise<Call>;
  readonly #blobs = new Map<string, AzureBlob>();

  constructor(uri: AzureUri, http: Http, env: Environment) {
    this.#uri = uri;
    this.#http = http;
    this.#container = `${endpointOf(env['AZURE_STORAGE_ENDPOINT'] || `https://${uri.host}`)}/${uri.container}`;
    this.#call = azureAccess(env, http, uri.host.slice(0, uri.host.indexOf('.')));
  }

  async list(): Promise<Listing> {
    const found = await objectsAt(this.#uri.prefix, (start) => this.#listFrom(start));
    if (found.length === 0) throw new FetchError(`there is no blob at ${this.#name()}: check model.uri`, EXIT.notFound);
    for (const { path, object } of found) this.#blobs.set(path, object);
    return {
      revision: digestOfLines(found.map(({ path, object }) => `${path} ${object.bytes} ${object.etag}`)),
      files: found.map(({ path, object }) => ({ path, bytes: object.bytes })),
    };
  }

  checksum(file: RemoteFile): Promise<Checksum | undefined> {
    const { md5 } = this.#blob(file);
    return Promise.resolve(md5 ? { algorithm: 'md5', hex: hexOf(md5) } : undefined);
  }

  async open(file: RemoteFile, offset: number): Promise<HttpResponse> {
    const { key, etag } = this.#blob(file);
    const url = `${this.#container}/${encodedPath(key)}`;
    const call = await this.#call({ url, headers: { 'if-match': `"${etag}"`, ...rangeFrom(offset) } });
    return await this.#http.open(call, this.#explain);
  }

  #listFrom(start: string): Promise<AzureBlob[]> {
    return allPages(this.#name(), (marker) => {
      const query = new URLSearchParams({
        restype: 'container',
        comp: 'list',
        // It tells what is a folder.
        include: 'metadata',
        prefix: start,
        ...(marker !== undefined && { marker }),
      });
      return this.#http.read(
        () => this.#call({ url: `${this.#container}?${query.toString()}` }),
        parseAzurePage,
        this.#explain,
      );
    });
  }

  #blob(file: RemoteFile): AzureBlob {
    const blob = this.#blobs.get(file.path);
    if (!blob) throw new Error(`${file.path} was not listed`);
    return blob;
  }

  #name(): string {
    const { host, container, prefix } = this.#uri;
    return `az://${host}/${container}/${prefix}`;
  }

  readonly #explain: Explain = (status, _headers, body) => {
    // An error of Azure has its code where one of S3 has it.
    const code = s3Code(body);
    if (status === 412) {
      return new FetchError(`${this.#name()} was changed while it was fetched; the next try takes the new version`, 1);
    }
    // Azure says of what is not public that it isn't there.
    if (status === 404) {
      return new FetchError(
        `there is nothing at ${this.#name()} (${code}), or it is not public: check model.uri, and AZURE_STORAGE_ENDPOINT if it is not Azure's`,
        EXIT.notFound,
      );
    }
    if (status === 401 || status === 403 || code === 'PublicAccessNotPermitted') {
      return new FetchError(
        `${this.#name()} may not be read (${status} ${code}): give the ServiceAccount an identity with the role Storage Blob Data Reader (serviceAccount.identity: azure-workload-identity), or put AZURE_STORAGE_SAS_TOKEN or AZURE_STORAGE_KEY into the Secret model.credentials.secretName; check the account's firewall as well`,
        EXIT.unauthorized,
      );
    }
    return undefined;
  };
}
