import type { Limits } from './limits.ts';
import { Pace } from './pace.ts';

/** A look-up that waits. */
export interface Waiting {
  readonly resource: string;
  begin(): void;
}

/** The look-ups of one namespace: its resources take turns. */
export class NamespaceFairness {
  readonly pace: Pace;
  readonly #limits: Limits;
  /** The resource whose turn it is comes first. */
  readonly #waiting = new Map<string, Set<Waiting>>();
  readonly #underWay = new Map<string, number>();
  #count = 0;
  /** Cancels its waking up, where its pace makes it wait. */
  wakeUp: (() => void) | undefined;

  constructor(limits: Limits, now: number) {
    this.#limits = limits;
    this.pace = new Pace(limits, now);
  }

  get isWaiting(): boolean {
    return this.#waiting.size > 0;
  }

  get isIdle(): boolean {
    return this.#waiting.size === 0 && this.#count === 0;
  }

  add(lookup: Waiting): void {
    const others = this.#waiting.get(lookup.resource);
    if (others === undefined) this.#waiting.set(lookup.resource, new Set([lookup]));
    else others.add(lookup);
  }

  remove(lookup: Waiting): void {
    const others = this.#waiting.get(lookup.resource);
    if (others?.delete(lookup) === true && others.size === 0) this.#waiting.delete(lookup.resource);
  }

  /**
   * Takes out the look-up whose turn it is; undefined where all that wait are of resources that have as many under way
   * as they may, or the namespace has.
   */
  take(): Waiting | undefined {
    if (this.#count >= this.#limits.namespace) return undefined;
    // Those that are passed over have some under way, and so are few.
    for (const [resource, lookups] of this.#waiting) {
      const underWay = this.#underWay.get(resource) ?? 0;
      if (underWay >= this.#limits.resource) continue;
      const [lookup] = lookups as unknown as readonly [Waiting];
      this.#waiting.delete(resource);
      lookups.delete(lookup);
      if (lookups.size > 0) this.#waiting.set(resource, lookups);
      this.#underWay.set(resource, underWay + 1);
      this.#count += 1;
      return lookup;
    }
    return undefined;
  }

  /** One of a resource has ended. */
  ended(resource: string): void {
    const left = (this.#underWay.get(resource) ?? 1) - 1;
    if (left > 0) this.#underWay.set(resource, left);
    else this.#underWay.delete(resource);
    this.#count -= 1;
  }
}
