import type {
  AzureUri,
  FetchedUri,
  GcsUri,
  HttpsUri,
  HuggingFaceUri,
  S3Uri,
} from '../constructs/parts/weights/index.ts';
import type { Environment } from './config.ts';
import { EXIT } from '../constructs/parts/weights/index.ts';
import { FetchError } from './errors.ts';
import type { Http } from './http.ts';
import type { Source } from './source.ts';

type Host<Uri> = new (uri: Uri, http: Http, env: Environment) => Source;

/**
 * The hosts that a program fetches from, by the scheme of the URI. A ConfigMap carries the program for the scheme of its
 * model, which is a third smaller than one for all.
 */
export interface Hosts {
  readonly hf?: Host<HuggingFaceUri>;
  readonly s3?: Host<S3Uri>;
  readonly gs?: Host<GcsUri>;
  readonly az?: Host<AzureUri>;
  readonly https?: Host<HttpsUri>;
}

/** What a program has: not each has all, so that the one of a ConfigMap stays small. */
export interface Program {
  readonly hosts: Hosts;
  /**
   * Unpacks an archive into a new folder: that of a web server is the only one that is taken for a model.
   *
   * @default - archives are no models of its hosts
   */
  readonly unpack?: (archive: string, folder: string, signal: AbortSignal) => Promise<void>;
}

/**
 * The host of a model.
 *
 * @throws FetchError where the program has no such host: the scheme of `model.uri` has changed since its pod was made
 */
export function sourceOf(hosts: Hosts, uri: FetchedUri, http: Http, env: Environment): Source {
  const Found = hosts[uri.scheme] as Host<FetchedUri> | undefined;
  if (Found !== undefined) return new Found(uri, http, env);
  throw new FetchError(
    `this script fetches ${Object.keys(hosts)
      .map((scheme) => `${scheme}://`)
      .join(' and ')}, and not ${uri.scheme}://: it belongs to another model.uri than this pod`,
    EXIT.usage,
  );
}
