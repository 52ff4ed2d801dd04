import { DeadlineError, withDeadline } from './deadline.ts';
import type { ResourceRef } from '../observe/index.ts';

/** A stretch of time in which the main loop did nothing but one piece of work. */
export interface Stretch {
  /** The resource that it was for. */
  readonly resource: ResourceRef;
  /** What was done: `decide`, `render`. */
  readonly step: string;
  /** Of this thread's processor time, in milliseconds. */
  readonly cpuMs: number;
  /** Whether it was slow: {@link SLOW_MS} or more. */
  readonly slow: boolean;
}

export interface WatchdogOptions {
  /** Called after each stretch. */
  readonly observe?: (stretch: Stretch) => void;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /**
   * Longest time of one stretch, in milliseconds of the wall clock.
   *
   * @default 500
   */
  readonly deadlineMs?: number;
  /**
   * Processor time of this thread so far, in milliseconds.
   *
   * @default - as Node measures it
   */
  readonly cpuMs?: () => number;
}

/**
 * Longest time of one stretch. The kubelet waits a second for `/healthz`: one resource must not make the operator look
 * dead. A decision and a render take a millisecond or two.
 */
const DEADLINE_MS = 500;

/**
 * A stretch that used little processor time was not slow: the operator did not get the processor. It is retried once, with
 * a deadline that is longer by this factor.
 */
const PATIENCE = 8;

/** What counts as slow, in milliseconds of processor time: about fifty times the usual. */
export const SLOW_MS = 100;

/**
 * After a slow stretch a namespace waits for so many times as long before one of its resources is worked on again. So one
 * namespace holds the main loop for a tenth of the time at most, however many slow resources it has.
 */
const PENALTY = 10;

/**
 * Watches what the main loop does for resources. It measures each stretch, aborts one that takes too long, and then
 * holds its namespace for some time. One watchdog serves all kinds, since there is one main loop.
 */
export class Watchdog {
  readonly #options: WatchdogOptions;
  /** Until when each namespace that was slow waits, in milliseconds since the epoch. */
  readonly #heldUntil = new Map<string, number>();

  constructor(options: WatchdogOptions) {
    this.#options = options;
  }

  /**
   * Does a piece of work that waits for nothing. It may be done twice, so it must be pure.
   *
   * @param wasSlow - called where it was slow, before this returns or throws
   * @throws DeadlineError where it took too long; else what the work throws
   */
  watch<T>(resource: ResourceRef, step: string, work: () => T, wasSlow: () => void): T {
    const { observe, deadlineMs = DEADLINE_MS, cpuMs = threadCpuMs } = this.#options;
    const startMs = cpuMs();
    const slowMs = Math.min(SLOW_MS, deadlineMs);
    const isSlow = () => cpuMs() - startMs >= slowMs;
    try {
      return withDeadline(deadlineMs, work);
    } catch (error) {
      if (!(error instanceof DeadlineError) || isSlow()) throw error;
      return withDeadline(deadlineMs * PATIENCE, work);
    } finally {
      const usedMs = cpuMs() - startMs;
      const slow = isSlow();
      observe?.({ resource, step, cpuMs: usedMs, slow });
      if (slow) {
        this.#hold(resource.namespace, usedMs);
        wasSlow();
      }
    }
  }

  /** When the resources of a namespace may be worked on again, in milliseconds since the epoch; 0 where it is now. */
  heldUntil(namespace: string): number {
    const until = this.#heldUntil.get(namespace) ?? 0;
    if (until > this.#options.now()) return until;
    this.#heldUntil.delete(namespace);
    return 0;
  }

  #hold(namespace: string, usedMs: number): void {
    const now = this.#options.now();
    // Namespaces come and go, and nobody asks for one that is gone.
    for (const [other, until] of this.#heldUntil) if (until <= now) this.#heldUntil.delete(other);
    const from = Math.max(now, this.#heldUntil.get(namespace) ?? 0);
    this.#heldUntil.set(namespace, from + PENALTY * usedMs);
  }
}

/** By the wall clock where Node does not measure it (before 23.9). */
function threadCpuMs(): number {
  if (typeof process.threadCpuUsage !== 'function') return performance.now();
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
