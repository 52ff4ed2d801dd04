import { CliError } from './errors.ts';

/**
 * Runs `work` with a signal that SIGINT and SIGTERM abort, so that it can end in good order. Anyone who can't wait for that
 * sends a second one.
 */
export async function untilEnded<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const end = (name: NodeJS.Signals) => {
    if (controller.signal.aborted) process.exit(1);
    controller.abort(new CliError(`stopped by ${name}`));
  };
  process.on('SIGINT', end).on('SIGTERM', end);
  try {
    return await work(controller.signal);
  } finally {
    process.off('SIGINT', end).off('SIGTERM', end);
  }
}

/** Resolves once a signal is aborted. */
export function aborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
}
