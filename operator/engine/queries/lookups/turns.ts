import type { Limits } from './limits.ts';
import { Pace } from './pace.ts';

/** A look-up that waits. */
export interface Waiting {
  readonly resource: string;
  begin(): void;
}

/** The look-ups of one namespace: its resources take turns. */
export class NamespaceTurns {
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

  add(look: Waiting): void {
    const others = this.#waiting.get(look.resource);
    if (others === undefined) this.#waiting.set(look.resource, new Set([look]));
    else others.add(look);
  }

  remove(look: Waiting): void {
    const others = this.#waiting.get(look.resource);
    if (others?.delete(look) === true && others.size === 0) this.#waiting.delete(look.resource);
  }

  /**
   * Takes out the look-up whose turn it is; undefined where all that wait are of resources that have as many under way
   * as they may, or the namespace has.
   */
  take(): Waiting | undefined {
    if (this.#count >= this.#limits.namespace) return undefined;
    // Those that are passed over have some under way, and so are few.
    for (const [resource, looks] of this.#waiting) {
      const underWay = this.#underWay.get(resource) ?? 0;
      if (underWay >= this.#limits.resource) continue;
      const [look] = looks as unknown as readonly [Waiting];
      this.#waiting.delete(resource);
      looks.delete(look);
      if (looks.size > 0) this.#waiting.set(resource, looks);
      this.#underWay.set(resource, underWay + 1);
      this.#count += 1;
      return look;
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
