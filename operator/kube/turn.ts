import { setImmediate as nextTurn } from 'node:timers/promises';

/** Longest time that one turn of the event loop is used for, in milliseconds. */
const TURN_MS = 10;

let began = 0;
let isNextPlanned = false;

/**
 * Lets other work go on where the turn of the event loop has been used for long. All who call it share the turn: a dozen
 * lists that are read at once, or passes that are made, hold the loop up no longer than one does.
 */
export async function breathe(): Promise<void> {
  // Those who wait are let on one after the other; each uses a part of the turn, and the rest wait for another one.
  while (performance.now() - began >= TURN_MS) {
    planNext();
    await nextTurn();
  }
}

/** Has the next turn begin before anybody is let on in it. */
function planNext(): void {
  if (isNextPlanned) return;
  isNextPlanned = true;
  setImmediate(() => {
    isNextPlanned = false;
    began = performance.now();
  });
}
