/**
 * How long `work` keeps a processor, in milliseconds: unlike the time by the clock, no more where others have much to do.
 */
export function cpuMsOf(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}
