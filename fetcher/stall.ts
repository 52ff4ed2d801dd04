import { passing } from './errors.ts';
import { TRICKLE_BYTES } from './limits.ts';

/** Ends a request that brings too little for so long: nothing, or a trickle that would never end. */
export class Stall {
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout;
  #bytes = 0;

  constructor(ms: number, place: string) {
    this.#timer = setTimeout(() => {
      const sent = this.#bytes === 0 ? 'nothing' : `no more than ${this.#bytes} bytes`;
      this.#controller.abort(passing(`${place} sent ${sent} for ${ms / 1000} s`));
    }, ms);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Told of bytes that came; enough of them give it new time. */
  beat(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes < TRICKLE_BYTES) return;
    this.#bytes = 0;
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
