import type { Trouble } from '../model/polling.ts';
import { valuesOf } from './ndjson.ts';

/** Why a request has no answer. */
export class Refusal extends Error {
  readonly trouble: Trouble;

  constructor(trouble: Trouble, message: string) {
    super(message);
    this.trouble = trouble;
  }
}

/** An answer, and whether it is another one than the last to the same path. */
interface Answer {
  readonly etag: string | null;
  readonly value: unknown;
}

/** The server, as the page sees it. */
export class Server {
  readonly #token: string | undefined;
  readonly #answers = new Map<string, Answer>();

  constructor(token: string | undefined) {
    this.#token = token;
  }

  /** @returns the same object as before where nothing has changed, so that nothing is drawn again */
  async json<T>(path: string, signal: AbortSignal): Promise<T> {
    const known = this.#answers.get(path);
    const headers = known?.etag ? { 'if-none-match': known.etag } : {};
    const response = await this.#request(path, { headers, signal });
    if (response.status === 304 && known !== undefined) return known.value as T;
    const value: unknown = await response.json();
    this.#keep(path, { etag: response.headers.get('etag'), value });
    return value as T;
  }

  /** What a path answered last, where that is still known: a view that one comes back to is there at once. */
  known(path: string | undefined): unknown {
    return path === undefined ? undefined : this.#answers.get(path)?.value;
  }

  /** The values of a stream, one after the other, as they come. */
  async *stream<T>(path: string, init: RequestInit): AsyncGenerator<T, void> {
    const { body } = await this.#request(path, init);
    if (body !== null) for await (const value of valuesOf(body)) yield value as T;
  }

  async blob(path: string, signal: AbortSignal): Promise<Blob> {
    return (await this.#request(path, { signal })).blob();
  }

  /** Only a few are of use: those of the views that somebody goes to and fro between. */
  #keep(path: string, answer: Answer): void {
    this.#answers.delete(path);
    this.#answers.set(path, answer);
    const [oldest] = this.#answers.keys();
    if (this.#answers.size > 8 && oldest !== undefined) this.#answers.delete(oldest);
  }

  async #request(path: string, init: RequestInit): Promise<Response> {
    if (this.#token === undefined) throw new Refusal({ kind: 'stranger' }, 'no token');
    const headers = { ...(init.headers as Record<string, string>), authorization: `Bearer ${this.#token}` };
    const response = await fetch(path, { ...init, headers, cache: 'no-store' }).catch((error: unknown) => {
      if (init.signal?.aborted === true) throw error;
      throw new Refusal({ kind: 'gone' }, 'no answer');
    });
    if (response.ok || response.status === 304) return response;
    if (response.status === 401) throw new Refusal({ kind: 'stranger' }, 'the server does not know the token');
    const { status } = response;
    const message = await sentenceOf(response);
    throw new Refusal({ kind: 'refused', status, message }, message);
  }
}

async function sentenceOf(response: Response): Promise<string> {
  const text = await response.text();
  try {
    const { error } = JSON.parse(text) as { readonly error?: unknown };
    if (typeof error === 'string') return error;
  } catch {
    // A proxy between may answer with a page of its own.
  }
  return `the server answered with status ${response.status}`;
}

/** What an error is about; an answer that breaks off is as if nobody answered. */
export const troubleOf = (error: unknown): Trouble => (error instanceof Refusal ? error.trouble : { kind: 'gone' });
