import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from './config.ts';
import { EXIT } from '../layout.ts';
import { FetchError, passing, wordsOf } from './errors.ts';

/** The longest wait between two tries that is not asked for by the host. */
const LONGEST_BACKOFF_MS = 60_000;
/** The longest wait that a host may ask for. */
const LONGEST_RETRY_AFTER_MS = 15 * 60_000;

/** A request as fetch() takes it. */
export interface Call {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: string;
  readonly body?: string;
  /** @default 'follow' - and fetch() drops the credentials where the redirect leads to another origin */
  readonly redirect?: 'follow' | 'manual';
}

/** An answer whose body is yet to be read; reading it fails where the host stalls. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  chunks(): AsyncGenerator<Uint8Array>;
  text(): Promise<string>;
  /** Lets go of the connection. */
  discard(): void;
}

/** Words a refusal as the source would have it; undefined leaves it to the general words. */
export type Explain = (status: number, headers: Headers, body: string) => FetchError | undefined;

/** Makes requests: each with a stall timeout, and repeated where the failure may pass. */
export class Http {
  readonly #config: Pick<Config, 'stallMs' | 'retryMs' | 'attempts'>;
  readonly #signal: AbortSignal;

  constructor(config: Pick<Config, 'stallMs' | 'retryMs' | 'attempts'>, signal: AbortSignal) {
    this.#config = config;
    this.#signal = signal;
  }

  /** Makes a request once. Throws for anything but a 2xx. */
  async open(call: Call, explain?: Explain): Promise<Answer> {
    const answer = await this.exchange(call);
    if (answer.status >= 200 && answer.status < 300) return answer;
    throw refusal(call, answer, await answer.text(), explain);
  }

  /** Makes a request until it succeeds or can't, and reads its body. `make` runs for each try: signatures age. */
  async text(make: () => Call | Promise<Call>, explain?: Explain): Promise<{ text: string; headers: Headers }> {
    return await this.persist(async () => {
      const answer = await this.open(await make(), explain);
      return { text: await answer.text(), headers: answer.headers };
    });
  }

  /** The same for JSON. */
  async json(make: () => Call | Promise<Call>, explain?: Explain): Promise<{ value: unknown; headers: Headers }> {
    return await this.persist(async () => {
      const answer = await this.open(await make(), explain);
      const text = await answer.text();
      try {
        return { value: JSON.parse(text) as unknown, headers: answer.headers };
      } catch (cause) {
        throw passing(`${placeOf((await make()).url)} answered with something that is not JSON`, { cause });
      }
    });
  }

  /**
   * Repeats an action while its failure may pass and the tries last, with pauses that double, or as the host asks.
   *
   * @param action - told a function to call when it has got on; the count of failures then starts anew
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
        await sleep(error.retryAfterMs ?? this.#backoff(failures), undefined, { signal: this.#signal });
      }
    }
  }

  /** Makes a request once and answers whatever comes back. */
  async exchange(call: Call): Promise<Answer> {
    const stall = new Stall(this.#config.stallMs, placeOf(call.url));
    try {
      const response = await fetch(call.url, {
        method: call.method ?? 'GET',
        // Bytes as they are stored: sizes and checksums are of these.
        headers: { 'accept-encoding': 'identity', 'user-agent': 'trunnion-fetcher', ...call.headers },
        ...(call.body !== undefined && { body: call.body }),
        redirect: call.redirect ?? 'follow',
        signal: AbortSignal.any([this.#signal, stall.signal]),
      });
      return this.#answer(call, response, stall);
    } catch (error) {
      stall.end();
      throw this.#told(call, error);
    }
  }

  #answer(call: Call, response: Response, stall: Stall): Answer {
    const told = (error: unknown): unknown => this.#told(call, error);
    async function* chunks(): AsyncGenerator<Uint8Array> {
      try {
        for await (const chunk of response.body ?? []) {
          stall.beat();
          yield chunk as Uint8Array;
        }
      } catch (error) {
        throw told(error);
      } finally {
        stall.end();
      }
    }
    return {
      status: response.status,
      headers: response.headers,
      chunks,
      text: async () => {
        const parts: Uint8Array[] = [];
        for await (const chunk of chunks()) parts.push(chunk);
        return Buffer.concat(parts).toString('utf8');
      },
      discard: () => stall.abort(),
    };
  }

  /** A failure of the connection; what is no such failure (we were told to stop, a full disk) stays what it is. */
  #told(call: Call, error: unknown): unknown {
    if (this.#signal.aborted) return this.#signal.reason;
    if (error instanceof FetchError || !(error instanceof TypeError)) return error;
    return passing(`no connection to ${placeOf(call.url)} (is this egress allowed?): ${wordsOf(error.cause ?? error)}`);
  }

  #backoff(failures: number): number {
    const longest = Math.min(this.#config.retryMs * 2 ** (failures - 1), LONGEST_BACKOFF_MS);
    return longest * (0.5 + Math.random() / 2);
  }
}

/** Ends a request that brings no byte for so long. */
class Stall {
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout;

  constructor(ms: number, place: string) {
    this.#timer = setTimeout(() => {
      this.#controller.abort(passing(`${place} sent nothing for ${ms / 1000} s`));
    }, ms);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  beat(): void {
    this.#timer.refresh();
  }

  end(): void {
    clearTimeout(this.#timer);
  }

  abort(): void {
    this.end();
    this.#controller.abort();
  }
}

/** A URL without its query, which may carry a signature. */
export function placeOf(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}

function refusal(call: Call, answer: Answer, body: string, explain: Explain | undefined): FetchError {
  const { status, headers } = answer;
  const place = placeOf(call.url);
  if (status === 408 || status === 425 || status === 429 || status >= 500) {
    return passing(`${place} answered ${status}`, { retryAfterMs: retryAfter(headers) });
  }
  const explained = explain?.(status, headers, body);
  if (explained) return explained;
  if (status === 401 || status === 403) {
    return new FetchError(
      `${place} answered ${status}: the credentials are missing, or not sufficient`,
      EXIT.unauthorized,
    );
  }
  if (status === 404 || status === 410) return new FetchError(`there is nothing at ${place}`, EXIT.notFound);
  return new FetchError(`${place} answered ${status}: ${body.slice(0, 300).replaceAll(/\s+/g, ' ')}`, 1);
}

/** Retry-After, in seconds or as a date, in milliseconds from now. */
function retryAfter(headers: Headers): number | undefined {
  const text = headers.get('retry-after');
  if (text === null) return undefined;
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), LONGEST_RETRY_AFTER_MS);
}
