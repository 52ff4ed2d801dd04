import { onTestFinished } from 'vitest';

/** What runs an operator is told of its end, and tells when it works. */
export interface Running {
  readonly signal: AbortSignal;
  readonly started: (port: number) => void;
}

/**
 * Runs an operator in this process, until the test ends.
 *
 * @returns once it works: what stops it before
 */
export async function untilTestEnds(run: (running: Running) => Promise<void>): Promise<() => Promise<void>> {
  const stop = new AbortController();
  const started = Promise.withResolvers<number>();
  const running = run({ signal: stop.signal, started: started.resolve });
  const end = async (): Promise<void> => {
    stop.abort();
    await running;
  };
  onTestFinished(end);
  await Promise.race([started.promise, running]);
  return end;
}
