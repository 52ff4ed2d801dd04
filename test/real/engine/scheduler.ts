import type { FinishReason, Load, Metrics } from './metrics.ts';

/** A request for tokens. */
export interface Sequence {
  readonly promptTokens: number;
  /** After how many it ends. */
  readonly tokens: number;
  /** Why it ends after them: by itself, or since more are not wanted. */
  readonly reason: 'stop' | 'length';
  /** Receives each token as it is made, counted from 1. */
  readonly onToken: (count: number) => void;
  /** Receives the end, after the last token. */
  readonly onEnd: (reason: FinishReason) => void;
}

interface Entry {
  readonly sequence: Sequence;
  readonly arrived: number;
  made: number;
  lastToken: number;
}

export interface SchedulerOptions {
  readonly maxNumSeqs: number;
  readonly tokensPerSecond: number;
  readonly kvTokens: number;
}

/**
 * Makes tokens as vLLM does: all running sequences get one at each step, what is new joins at the next step, and what
 * is more than the most waits in the order of arrival. A step takes as long as a token; on a busy machine steps come late,
 * and those that were missed are left out.
 */
export class Scheduler {
  readonly #options: SchedulerOptions;
  readonly #metrics: Metrics;
  readonly #running = new Set<Entry>();
  readonly #waiting = new Set<Entry>();
  #timer: NodeJS.Timeout | undefined;
  /** When the next step is due, in milliseconds. */
  #due = 0;
  #closed = false;
  #idle: (() => void) | undefined;

  constructor(options: SchedulerOptions, metrics: Metrics) {
    this.#options = options;
    this.#metrics = metrics;
  }

  /**
   * Adds a request, and returns how to take it back.
   *
   * @throws once it is closed
   */
  add(sequence: Sequence): () => void {
    if (this.#closed) throw new Error('cannot schedule new futures after shutdown');
    const entry: Entry = { sequence, arrived: performance.now(), made: 0, lastToken: 0 };
    this.#waiting.add(entry);
    this.#admit();
    if (this.#timer === undefined) {
      this.#due = entry.arrived;
      this.#schedule();
    }
    return () => this.#remove(entry);
  }

  load(): Load {
    const tokens = [...this.#running].reduce((sum, { sequence, made }) => sum + sequence.promptTokens + made, 0);
    return {
      running: this.#running.size,
      waiting: this.#waiting.size,
      kvCacheUsage: Math.min(1, tokens / this.#options.kvTokens),
    };
  }

  /**
   * Takes no more requests, and makes no more tokens once all are done or the time is over: those that are left then
   * get nothing more, not even an end.
   *
   * @param timeout - in milliseconds
   */
  async close(timeout: number): Promise<void> {
    this.#closed = true;
    if (timeout > 0 && this.#size() > 0) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, timeout);
        this.#idle = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    clearTimeout(this.#timer);
  }

  #size(): number {
    return this.#running.size + this.#waiting.size;
  }

  #admit(): void {
    for (const entry of this.#waiting) {
      if (this.#running.size >= this.#options.maxNumSeqs) break;
      this.#waiting.delete(entry);
      this.#running.add(entry);
    }
  }

  #schedule(): void {
    const now = performance.now();
    this.#due = Math.max(now, this.#due + 1_000 / this.#options.tokensPerSecond);
    this.#timer = setTimeout(() => this.#step(), this.#due - now);
  }

  #step(): void {
    this.#timer = undefined;
    const now = performance.now();
    for (const entry of this.#running) this.#makeToken(entry, now);
    this.#admit();
    if (this.#running.size > 0) this.#schedule();
  }

  #makeToken(entry: Entry, now: number): void {
    entry.made += 1;
    if (entry.made === 1) this.#metrics.firstToken((now - entry.arrived) / 1_000, entry.sequence.promptTokens);
    else this.#metrics.nextToken((now - entry.lastToken) / 1_000);
    entry.lastToken = now;
    entry.sequence.onToken(entry.made);
    if (entry.made >= entry.sequence.tokens) this.#end(entry, entry.sequence.reason);
  }

  #end(entry: Entry, reason: FinishReason): void {
    this.#remove(entry);
    this.#metrics.finished(reason);
    entry.sequence.onEnd(reason);
  }

  #remove(entry: Entry): void {
    this.#running.delete(entry);
    this.#waiting.delete(entry);
    if (this.#size() === 0) this.#idle?.();
  }
}
