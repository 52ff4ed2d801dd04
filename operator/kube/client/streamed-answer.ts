import type { Dispatcher } from 'undici';
import { Receiver } from './receiver.ts';

/** A body as it comes. It ends with an error where the connection breaks before its end; to stop reading breaks it off. */
export type Body = AsyncIterable<Uint8Array>;

/** Bytes that wait to be read when the server is made to wait as well: as many as Node's streams let wait. */
const LARGEST_BACKLOG = 2 ** 16;

/**
 * An answer whose body is handed over as it comes. Who stops reading it before its end breaks it off. What came before
 * the connection broke is read before the error is.
 */
export class StreamedAnswer extends Receiver<Body> implements AsyncIterableIterator<Uint8Array> {
  readonly #ended = Promise.withResolvers<void>();
  #backlog: Uint8Array[] = [];
  #bytes = 0;
  /** Who waits for the next piece. */
  #reader: PromiseWithResolvers<IteratorResult<Uint8Array, undefined>> | undefined;
  #over: { readonly error?: Error } | undefined;

  /** Breaks it off when `signal` is aborted. */
  endWith(signal: AbortSignal): void {
    const abort = () => this.breakOff(signal.reason as Error);
    if (signal.aborted) return abort();
    signal.addEventListener('abort', abort, { once: true });
    void this.#ended.promise.then(() => signal.removeEventListener('abort', abort));
  }

  /** Ends it, wherever it is; what has come and was not read is dropped. */
  override breakOff(reason: Error): void {
    this.#backlog = [];
    super.breakOff(reason);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#reader !== undefined) {
      this.#reader.resolve({ done: false, value: chunk });
      this.#reader = undefined;
      return;
    }
    this.#backlog.push(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes >= LARGEST_BACKLOG) controller.pause();
  }

  onResponseEnd(): void {
    this.#close({});
  }

  async next(): Promise<IteratorResult<Uint8Array, undefined>> {
    const value = this.#backlog.shift();
    if (value !== undefined) {
      this.#bytes -= value.length;
      if (this.controller?.paused === true && this.#bytes < LARGEST_BACKLOG) this.controller.resume();
      return { done: false, value };
    }
    if (this.#over?.error !== undefined) throw this.#over.error;
    if (this.#over !== undefined) return { done: true, value: undefined };
    this.#reader = Promise.withResolvers();
    return this.#reader.promise;
  }

  async return(): Promise<IteratorResult<Uint8Array, undefined>> {
    this.breakOff(new Error('the rest is not wanted'));
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  protected override begun(): void {
    this.answered(this);
  }

  protected override failed(error: Error): void {
    super.failed(error);
    this.#close({ error });
  }

  #close(over: { readonly error?: Error }): void {
    if (this.#over !== undefined) return;
    this.#over = over;
    this.#ended.resolve();
    if (over.error === undefined) this.#reader?.resolve({ done: true, value: undefined });
    else this.#reader?.reject(over.error);
  }
}
