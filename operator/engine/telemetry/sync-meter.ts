/** How the caches were filled at the start. */
export interface InitialSync {
  readonly seconds: number;
  /** The longest time for which one turn of the event loop has used the processor: nothing else could continue. */
  readonly longestTurnSeconds: number;
}

const SAMPLE_MS = 2;

/**
 * Measures the first filling of the caches, by the time of the processor: how late a timer is would tell as well how busy
 * the machine is with others.
 *
 * @returns a function that ends it
 */
export function meterSync(): () => InitialSync {
  const began = performance.now();
  // Node 22 has it for the process only, all threads together.
  const usage = (since?: NodeJS.CpuUsage) => process.threadCpuUsage?.(since) ?? process.cpuUsage(since);
  let before = usage();
  let longest = 0;
  // It comes once a turn at most.
  const sample = () => {
    const { user, system } = usage(before);
    before = usage();
    longest = Math.max(longest, user + system);
  };
  const timer = setInterval(sample, SAMPLE_MS).unref();
  return () => {
    clearInterval(timer);
    sample();
    return { seconds: (performance.now() - began) / 1e3, longestTurnSeconds: longest / 1e6 };
  };
}
