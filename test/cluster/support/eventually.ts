import { setTimeout as sleep } from 'node:timers/promises';

/** Between two tries, in milliseconds. */
const PAUSE = 50;

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
