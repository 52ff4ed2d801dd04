import { setImmediate as nextTurn } from 'node:timers/promises';

/** Longest time that one turn of the event loop is used for, in milliseconds. */
const TURN_MS = 10;

let began = 0;
let next: Promise<void> | undefined;

/**
 * Lets other work go on where the turn of the event loop has been used for long. All who call it share the turn: a dozen
 * lists that are read at once, or passes that are made, hold the loop up no longer than one does.
 */
export async function breathe(): Promise<void> {
  if (performance.now() - began < TURN_MS) return;
  next ??= nextTurn().then(() => {
    began = performance.now();
    next = undefined;
  });
  await next;
}
