import { pause } from '../../operator/kube/index.ts';
import { CliError, describe } from '../errors.ts';
import type { Io } from '../io.ts';
import { aborted } from '../signals.ts';

/** Between two looks. */
const POLL_MS = 2_000;

/**
 * Shows a page that changes: on a terminal in place, else again with each change. It ends with `signal`, and leaves
 * the last page behind.
 *
 * @throws CliError where there is nothing to be told any more
 */
export async function followPage(
  io: Pick<Io, 'out' | 'log' | 'screen'>,
  page: () => Promise<string>,
  signal: AbortSignal,
  pollMs: number = POLL_MS,
): Promise<void> {
  const ended = aborted(signal);
  let last = '';
  try {
    while (!signal.aborted) {
      const next = await Promise.race([page().catch((error: unknown) => unreachable(io, error)), ended]);
      if (next !== undefined && next !== last) {
        if (io.screen) io.screen.show(next);
        else io.out(last === '' ? next : `\n${next}`);
        last = next;
      }
      await pause(pollMs, signal);
    }
  } finally {
    io.screen?.close();
    if (io.screen) io.out(last);
  }
}

/** An API server that does not answer may come back. */
function unreachable({ log, screen }: Pick<Io, 'log' | 'screen'>, error: unknown): undefined {
  if (error instanceof CliError) throw error;
  if (!screen) log(`${describe(error)}; it is tried again`);
  return undefined;
}
