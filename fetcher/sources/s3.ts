import { EXIT } from '../../constructs/parts/weights/index.ts';
import type { S3Uri } from '../../constructs/parts/weights/index.ts';
import type { Checksum } from '../checksum.ts';
import type { Environment } from '../config.ts';
import { digestOfLines } from '../digest.ts';
import { FetchError } from '../errors.ts';
import { endpointOf } from '../endpoint.ts';
import type { HttpResponse, Call, Http } from '../http.ts';
import { allPages } from '../pages.ts';
import { objectsAt } from '../prefix.ts';
import type { Explain } from '../refusal.ts';
import { encodedPath, rangeFrom } from '../source.ts';
import type { Listing, RemoteFile, Source } from '../source.ts';
import { awsCredentials, domainOf } from './aws-credentials.ts';
import type { AwsCredentials } from './credential-answers.ts';
import { parseS3Page, s3Code, s3Region } from './s3-answers.ts';
import type { S3Object } from './s3-answers.ts';
import { signed } from './s3-signature.ts';

/** Parts that an object may be uploaded in. */
const MOST_PARTS = 10_000;

/** A bucket of Amazon S3, or of a server that speaks its protocol (AWS_ENDPOINT_URL). */
export class S3 implements Source {
  readonly #uri: S3Uri;
  readonly #http: Http;
  readonly #endpoint: string | undefined;
  readonly #credentials: () => Promise<AwsCredentials | undefined>;
  readonly #objects = new Map<string, S3Object>();
  #region: string;

  constructor(uri: S3Uri, http: Http, env: Environment) {
    this.#uri = uri;
    this.#http = http;
    this.#endpoint = endpointOf(env['AWS_ENDPOINT_URL_S3'] || env['AWS_ENDPOINT_URL'] || '') || undefined;
    this.#region = env['AWS_REGION'] || env['AWS_DEFAULT_REGION'] || 'us-east-1';
    this.#credentials = awsCredentials(env, http, this.#region);
  }

  async list(): Promise<Listing> {
    const found = await objectsAt(this.#uri.prefix, (start) => this.#listFrom(start));
    if (found.length === 0) {
      throw new FetchError(`there is no object at ${this.#name()}: check model.uri`, EXIT.notFound);
    }
    for (const { path, object } of found) this.#objects.set(path, object);
    return {
      revision: digestOfLines(found.map(({ path, object }) => `${path} ${object.bytes} ${object.etag}`)),
      files: found.map(({ path, object }) => ({ path, bytes: object.bytes })),
    };
  }

  /**
   * The ETag is an MD5 of the content, or of the parts that it was uploaded in, unless a key of KMS or of the customer
   * encrypts it; the size of a part is that of the first one.
   */
  async checksum(file: RemoteFile): Promise<Checksum | undefined> {
    const { key, etag, bytes } = this.#object(file);
    const parts = Number(/^[0-9a-f]{32}-(\d+)$/.exec(etag)?.[1] ?? 0);
    const query = parts > 0 ? '?partNumber=1' : '';
    const head = await this.#http.persist(async () => {
      const answer = await this.#http.exchange(await this.#sign(this.#path(key) + query, {}, 'HEAD'));
      answer.discard();
      return answer;
    });
    const encryption = head.headers.get('x-amz-server-side-encryption') ?? '';
    const opaque = encryption.startsWith('aws:') || head.headers.has('x-amz-server-side-encryption-customer-algorithm');
    if (head.status >= 300 || opaque) return undefined;
    if (/^[0-9a-f]{32}$/.test(etag)) return { algorithm: 'md5', hex: etag };
    const partBytes = Number(head.headers.get('content-length') ?? 0);
    if (parts === 0 || parts > MOST_PARTS || partBytes <= 0 || Math.ceil(bytes / partBytes) !== parts) return undefined;
    return { algorithm: 'md5-of-parts', hex: etag, partBytes };
  }

  async open(file: RemoteFile, offset: number): Promise<HttpResponse> {
    const { key, etag } = this.#object(file);
    const call = await this.#sign(this.#path(key), { 'if-match': `"${etag}"`, ...rangeFrom(offset) });
    return await this.#http.open(call, this.#explain);
  }

  #listFrom(start: string): Promise<S3Object[]> {
    return allPages(this.#name(), (token) => {
      const query = new URLSearchParams({
        'list-type': '2',
        'encoding-type': 'url',
        prefix: start,
        ...(token !== undefined && { 'continuation-token': token }),
      });
      return this.#inRegion(() =>
        this.#http.read(() => this.#sign(`?${query.toString()}`), parseS3Page, this.#explain),
      );
    });
  }

  /** Asks again in the bucket's own region where S3 says that it is another than ours. */
  async #inRegion<T>(ask: () => Promise<T>): Promise<T> {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof OtherRegion) || error.region === this.#region) throw error;
      this.#region = error.region;
      return await ask();
    }
  }

  async #sign(path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET'): Promise<Call> {
    const url = this.#bucketUrl() + path;
    const credentials = await this.#credentials();
    const call = { url, method, headers };
    return { ...(credentials ? signed(call, credentials, this.#region) : call), redirect: 'manual' };
  }

  #bucketUrl(): string {
    const { bucket } = this.#uri;
    if (this.#endpoint !== undefined) return `${this.#endpoint}/${bucket}`;
    const host = `s3.${this.#region}.${domainOf(this.#region)}`;
    // No certificate covers a bucket with dots as a host name.
    return bucket.includes('.') ? `https://${host}/${bucket}` : `https://${bucket}.${host}`;
  }

  #path(key: string): string {
    return `/${encodedPath(key)}`;
  }

  #object(file: RemoteFile): S3Object {
    const object = this.#objects.get(file.path);
    if (!object) throw new Error(`${file.path} was not listed`);
    return object;
  }

  #name(): string {
    return `s3://${this.#uri.bucket}/${this.#uri.prefix}`;
  }

  readonly #explain: Explain = (status, headers, body) => {
    const region = s3Region(headers, body);
    const code = s3Code(body);
    if (region !== undefined && (status === 301 || status === 307 || status === 400) && code !== 'ExpiredToken') {
      return new OtherRegion(region);
    }
    if (status === 412) {
      return new FetchError(`${this.#name()} was changed while it was fetched; the next try takes the new version`, 1);
    }
    if (status === 404) {
      const what =
        code === 'NoSuchBucket' ? `there is no bucket ${this.#uri.bucket}` : `there is nothing at ${this.#name()}`;
      return new FetchError(`${what}: check model.uri, and AWS_ENDPOINT_URL if it is not Amazon's`, EXIT.notFound);
    }
    if (status === 401 || status === 403 || /Token|AccessKey|Signature/.test(code)) {
      return new FetchError(
        `${this.#name()} may not be read (${status} ${code}): put AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, allowed s3:ListBucket and s3:GetObject, into the Secret model.credentials.secretName, or give the ServiceAccount such a role, by an annotation or with serviceAccount.identity: eks-pod-identity`,
        EXIT.unauthorized,
      );
    }
    return undefined;
  };
}

/** The bucket is in another region than the request was signed for. */
class OtherRegion extends FetchError {
  readonly region: string;

  constructor(region: string) {
    super(`the bucket is in the region ${region}: set AWS_REGION to it`, EXIT.usage);
    this.region = region;
  }
}
