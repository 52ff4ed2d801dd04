import type { Limits } from './limits.ts';

/** How often something may begin: so many at once after a rest, and so many in a second in the long run. */
export class Pace {
  readonly #limits: Pick<Limits, 'perSecond' | 'burst'>;
  #left: number;
  #at: number;

  /** @param now - milliseconds since the epoch */
  constructor(limits: Pick<Limits, 'perSecond' | 'burst'>, now: number) {
    this.#limits = limits;
    this.#left = limits.burst;
    this.#at = now;
  }

  /** Milliseconds until one may begin; 0 where that is now. */
  waitMs(now: number): number {
    this.#refill(now);
    // One that is due in the next moment must not be found to be a billionth short then.
    return this.#left >= 1 ? 0 : Math.max(1, Math.ceil(((1 - this.#left) * 1_000) / this.#limits.perSecond));
  }

  /** One begins, or something takes as much as so many. */
  take(count: number, now: number): void {
    this.#refill(now);
    this.#left -= count;
  }

  /** Whether it has rested so long that there is nothing to remember. */
  isRested(now: number): boolean {
    this.#refill(now);
    return this.#left >= this.#limits.burst;
  }

  #refill(now: number): void {
    const { perSecond, burst } = this.#limits;
    // A clock that was put back gives nothing, and takes nothing.
    const gained = (Math.max(0, now - this.#at) * perSecond) / 1_000;
    this.#left = Math.min(burst, this.#left + gained);
    this.#at = now;
  }
}
