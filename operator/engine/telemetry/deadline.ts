import { Script } from 'node:vm';

/** It was broken off because it held the main loop for too long. */
export class DeadlineError extends Error {
  override readonly name = 'DeadlineError';

  constructor(ms: number) {
    super(`took more than ${ms} ms`);
  }
}

/** Where the script finds the work: a script sees nothing but globals. A symbol, so that nobody else meets it. */
const WORK = Symbol.for('trunnion.dev/work');
const globals = globalThis as { [WORK]?: (() => unknown) | undefined };
const CALL = new Script(`globalThis[Symbol.for('trunnion.dev/work')]()`, { filename: 'deadline' });

/**
 * Calls a function that does not wait for anything, and breaks it off after a time. V8 ends even a loop without an end,
 * or a regular expression that backtracks, as long as it is JavaScript that runs. A call costs a tenth of a millisecond:
 * Node starts a thread that watches.
 *
 * @param ms - longest time, in milliseconds of the wall clock
 * @throws DeadlineError where it was broken off; else what `work` throws
 */
export function withDeadline<T>(ms: number, work: () => T): T {
  const outer = globals[WORK];
  globals[WORK] = work;
  try {
    return CALL.runInThisContext({ timeout: ms }) as T;
  } catch (error) {
    throw isTimeout(error) ? new DeadlineError(ms) : error;
  } finally {
    globals[WORK] = outer;
  }
}

const isTimeout = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
