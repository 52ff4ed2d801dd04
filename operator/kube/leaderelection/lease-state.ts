import type { ConnectionSettings } from '../client/index.ts';
import type { ElectionTiming } from './election.ts';

/** What the thread that renews the lease is given. */
export interface LeaseThread {
  readonly connection: ConnectionSettings;
  readonly lease: { readonly namespace: string; readonly name: string };
  readonly identity: string;
  readonly timing: ElectionTiming;
  readonly userAgent: string;
  readonly memory: SharedArrayBuffer;
}

/** Milliseconds of a clock that only goes forward and is the same in all threads, as `performance.now` is not. */
export function clock(): number {
  return Number(process.hrtime.bigint() / 1_000_000n);
}

const ALIVE_AT = 0;
const LEAD_UNTIL = 1;

/** What the main thread and the renewing thread tell each other, without waiting for either's event loop. */
export class SharedState {
  static readonly BYTES = 2 * BigInt64Array.BYTES_PER_ELEMENT;
  readonly #cells: BigInt64Array;

  constructor(memory: SharedArrayBuffer) {
    this.#cells = new BigInt64Array(memory);
  }

  /** When the main thread was last seen at work, by `clock`. */
  get aliveAt(): number {
    return Number(Atomics.load(this.#cells, ALIVE_AT));
  }

  set aliveAt(time: number) {
    Atomics.store(this.#cells, ALIVE_AT, BigInt(Math.floor(time)));
  }

  /** Until when we lead, by `clock`; 0 where we don't. */
  get leadUntil(): number {
    return Number(Atomics.load(this.#cells, LEAD_UNTIL));
  }

  set leadUntil(time: number) {
    Atomics.store(this.#cells, LEAD_UNTIL, BigInt(Math.floor(time)));
  }
}
