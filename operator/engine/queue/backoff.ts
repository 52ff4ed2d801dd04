import { delayAfter } from '../../kube/index.ts';

/** The share of a delay that is random. */
const JITTER = 0.2;

export interface BackoffOptions {
  /**
   * Delay after the first failure, in milliseconds.
   *
   * @default 1000
   */
  readonly baseMs?: number;
  /**
   * The longest delay, in milliseconds.
   *
   * @default 300000 (five minutes)
   */
  readonly maxMs?: number;
  /**
   * A number from 0 (included) to 1 (excluded).
   *
   * @default Math.random
   */
  readonly random?: () => number;
}

/** Exponential backoff by item: each failure doubles the delay, up to a limit; `forget` starts again. */
export class Backoff {
  readonly #failures = new Map<string, number>();
  readonly #baseMs: number;
  readonly #maxMs: number;
  readonly #random: () => number;

  constructor({ baseMs = 1_000, maxMs = 300_000, random = Math.random }: BackoffOptions = {}) {
    this.#baseMs = baseMs;
    this.#maxMs = maxMs;
    this.#random = random;
  }

  /**
   * Counts a failure and says how long to wait, in milliseconds. A part of it is random, so that items that failed
   * together (the API server was away) don't come back together.
   */
  next(item: string): number {
    const failures = this.failures(item) + 1;
    this.#failures.set(item, failures);
    return delayAfter(failures, { first: this.#baseMs, longest: this.#maxMs, jitter: JITTER }, this.#random());
  }

  /** The failures in a row of an item. */
  failures(item: string): number {
    return this.#failures.get(item) ?? 0;
  }

  forget(item: string): void {
    this.#failures.delete(item);
  }
}
