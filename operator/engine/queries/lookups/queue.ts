import type { Clock } from '../../queue/index.ts';
import type { Count, Limits } from './limits.ts';
import { NamespaceFairness, type Waiting } from './namespace-fairness.ts';

/** Idle namespaces are looked for once there are so many, and once there are twice as many as were left then. */
const FEWEST_TO_SWEEP = 64;

/** Look-ups of one lane: what is beyond its limits waits; namespaces take turns, and in each its resources. */
export class LookupQueue {
  readonly #limits: Limits;
  readonly #clock: Clock;
  readonly #namespaces = new Map<string, NamespaceFairness>();
  /** Those that may have something to begin; the one whose turn it is comes first. */
  readonly #ready = new Set<string>();
  #underWay = 0;
  #sweepAt = FEWEST_TO_SWEEP;

  constructor(limits: Limits, clock: Clock) {
    this.#limits = limits;
    this.#clock = clock;
  }

  /**
   * Does `work` once it is its turn.
   *
   * @throws the reason of `signal` where it is aborted before
   */
  async run<T>(
    namespace: string,
    resource: string,
    signal: AbortSignal,
    work: (count: Count) => Promise<T>,
  ): Promise<T> {
    await this.#turn(namespace, resource, signal);
    const { pace } = this.#fairnessOf(namespace);
    try {
      return await work((bytes) => pace.take(bytes / this.#limits.bytes, this.#clock.now()));
    } finally {
      this.#ended(namespace, resource);
    }
  }

  #turn(namespace: string, resource: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const fairness = this.#fairnessOf(namespace);
    const forget = () => {
      fairness.remove(lookup);
      if (!fairness.isWaiting) this.#rest(namespace, fairness);
      reject(signal.reason as Error);
    };
    const lookup: Waiting = {
      resource,
      begin: () => {
        signal.removeEventListener('abort', forget);
        resolve();
      },
    };
    signal.addEventListener('abort', forget, { once: true });
    fairness.add(lookup);
    // A namespace that waits for its pace is woken by that alone.
    if (fairness.wakeUp === undefined) this.#ready.add(namespace);
    this.#beginNext();
    return promise;
  }

  #ended(namespace: string, resource: string): void {
    const fairness = this.#fairnessOf(namespace);
    fairness.ended(resource);
    this.#underWay -= 1;
    if (fairness.isWaiting && fairness.wakeUp === undefined) this.#ready.add(namespace);
    this.#beginNext();
  }

  #beginNext(): void {
    for (const namespace of this.#ready) {
      if (this.#underWay >= this.#limits.total) return;
      this.#ready.delete(namespace);
      const fairness = this.#fairnessOf(namespace);
      const now = this.#clock.now();
      const waitMs = fairness.isWaiting ? fairness.pace.waitMs(now) : 0;
      if (waitMs > 0) this.#sleep(namespace, fairness, waitMs);
      else {
        const lookup = fairness.take();
        // Where all that it has must wait for another of its own, that one's end makes it ready.
        if (lookup === undefined) continue;
        fairness.pace.take(1, now);
        this.#underWay += 1;
        if (fairness.isWaiting) this.#ready.add(namespace);
        lookup.begin();
      }
    }
  }

  #sleep(namespace: string, fairness: NamespaceFairness, ms: number): void {
    fairness.wakeUp = this.#clock.after(ms, () => {
      fairness.wakeUp = undefined;
      this.#ready.add(namespace);
      this.#beginNext();
    });
  }

  /** Nothing of a namespace waits any more. */
  #rest(namespace: string, fairness: NamespaceFairness): void {
    fairness.wakeUp?.();
    fairness.wakeUp = undefined;
    this.#ready.delete(namespace);
  }

  #fairnessOf(namespace: string): NamespaceFairness {
    const known = this.#namespaces.get(namespace);
    if (known !== undefined) return known;
    if (this.#namespaces.size >= this.#sweepAt) this.#sweep();
    const fairness = new NamespaceFairness(this.#limits, this.#clock.now());
    this.#namespaces.set(namespace, fairness);
    return fairness;
  }

  /** Forgets namespaces of which there is nothing to remember. */
  #sweep(): void {
    const now = this.#clock.now();
    for (const [namespace, fairness] of this.#namespaces) {
      if (fairness.isIdle && fairness.pace.isRested(now)) this.#namespaces.delete(namespace);
    }
    this.#sweepAt = Math.max(FEWEST_TO_SWEEP, 2 * this.#namespaces.size);
  }
}
