import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from './config.ts';
import { EXIT } from '../constructs/parts/weights/index.ts';
import { codeOf, FetchError, passing, wordsOf } from './errors.ts';
import { ANSWER_BYTES, ERROR_BYTES, REDIRECTS } from './limits.ts';
import { quoted } from './names.ts';
import { takeWay } from './proxy.ts';
import { placeOf, refusal } from './refusal.ts';
import type { Explain } from './refusal.ts';
import { Stall } from './stall.ts';

/**
 * What to do about a certificate that no repetition helps, by the code of the failure; undefined where it is no such code. The
 * codes are those of Node.js 24 (doc/api/tls.md, "X509 certificate error codes", and lib/tls.js).
 */
export function certificateAdvice(code: string): string | undefined {
  if (NO_CA.test(code)) {
    return 'mount that of its CA by podTemplate, and name the file in the variable NODE_EXTRA_CA_CERTS';
  }
  if (code === 'CERT_HAS_EXPIRED') {
    return 'it, or one of a CA above it, must be renewed by anyone who runs the host, or the mounted CA is an old one; check the clock of the node as well';
  }
  if (code === 'CERT_NOT_YET_VALID') return 'check the clock of the node, and from when on it is valid';
  if (/^ERR_TLS_CERT_ALTNAME|^HOSTNAME_MISMATCH$/.test(code)) {
    return 'it is for another name: write the host as the certificate has it, or have it made for this one';
  }
  return OTHERS.test(code) ? 'anyone who runs the host, or the proxy before it, must replace it' : undefined;
}

/** Nobody who is trusted has signed it. */
const NO_CA =
  /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_GET_ISSUER_CERT|UNABLE_TO_GET_ISSUER_CERT_LOCALLY|UNABLE_TO_VERIFY_LEAF_SIGNATURE|CERT_UNTRUSTED)$/;

const OTHERS =
  /^(?:CERT_|CRL_|ERROR_IN_C|ERR_TLS_CERT|INVALID_CA$|INVALID_PURPOSE$|PATH_LENGTH_EXCEEDED$|UNABLE_TO_(?:GET|DECRYPT|DECODE)_)/;

/** The longest wait between two tries that is not asked for by the host. */
const LONGEST_BACKOFF_MS = 60_000;

/** A request as fetch() takes it. */
export interface Call {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: string;
  readonly body?: string;
  /**
   * Whether no proxy may see it: what is on the node answers with credentials in plain text.
   *
   * @default false
   */
  readonly isDirect?: boolean;
  /** @default 'follow' - without the credentials where the redirect leads to another origin */
  readonly redirect?: 'follow' | 'manual';
}

/** An answer whose body is yet to be read; reading it fails where the host stalls. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: Headers;
  chunks(): AsyncGenerator<Uint8Array>;
  /** Up to so many bytes of the body, as text; the rest is not read. */
  beginning(most: number): Promise<{ text: string; whole: boolean }>;
  /** Lets go of the connection. */
  discard(): void;
}

/** Makes requests: each with a stall timeout, and repeated where the failure may pass. */
export class Http {
  readonly #config: Pick<Config, 'stallMs' | 'retryMs' | 'attempts'>;
  readonly #signal: AbortSignal;
  readonly #onRetry: (cause: string, ms: number) => void;

  /** @param onRetry - told why an action is about to be repeated, and after how many milliseconds */
  constructor(
    config: Pick<Config, 'stallMs' | 'retryMs' | 'attempts'>,
    signal: AbortSignal,
    onRetry: (cause: string, ms: number) => void,
  ) {
    this.#config = config;
    this.#signal = signal;
    this.#onRetry = onRetry;
  }

  /** Makes a request once. Throws for anything but a 2xx. */
  async open(call: Call, explain?: Explain): Promise<HttpResponse> {
    const answer = await this.exchange(call);
    if (answer.status >= 200 && answer.status < 300) return answer;
    // The status tells enough where the words stall.
    const { text } = await answer.beginning(ERROR_BYTES).catch(() => ({ text: '' }));
    this.#signal.throwIfAborted();
    throw refusal(call.url, answer, text, explain);
  }

  /**
   * Makes a request until it succeeds or can't, and reads its answer. `make` runs for each try: signatures age.
   *
   * @param read - makes something of the text; its failure counts as the request's
   */
  async read<T>(
    make: () => Call | Promise<Call>,
    read: (text: string, headers: Headers) => T,
    explain?: Explain,
  ): Promise<T> {
    return await this.persist(async () => {
      const call = await make();
      const answer = await this.open(call, explain);
      const { text, whole } = await answer.beginning(ANSWER_BYTES);
      const place = placeOf(call.url);
      if (!whole) throw new FetchError(`${place} answered with more than ${ANSWER_BYTES} bytes`, EXIT.unsafe);
      try {
        return read(text, answer.headers);
      } catch (error) {
        if (!(error instanceof FetchError)) throw error;
        const { exitCode, retry, cause } = error;
        throw new FetchError(`${place}: ${error.message}`, exitCode, { retry, cause });
      }
    });
  }

  /**
   * Repeats an action while its failure may pass and the tries last, with pauses that double, or as the host asks.
   *
   * @param action - told a function to call when it has got on; the count of failures then starts again
   */
  async persist<T>(action: (gotOn: () => void) => Promise<T>): Promise<T> {
    let failures = 0;
    for (;;) {
      try {
        return await action(() => {
          failures = 0;
        });
      } catch (error) {
        this.#signal.throwIfAborted();
        failures += 1;
        if (!(error instanceof FetchError) || !error.retry || failures >= this.#config.attempts) throw error;
        const pause = error.retryAfterMs ?? this.#backoff(failures);
        this.#onRetry(wordsOf(error), pause);
        await sleep(pause, undefined, { signal: this.#signal });
      }
    }
  }

  /** Makes a request once and answers whatever comes back, from where redirects lead. */
  async exchange(call: Call): Promise<HttpResponse> {
    let at = call;
    for (let redirects = 0; redirects <= REDIRECTS; redirects += 1) {
      const answer = await this.#send(at);
      const next = redirected(at, answer);
      if (!next) return answer;
      answer.discard();
      at = next;
    }
    throw new FetchError(`${placeOf(call.url)} redirects more than ${REDIRECTS} times`, 1);
  }

  async #send(call: Call): Promise<HttpResponse> {
    const url = URL.parse(call.url);
    if (url === null || !/^https?:$/.test(url.protocol)) {
      throw new FetchError(`${call.url} is no http URL: check model.uri, and the variable of its host`, EXIT.usage);
    }
    takeWay(url, call.isDirect === true);
    const stall = new Stall(this.#config.stallMs, placeOf(call.url));
    try {
      const response = await fetch(call.url, {
        method: call.method ?? 'GET',
        // Bytes as they are stored: sizes and checksums are of these.
        headers: { 'accept-encoding': 'identity', 'user-agent': 'trunnion-fetcher', ...call.headers },
        ...(call.body !== undefined && { body: call.body }),
        redirect: 'manual',
        signal: AbortSignal.any([this.#signal, stall.signal]),
      });
      return this.#answer(call, response, stall);
    } catch (error) {
      stall.end();
      throw this.#explained(call, error);
    }
  }

  #answer(call: Call, response: Response, stall: Stall): HttpResponse {
    const explained = (error: unknown): unknown => this.#explained(call, error);
    async function* chunks(): AsyncGenerator<Uint8Array> {
      try {
        for await (const chunk of response.body ?? []) {
          stall.beat((chunk as Uint8Array).length);
          yield chunk as Uint8Array;
        }
      } catch (error) {
        throw explained(error);
      } finally {
        stall.end();
      }
    }
    return {
      status: response.status,
      headers: response.headers,
      chunks,
      beginning: async (most) => {
        const parts: Uint8Array[] = [];
        let bytes = 0;
        for await (const chunk of chunks()) {
          parts.push(chunk);
          bytes += chunk.length;
          if (bytes > most) break;
        }
        return { text: Buffer.concat(parts).subarray(0, most).toString('utf8'), whole: bytes <= most };
      },
      discard: () => stall.abort(),
    };
  }

  /** A failure of the connection; what is another failure (we were told to stop, a full disk) stays what it is. */
  #explained(call: Call, error: unknown): unknown {
    if (this.#signal.aborted) return this.#signal.reason;
    if (error instanceof FetchError || !(error instanceof TypeError)) return error;
    const words = wordsOf(error.cause ?? error);
    if (words === 'bad port') {
      return new FetchError(`${placeOf(call.url)} is on a port of another protocol, which Node.js refuses`, EXIT.usage);
    }
    const advice = certificateAdvice(codeOf(error.cause) ?? '');
    if (advice !== undefined) {
      return new FetchError(`the certificate of ${placeOf(call.url)} is not trusted (${words}): ${advice}`, EXIT.usage);
    }
    return passing(`no connection to ${placeOf(call.url)} (is this egress allowed?): ${words}`);
  }

  #backoff(failures: number): number {
    const longest = Math.min(this.#config.retryMs * 2 ** (failures - 1), LONGEST_BACKOFF_MS);
    return longest * (0.5 + Math.random() / 2);
  }
}

/**
 * Where an answer leads on; undefined where it is to be taken as it is.
 *
 * @throws FetchError where it leads from https to http, to no URL, or to one with a password
 */
function redirected(
  { url, method = 'GET', headers = {}, redirect = 'follow' }: Call,
  answer: HttpResponse,
): Call | undefined {
  const location = answer.headers.get('location');
  if (redirect === 'manual' || method !== 'GET' || location === null || !REDIRECT.has(answer.status)) return undefined;
  const from = new URL(url);
  const to = URL.parse(location, url);
  const safe = to !== null && (to.protocol === 'https:' || to.protocol === from.protocol) && to.username === '';
  if (!safe) {
    answer.discard();
    throw new FetchError(`${placeOf(url)} redirects to ${quoted(location)}, which is no https URL`, 1);
  }
  if (from.origin === to.origin) return { url: to.href, headers };
  const kept = Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'authorization');
  return { url: to.href, headers: Object.fromEntries(kept) };
}

const REDIRECT = new Set([301, 302, 303, 307, 308]);
