/** Time as the engine sees it, so that tests can hold it still. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls `fire` after `ms` milliseconds; the answer cancels it. */
  after(ms: number, fire: () => void): () => void;
}

/** The longest delay that Node's timers know; above it they fire at once. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  after: (ms, fire) => {
    const timer = setTimeout(fire, Math.min(Math.max(ms, 0), LONGEST_TIMEOUT_MS));
    return () => clearTimeout(timer);
  },
};
