import type { Clock } from '../../../operator/engine/queue/clock.ts';

/** A clock that stands still until it is told to continue. */
export class FakeClock implements Clock {
  #now: number;
  #timers: { readonly at: number; readonly fire: () => void }[] = [];

  constructor(now = 1_000_000) {
    this.#now = now;
  }

  get pending(): number {
    return this.#timers.length;
  }

  now(): number {
    return this.#now;
  }

  after(ms: number, fire: () => void): () => void {
    const timer = { at: this.#now + ms, fire };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  /** Lets time pass, firing what falls due in its order, and what this lets promises do. */
  async advance(ms: number): Promise<void> {
    const until = this.#now + ms;
    await settle();
    for (;;) {
      const due = this.#timers.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0];
      if (due === undefined) break;
      this.#timers = this.#timers.filter((timer) => timer !== due);
      this.#now = Math.max(this.#now, due.at);
      due.fire();
      await settle();
    }
    this.#now = until;
  }
}

/** Lets every promise that can continue do so, and those that leave the event loop a turn meanwhile. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
