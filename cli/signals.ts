import { untilSignalled } from '../operator/signals.ts';
import { CliError } from './errors.ts';

/** Runs `work` with a signal that SIGINT and SIGTERM abort, or the signals that are given: see untilSignalled. */
export const untilEnded = <T>(
  work: (signal: AbortSignal) => Promise<T>,
  signals?: readonly NodeJS.Signals[],
): Promise<T> => untilSignalled(work, (name) => new CliError(`stopped by ${name}`), signals);

/** Resolves once a signal is aborted. */
export function aborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
}
