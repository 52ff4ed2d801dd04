import { Backoff } from './backoff.ts';
import type { BackoffOptions } from './backoff.ts';
import { systemClock } from './clock.ts';
import type { Clock } from './clock.ts';
import { FairQueue } from './fairness.ts';

/** Priority of what a user has changed. */
export const PRIORITY_CHANGE = 0;
/** Priority of what a user has changed while no operator looked. */
export const PRIORITY_UNSEEN = -50;
/** Priority of what merely was there when the operator started; a user's change goes before it. */
export const PRIORITY_RESYNC = -100;

export interface AddOptions {
  /** Higher goes first. A key that waits already keeps the higher priority of both. */
  readonly priority?: number;
  /** Milliseconds to wait first. A key that waits already keeps the earlier time of both. */
  readonly delayMs?: number;
}

/** How a run ended. */
export interface Outcome {
  /** It failed: run again after a backoff that grows with each failure in a row. */
  readonly retry?: boolean;
  /** Run again then at the latest, in milliseconds since the epoch. */
  readonly requeueAt?: number;
  /**
   * Nothing was tried: what is remembered of failures stands.
   *
   * @default false
   */
  readonly postponed?: boolean;
}

/** What happens in a queue, for metrics. */
export interface QueueObserver {
  added?(key: string): void;
  /** A run starts; `waitedMs` since the key became ready to run. */
  started?(key: string, waitedMs: number): void;
  finished?(key: string, durationMs: number): void;
  retried?(key: string): void;
}

export interface QueueOptions {
  /**
   * How many keys are worked on at once.
   *
   * @default 20
   */
  readonly workers?: number;
  readonly backoff?: BackoffOptions;
  readonly clock?: Clock;
  readonly observer?: QueueObserver;
  /** Told of what `run` threw; the key is retried. */
  readonly onError?: (key: string, error: unknown) => void;
}

/**
 * A pass does little but wait for the API server, which makes no more Services in a second however many are asked for at
 * once. With ten, a burst of a hundred resources took a tenth longer than with twenty: most pods were ready only after their
 * Service was made, and its endpoints were written twice. Forty were no quicker by more than chance.
 */
const WORKERS = 20;

/**
 * So many times in a row a key may ask to be run again at once. A pass asks for that after each of its writes; one that asks
 * forever has an end that it does not see, and must not take the main loop from others.
 */
const MOST_AT_ONCE = 20;

/** What "at once" means, in milliseconds. */
const AT_ONCE_MS = 50;

/** How long a key waits that asked for too much, in milliseconds. */
const FLOOR_MS = 1_000;

interface Entry {
  priority: number;
  /** When it may run, in milliseconds since the epoch. */
  readyAt: number;
  /** Cancels the timer of an entry that isn't ready yet. */
  cancel?: () => void;
}

/**
 * A queue of keys with client-go's semantics: a key is in it once however often it is added; no key is worked on twice
 * at once; a key added while it is worked on runs again afterwards. Namespaces take turns. It remembers nothing of a key that neither
 * waits, runs nor fails. One that asks to be run at once forever is slowed down.
 */
export class WorkQueue {
  readonly #run: (key: string) => Promise<Outcome>;
  /** How many keys are worked on at once. */
  readonly workers: number;
  readonly #backoff: Backoff;
  readonly #clock: Clock;
  readonly #observer: QueueObserver;
  readonly #onError: (key: string, error: unknown) => void;
  /** Every key that waits, ready or not. */
  readonly #entries = new Map<string, Entry>();
  /** The ready ones by priority. */
  readonly #ready = new Map<number, FairQueue>();
  /** When each of those that are worked on was begun, in milliseconds since the epoch. */
  readonly #running = new Map<string, number>();
  /** How often in a row each key has asked to be run again at once. */
  readonly #atOnce = new Map<string, number>();
  #started = false;
  #stopped = false;
  readonly #drained = Promise.withResolvers<void>();

  constructor(run: (key: string) => Promise<Outcome>, options: QueueOptions = {}) {
    this.#run = run;
    this.workers = options.workers ?? WORKERS;
    this.#backoff = new Backoff(options.backoff);
    this.#clock = options.clock ?? systemClock;
    this.#observer = options.observer ?? {};
    this.#onError = options.onError ?? (() => {});
  }

  /** Keys that wait to run now, without those that wait for a time. */
  get depth(): number {
    let depth = 0;
    for (const keys of this.#ready.values()) depth += keys.size;
    return depth;
  }

  /** Keys that are being worked on. */
  get active(): number {
    return this.#running.size;
  }

  /** Whether a key is being worked on. */
  isActive(key: string): boolean {
    return this.#running.has(key);
  }

  /** For how long each of them has been worked on, in milliseconds. */
  get activeMs(): readonly number[] {
    const now = this.#clock.now();
    return Array.from(this.#running.values(), (startedAt) => now - startedAt);
  }

  add(key: string, { priority = PRIORITY_CHANGE, delayMs = 0 }: AddOptions = {}): void {
    if (this.#stopped) return;
    const before = this.#entries.get(key);
    if (before === undefined) this.#observer.added?.(key);
    else this.#remove(key, before);
    this.#insert(key, {
      priority: Math.max(priority, before?.priority ?? priority),
      readyAt: Math.min(this.#clock.now() + Math.max(delayMs, 0), before?.readyAt ?? Infinity),
    });
    this.#dispatch();
  }

  /** Lets the workers begin. What is added before waits, so that the highest priority goes first. */
  start(): void {
    this.#started = true;
    this.#dispatch();
  }

  /** Takes no more, drops what waits, and resolves when what runs has ended. */
  stop(): Promise<void> {
    this.#stopped = true;
    for (const [key, entry] of this.#entries) this.#remove(key, entry);
    if (this.#running.size === 0) this.#drained.resolve();
    return this.#drained.promise;
  }

  #insert(key: string, entry: Entry): void {
    this.#entries.set(key, entry);
    const wait = entry.readyAt - this.#clock.now();
    if (wait <= 0) {
      this.#makeReady(key, entry);
      return;
    }
    entry.cancel = this.#clock.after(wait, () => {
      delete entry.cancel;
      // Node's timers are cut at 24 days: anyone who waits for longer continues waiting.
      this.#insert(key, entry);
      this.#dispatch();
    });
  }

  #makeReady(key: string, entry: Entry): void {
    const keys = this.#ready.get(entry.priority) ?? new FairQueue();
    keys.add(key);
    this.#ready.set(entry.priority, keys);
  }

  #remove(key: string, entry: Entry): void {
    entry.cancel?.();
    this.#entries.delete(key);
    const keys = this.#ready.get(entry.priority);
    keys?.delete(key);
    if (keys?.size === 0) this.#ready.delete(entry.priority);
  }

  #dispatch(): void {
    while (this.#started && !this.#stopped && this.#running.size < this.workers) {
      const key = this.#next();
      if (key === undefined) return;
      void this.#work(key);
    }
  }

  /** The ready key that goes first and isn't being worked on. */
  #next(): string | undefined {
    for (const priority of [...this.#ready.keys()].sort((a, b) => b - a)) {
      const key = this.#ready.get(priority)?.next((ready) => !this.#running.has(ready));
      if (key !== undefined) return key;
    }
    return undefined;
  }

  async #work(key: string): Promise<void> {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#remove(key, entry);
    const startedAt = this.#clock.now();
    this.#running.set(key, startedAt);
    this.#observer.started?.(key, startedAt - entry.readyAt);
    const outcome = await this.#outcome(key);
    this.#running.delete(key);
    this.#observer.finished?.(key, this.#clock.now() - startedAt);
    this.#finish(key, outcome);
    if (this.#stopped && this.#running.size === 0) this.#drained.resolve();
    this.#dispatch();
  }

  async #outcome(key: string): Promise<Outcome> {
    try {
      return await this.#run(key);
    } catch (error) {
      this.#onError(key, error);
      return { retry: true };
    }
  }

  #finish(key: string, { retry = false, requeueAt = Infinity, postponed = false }: Outcome): void {
    let delayMs = this.#withFloor(key, requeueAt - this.#clock.now());
    if (retry) {
      this.#observer.retried?.(key);
      delayMs = Math.min(delayMs, this.#backoff.next(key));
    } else if (!postponed) {
      this.#backoff.forget(key);
    }
    if (delayMs !== Infinity) this.add(key, { delayMs });
  }

  /** A key that asks to be run at once, again and again, waits. */
  #withFloor(key: string, delayMs: number): number {
    if (delayMs > AT_ONCE_MS) {
      this.#atOnce.delete(key);
      return delayMs;
    }
    const times = (this.#atOnce.get(key) ?? 0) + 1;
    this.#atOnce.set(key, times);
    return times > MOST_AT_ONCE ? FLOOR_MS : delayMs;
  }
}
