/** When a pool starts nothing more. */
export interface Limits {
  /** How many tasks run at once. */
  readonly atOnce: number;
  /**
   * Milliseconds from the start on.
   *
   * @default - no limit
   */
  readonly milliseconds?: number;
}

/**
 * Does tasks, so many at once, in their order.
 *
 * @returns how many were not started before the time was over
 */
export async function pooled(tasks: readonly (() => Promise<unknown>)[], limits: Limits): Promise<number> {
  const deadline = performance.now() + (limits.milliseconds ?? Infinity);
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let task = tasks[next]; task !== undefined && performance.now() < deadline; task = tasks[next]) {
      next += 1;
      await task();
    }
  };
  await Promise.all(Array.from({ length: Math.min(limits.atOnce, tasks.length) }, worker));
  return tasks.length - next;
}
