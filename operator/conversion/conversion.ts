import { setTimeout as sleep } from 'node:timers/promises';
import type { KeyedCertificate } from '../../certificates/index.ts';
import { isConverted } from '../../constructs/schema/crd-conversion.ts';
import type { KindSchema } from '../../constructs/schema/kind.ts';
import { Backoff } from '../engine/queue/index.ts';
import type { Logger } from '../engine/telemetry/index.ts';
import { ApiError, type KubeClient } from '../kube/index.ts';
import { CONVERSION_PORT, conversionName, serviceHost } from './access.ts';
import { answerer } from './answerer.ts';
import { readCrd, trustIn, type TrustingCrd } from './ca-bundle.ts';
import { certificateIn } from './certificate-files.ts';
import { endOf } from './certificate.ts';
import { type ConversionServer, serveConversions } from './server.ts';
import { sharedCertificate } from './shared-secret.ts';

export interface ConversionOptions {
  /** Those of one version are left out. */
  readonly kinds: readonly KindSchema[];
  /** One that no lease holds back: each replica converts, and before it leads. */
  readonly client: KubeClient;
  /** Of the operator: its Service and its Secret are named by it, and its field manager. */
  readonly name: string;
  /** Where its Service and its Secret are. */
  readonly namespace: string;
  /**
   * Names and addresses by which the API server asks beside the Service, where the CRD has a URL.
   *
   * @default - none
   */
  readonly hosts?: readonly string[];
  /**
   * Labels of the Secret.
   *
   * @default - none
   */
  readonly labels?: Readonly<Record<string, string>>;
  /**
   * A folder with `tls.crt` and `tls.key` that somebody else makes and renews. The CRD must then say whom to trust.
   *
   * @default - the operator makes a certificate, shares it in a Secret, and writes it into the CRD
   */
  readonly certificateDirectory?: string;
  /**
   * 0 takes any that is free.
   *
   * @default 9443
   */
  readonly port?: number;
  /** @default - all addresses */
  readonly host?: string;
  /**
   * How often certificate and CRD are checked, in milliseconds.
   *
   * @default 60000, or 10000 for a folder
   */
  readonly checkMs?: number;
  /**
   * Milliseconds since the epoch.
   *
   * @default Date.now
   */
  readonly now?: () => number;
  readonly log: Logger;
}

/** What is converted as long as it is not closed. */
export interface Conversions {
  /** The port, once the API server can ask on it; rejected where it never could. */
  readonly listening: Promise<number>;
  /** Looks at the certificate and the CRDs now. */
  check(): Promise<void>;
  close(): Promise<void>;
}

const DAY_MS = 86_400_000;

/** How often another replica may be faster. */
const MOST_TRIES = 5;

/**
 * Converts resources of kinds for the API server. It begins at once and does not wait for a lease: where resources are
 * stored in an older version, no cache is complete before they are converted.
 *
 * @returns undefined where no kind has anything to convert
 */
export function startConversions(options: ConversionOptions): Conversions | undefined {
  const kinds = options.kinds.filter(isConverted);
  if (kinds.length === 0) return undefined;
  const conversion = new Conversion({ ...options, kinds });
  conversion.start();
  return conversion;
}

class Conversion implements Conversions {
  readonly #options: ConversionOptions;
  readonly #client: KubeClient;
  readonly #now: () => number;
  readonly #end = new AbortController();
  readonly #listening = Promise.withResolvers<number>();
  #server: ConversionServer | undefined;
  #served: KeyedCertificate | undefined;
  /** The certificate that all CRDs named when they were last checked. */
  #trusted: string | undefined;
  #loop: Promise<void> = Promise.resolve();
  #checking: Promise<void> = Promise.resolve();

  constructor(options: ConversionOptions) {
    this.#options = options;
    this.#client = options.client.with({ signal: this.#end.signal });
    this.#now = options.now ?? Date.now;
    this.#listening.promise.catch(() => undefined);
  }

  get listening(): Promise<number> {
    return this.#listening.promise;
  }

  start(): void {
    this.#loop = this.#run();
  }

  /** One after the other: two at once could serve twice. */
  async check(): Promise<void> {
    const next = this.#checking.catch(() => undefined).then(() => this.#check());
    this.#checking = next;
    await next;
  }

  async close(): Promise<void> {
    this.#end.abort();
    await this.#loop;
    await this.#checking.catch(() => undefined);
    await this.#server?.close();
    this.#listening.reject(new Error('it was closed before it could listen'));
  }

  async #run(): Promise<void> {
    const { certificateDirectory, log, checkMs = certificateDirectory === undefined ? 60_000 : 10_000 } = this.#options;
    const backoff = new Backoff({ maxMs: checkMs });
    const { signal } = this.#end;
    while (!signal.aborted) {
      let wait = checkMs;
      try {
        await this.check();
        backoff.forget('');
      } catch (error) {
        wait = backoff.next('');
        if (!signal.aborted) log.warn({ err: error }, 'resources of several versions may not be converted');
      }
      await sleep(wait, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  async #check(tries = 1): Promise<void> {
    if (this.#end.signal.aborted) return;
    const { certificateDirectory } = this.#options;
    if (certificateDirectory !== undefined) return this.#serve(await certificateIn(certificateDirectory));
    // The CRDs first: then what is written into them is never older than what another replica wrote.
    const read = await Promise.allSettled(this.#options.kinds.map((kind) => readCrd(this.#client, kind)));
    const crds = read.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    const shared = await this.#shared();
    const written = await Promise.allSettled(crds.map((crd) => this.#trust(crd, shared.trusted)));
    if (this.#isDue(shared)) await this.#serve(shared);
    const failures = [...read, ...written].flatMap((each) =>
      each.status === 'rejected' ? [each.reason as unknown] : [],
    );
    if (failures.some(isConflict) && tries < MOST_TRIES) return this.#check(tries + 1);
    if (failures.length > 0) throw failures[0];
    this.#trusted = shared.certificate;
  }

  #shared() {
    const { name, namespace, hosts = [], labels = {} } = this.#options;
    const service = conversionName(name);
    return sharedCertificate({
      client: this.#client,
      ref: { namespace, name: service },
      name,
      hosts: [serviceHost(service, namespace), ...hosts],
      labels,
      now: this.#now,
    });
  }

  async #trust(crd: TrustingCrd, trusted: string): Promise<void> {
    const { name, log } = this.#options;
    const written = await trustIn(this.#client, crd, trusted, conversionName(name));
    if (written) log.info({ crd: crd.name }, 'wrote whom the API server trusts for conversions');
  }

  /**
   * Whether a certificate is served from now on: the first one at once, the next one a check after it was written into the
   * CRDs, when all API servers have seen that.
   */
  #isDue({ certificate }: KeyedCertificate): boolean {
    const isEnding = this.#served !== undefined && endOf(this.#served.certificate) - this.#now() < DAY_MS;
    return this.#served === undefined || isEnding || this.#trusted === certificate;
  }

  async #serve(certificate: KeyedCertificate): Promise<void> {
    const { port = CONVERSION_PORT, host, log } = this.#options;
    if (this.#server === undefined) {
      const answer = answerer(this.#options.kinds, log, this.#now);
      this.#server = await serveConversions({ port, ...(host !== undefined && { host }), certificate, answer });
      this.#listening.resolve(this.#server.port);
      log.info({ port: this.#server.port }, 'conversions are served');
    } else if (this.#served?.certificate !== certificate.certificate) {
      this.#server.use(certificate);
      log.info(
        { until: new Date(endOf(certificate.certificate)).toISOString() },
        'conversions have another certificate',
      );
    }
    this.#served = certificate;
  }
}

/** Somebody has changed the CRD since it was read. */
const isConflict = (error: unknown): boolean => error instanceof ApiError && error.status === 409;
