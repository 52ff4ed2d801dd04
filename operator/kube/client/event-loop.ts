/** Longest time that those who share turns of the event loop use one for, in milliseconds. */
const TURN_MS = 5;

/** Lets other work continue where the turn of the event loop has been used for long; to be awaited between pieces of work. */
export type YieldToEventLoop = () => Promise<void>;

/**
 * A share of the event loop's turns. All who breathe by the same one share it: a dozen lists that are read at once, or
 * passes that are made, hold the loop up no longer than one does. And they take turns, so that nobody waits for all that
 * another one has to do.
 *
 * @param now - The time in milliseconds.
 */
export function sharedYield(now: () => number = () => performance.now()): YieldToEventLoop {
  /** Those who have used up a turn, in the order in which they are let on. */
  const waiting: (() => void)[] = [];
  let began = 0;

  /** A turn for anyone who has waited longest. What the event loop has heard meanwhile is dealt with before the one after. */
  function nextTurn(): void {
    began = now();
    waiting.shift()?.();
    if (waiting.length > 0) setImmediate(nextTurn);
  }

  return async () => {
    if (now() - began < TURN_MS) return;
    await new Promise<void>((letOn) => {
      if (waiting.push(letOn) === 1) setImmediate(nextTurn);
    });
  };
}

/** The share of all that reads lists and reconciles. */
export const yieldToEventLoop: YieldToEventLoop = sharedYield();
