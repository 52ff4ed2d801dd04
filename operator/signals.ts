/** Signals that ask a program to end in good order. */
const ENDINGS: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM'];

/**
 * Runs `work` with a signal that signals of the system abort, so that it can end in good order. Anyone who can't wait for
 * that sends a second one.
 *
 * @param reason - of the abort
 * @param signals - those that abort it; others do as they would without this
 */
export async function untilSignalled<T>(
  work: (signal: AbortSignal) => Promise<T>,
  reason: (name: NodeJS.Signals) => Error,
  signals: readonly NodeJS.Signals[] = ENDINGS,
): Promise<T> {
  const controller = new AbortController();
  const end = (name: NodeJS.Signals) => {
    if (controller.signal.aborted) process.exit(1);
    controller.abort(reason(name));
  };
  for (const name of signals) process.on(name, end);
  try {
    return await work(controller.signal);
  } finally {
    for (const name of signals) process.off(name, end);
  }
}
