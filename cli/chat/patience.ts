import { CliError } from '../errors.ts';

/** A signal that ends a request once its server has been silent for too long, or once the user has had enough. */
export class Patience {
  readonly signal: AbortSignal;
  readonly #quiet = new AbortController();
  readonly #timer: NodeJS.Timeout;

  constructor(outer: AbortSignal, seconds: number) {
    this.signal = AbortSignal.any([outer, this.#quiet.signal]);
    this.#timer = setTimeout(() => {
      const advice = 'It may be busy, or hang: --timeout waits longer, trunnion logs shows what it says.';
      this.#quiet.abort(new CliError(`the server sent nothing for ${seconds} s. ${advice}`));
    }, seconds * 1_000);
  }

  /** The server said something: it may be silent as long again. */
  heard(): void {
    this.#timer.refresh();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
