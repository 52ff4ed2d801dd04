import type { Logger } from './engine/telemetry/index.ts';
import { LeadershipLostError } from './operator.ts';
import { restart } from './restart.ts';

/** Runs an operator. One that has lost its lease begins again, where nobody else would start it again at once. */
export async function restartedWhereDeposed(log: Logger, run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (error instanceof LeadershipLostError) {
      log.warn({ err: error }, 'this operator restarts, and is on standby');
      restart();
    }
    throw error;
  }
}
