import type { Outcome } from './ask.ts';

/** Milliseconds. */
export interface Percentiles {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

/** What a load came to. */
export interface Report {
  readonly requests: number;
  readonly failed: number;
  /** How often each cause was met. */
  readonly failures: Readonly<Record<string, number>>;
  /** Of all answers, failed ones as well. */
  readonly tokens: number;
  /** Of requests that did not fail; none where all did. */
  readonly latency: Percentiles | undefined;
  /** Of those that were streamed. */
  readonly timeToFirstToken: Percentiles | undefined;
  /** From the first request on. */
  readonly seconds: number;
}

/** Counts outcomes. */
export class Tally {
  readonly #failures = new Map<string, number>();
  readonly #latencies: number[] = [];
  readonly #firstTokens: number[] = [];
  #requests = 0;
  #failed = 0;
  #tokens = 0;

  add({ failure, tokens, latency, firstToken }: Outcome): void {
    this.#requests += 1;
    this.#tokens += tokens;
    if (failure !== undefined) {
      this.#failed += 1;
      this.#failures.set(failure, (this.#failures.get(failure) ?? 0) + 1);
      return;
    }
    this.#latencies.push(latency);
    if (firstToken !== undefined) this.#firstTokens.push(firstToken);
  }

  report(seconds: number): Report {
    return {
      requests: this.#requests,
      failed: this.#failed,
      failures: Object.fromEntries(this.#failures),
      tokens: this.#tokens,
      latency: percentiles(this.#latencies),
      timeToFirstToken: percentiles(this.#firstTokens),
      seconds: rounded(seconds),
    };
  }
}

const rounded = (value: number): number => Math.round(value * 100) / 100;

/** By the nearest rank: the least value that so many of all are not above. */
function percentiles(values: readonly number[]): Percentiles | undefined {
  if (values.length === 0) return undefined;
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number): number => rounded(sorted[Math.ceil(share * sorted.length) - 1] ?? 0);
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}
