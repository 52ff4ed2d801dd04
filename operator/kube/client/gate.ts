import type { Dispatcher } from 'undici';

/**
 * Asked right before the first byte of each mutating request is sent, with its method and path; throws to refuse it.
 * A request may have waited for a token, a connection or a handshake by then, so a check any earlier would be stale.
 */
export type Gate = (method: string, path: string) => void;

/** An interceptor that asks `gate`. */
export function gatedBy(gate: Gate): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) =>
    dispatch(options, isMutating(options) ? new Gated(handler, () => gate(options.method, options.path)) : handler);
}

function isMutating({ method, path }: Dispatcher.DispatchOptions): boolean {
  return method !== 'GET' && !path.includes('dryRun=All');
}

type Handler = Dispatcher.DispatchHandler;

class Gated implements Handler {
  readonly #inner: Handler;
  readonly #check: () => void;

  constructor(inner: Handler, check: () => void) {
    this.#inner = inner;
    this.#check = check;
  }

  onRequestStart(...parameters: Parameters<NonNullable<Handler['onRequestStart']>>): void {
    this.#check();
    this.#inner.onRequestStart?.(...parameters);
  }

  onResponseStart(...parameters: Parameters<NonNullable<Handler['onResponseStart']>>): void {
    this.#inner.onResponseStart?.(...parameters);
  }

  onResponseData(...parameters: Parameters<NonNullable<Handler['onResponseData']>>): void {
    this.#inner.onResponseData?.(...parameters);
  }

  onResponseEnd(...parameters: Parameters<NonNullable<Handler['onResponseEnd']>>): void {
    this.#inner.onResponseEnd?.(...parameters);
  }

  onResponseError(...parameters: Parameters<NonNullable<Handler['onResponseError']>>): void {
    this.#inner.onResponseError?.(...parameters);
  }
}
