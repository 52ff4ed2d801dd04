import { setTimeout as sleep } from 'node:timers/promises';

/** Between two tries, in milliseconds. */
const PAUSE = 50;

/**
 * For what only the garbage collector does. It looks every 30 s for kinds that are new to it, and tries what belongs to
 * a resource of a kind that it doesn't know at intervals that double; so the first file of a control plane that has a
 * resource deleted waits for up to a minute, and the next ones for less than a second.
 */
export const COLLECTED = { timeout: 90_000 };

/**
 * Calls `attempt` until it no longer throws. Expectations go into it: `await eventually(async () => expect(…).toBe(…))`.
 *
 * @param options.timeout - milliseconds until its last error is thrown; default 20000
 */
export async function eventually<T>(
  attempt: () => T | Promise<T>,
  { timeout = 20_000 }: { readonly timeout?: number } = {},
): Promise<T> {
  const deadline = performance.now() + timeout;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (performance.now() > deadline) throw error;
    }
    await sleep(PAUSE);
  }
}
