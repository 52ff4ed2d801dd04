import { hash } from 'node:crypto';

/**
 * A computation whose size a user chooses (a search, a fit) is no part of a reconcile, which runs on the main loop: the kind
 * names a module of pure functions, asks for one of them by its name, and gets what it gives as an answer.
 */
export interface ComputationQuery {
  readonly type: 'computation';
  /** The name under which the kind's module exports the function. */
  readonly name: string;
  /** What it is called with: plain data. */
  readonly input: unknown;
}

/** What came of a computation. */
export type ComputationAnswer =
  | {
      readonly type: 'computed';
      /** What the function returned: plain data. */
      readonly value: unknown;
    }
  | {
      readonly type: 'uncomputed';
      /** Why there is no answer, as a part of a sentence: `it took longer than 20 s`. */
      readonly message: string;
    };

/** The same input gives the same answer, so there is nothing to ask again: a day. */
const EVERY_SECONDS = 86_400;

/**
 * Asks for a computation. Its id is that of its input: an answer to another input is never taken for one to this.
 *
 * @param attempt - how often it has failed before; a new number has it tried again
 */
export function computationQuery(
  name: string,
  input: unknown,
  attempt: number,
): ComputationQuery & { readonly id: string; readonly everySeconds: number } {
  const digest = hash('sha256', JSON.stringify(input), 'base64url').slice(0, 22);
  return { id: `${name}/${digest}/${attempt}`, type: 'computation', everySeconds: EVERY_SECONDS, name, input };
}
