import { CliError } from './errors.ts';

/**
 * Runs `work` with a signal that SIGINT and SIGTERM abort, so that it can end in good order. Anyone who can't wait for that
 * sends a second one.
 *
 * @param signals - those that abort it; others do as they would without this
 */
export async function untilEnded<T>(
  work: (signal: AbortSignal) => Promise<T>,
  signals: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM'],
): Promise<T> {
  const controller = new AbortController();
  const end = (name: NodeJS.Signals) => {
    if (controller.signal.aborted) process.exit(1);
    controller.abort(new CliError(`stopped by ${name}`));
  };
  for (const name of signals) process.on(name, end);
  try {
    return await work(controller.signal);
  } finally {
    for (const name of signals) process.off(name, end);
  }
}

/** Resolves once a signal is aborted. */
export function aborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
}
