import type { Dispatcher } from 'undici';
import type { Answer } from './transport.ts';

type Handler = Dispatcher.DispatchHandler;

/**
 * Gathers an answer that is wanted as a whole. undici would hand it over as a stream, which for a body that comes in one
 * piece is made, filled, read and closed for nothing.
 */
export class WholeAnswer implements Handler {
  #answer: PromiseWithResolvers<Answer<string>> | undefined;
  readonly #chunks: Buffer[] = [];
  #controller: Dispatcher.DispatchController | undefined;
  #brokenOff: Error | undefined;
  #status = 0;
  #retryAfter: string | string[] | undefined;

  /** Sends the request, unless it was broken off before. */
  of(dispatcher: Dispatcher, options: Dispatcher.DispatchOptions): Promise<Answer<string>> {
    if (this.#brokenOff !== undefined) return Promise.reject(this.#brokenOff);
    this.#answer = Promise.withResolvers();
    dispatcher.dispatch(options, this);
    return this.#answer.promise;
  }

  /** Ends it, wherever it is; what has not been sent is not sent any more. */
  breakOff(reason: Error): void {
    this.#brokenOff = reason;
    this.#answer?.reject(reason);
    this.#controller?.abort(reason);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#brokenOff === undefined) this.#controller = controller;
    else controller.abort(this.#brokenOff);
  }

  onResponseStart(...[, status, headers]: Parameters<NonNullable<Handler['onResponseStart']>>): void {
    this.#status = status;
    this.#retryAfter = headers['retry-after'];
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    const [first, ...rest] = this.#chunks;
    const bytes = first !== undefined && rest.length === 0 ? first : Buffer.concat(this.#chunks);
    this.#answer?.resolve({ status: this.#status, retryAfter: this.#retryAfter, body: bytes.toString() });
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.#answer?.reject(error);
  }
}
