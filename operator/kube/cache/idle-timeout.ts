import { asTransportError, TransportError } from '../client/index.ts';

/** Breaks a stream off that has been silent for too long: a dead connection says nothing, not even that it is dead. */
export class IdleTimeout {
  readonly #limit = new AbortController();
  readonly #outer: AbortSignal;
  readonly #abort = () => this.#limit.abort(this.#outer.reason);
  #timer: NodeJS.Timeout | undefined;

  /** @param outer - breaks the stream off as well */
  constructor(outer: AbortSignal) {
    this.#outer = outer;
    if (outer.aborted) this.#abort();
    else outer.addEventListener('abort', this.#abort, { once: true });
  }

  /** To be given to what opens the stream. */
  get signal(): AbortSignal {
    return this.#limit.signal;
  }

  /** The error of a silence that was too long; undefined where there was none. */
  get error(): TransportError | undefined {
    const reason: unknown = this.#limit.signal.reason;
    return reason instanceof TransportError ? reason : undefined;
  }

  /** Allows `ms` of silence from now on. */
  allow(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#limit.abort(new TransportError(`the stream was silent for ${Math.round(ms)} ms`, 'SILENT', true));
    }, ms);
  }

  /**
   * `chunks`, each of which ends the silence.
   *
   * @throws TransportError where the connection breaks
   */
  async *heard<T>(chunks: AsyncIterable<T>): AsyncGenerator<T, void, undefined> {
    try {
      for await (const chunk of chunks) {
        this.#timer?.refresh();
        yield chunk;
      }
    } catch (error) {
      throw asTransportError(error);
    }
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#outer.removeEventListener('abort', this.#abort);
    this.#limit.abort();
  }
}
