import type { Dispatcher } from 'undici';

/** What came back. */
export interface HttpResponse<Content> {
  readonly status: number;
  readonly retryAfter: string | string[] | undefined;
  readonly body: Content;
}

type Handler = Dispatcher.DispatchHandler;

/**
 * Receives an answer from undici as it comes in. What undici has for that hands every answer over as a stream of Node's,
 * which is dear for bodies that come in one piece, and for those that come in many.
 */
export abstract class Receiver<Content> implements Handler {
  #answer: PromiseWithResolvers<HttpResponse<Content>> | undefined;
  /** Steers it, once the request is under way. */
  protected controller: Dispatcher.DispatchController | undefined;
  #brokenOff: Error | undefined;
  #status = 0;
  #retryAfter: string | string[] | undefined;

  /** Of its head; 0 before. */
  protected get status(): number {
    return this.#status;
  }

  /** Sends the request, unless it was broken off before. */
  of(dispatcher: Dispatcher, options: Dispatcher.DispatchOptions): Promise<HttpResponse<Content>> {
    if (this.#brokenOff !== undefined) return Promise.reject(this.#brokenOff);
    this.#answer = Promise.withResolvers();
    dispatcher.dispatch(options, this);
    return this.#answer.promise;
  }

  /** Ends it, wherever it is; what has not been sent is not sent any more. */
  breakOff(reason: Error): void {
    this.#brokenOff ??= reason;
    this.failed(reason);
    this.controller?.abort(reason);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#brokenOff === undefined) this.controller = controller;
    else controller.abort(this.#brokenOff);
  }

  onResponseStart(...[, status, headers]: Parameters<NonNullable<Handler['onResponseStart']>>): void {
    // A proxy may send word before the answer: 103 Early Hints.
    if (status < 200) return;
    this.#status = status;
    this.#retryAfter = headers['retry-after'];
    this.begun();
  }

  abstract onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void;

  abstract onResponseEnd(): void;

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.failed(error);
  }

  /** Its head is there. */
  protected begun(): void {}

  /** Hands the answer over. */
  protected answered(body: Content): void {
    this.#answer?.resolve({ status: this.#status, retryAfter: this.#retryAfter, body });
  }

  /** No more of it comes. */
  protected failed(error: Error): void {
    this.#answer?.reject(error);
  }
}
