/**
 * Loaded into an operator first. At SIGUSR2 it collects all garbage, where Node exposes that, so that what is left is
 * alive; and it says how long the longest turn of the event loop since the last time has used the processor: the delay
 * of a timer would tell as well how busy the machine is with others.
 */
const SAMPLE_MS = 2;

let before = process.threadCpuUsage();
let longestMs = 0;

setInterval(() => {
  const used = process.threadCpuUsage(before);
  before = process.threadCpuUsage();
  longestMs = Math.max(longestMs, (used.user + used.system) / 1_000);
}, SAMPLE_MS).unref();

process.on('SIGUSR2', () => {
  process.stderr.write(`${JSON.stringify({ msg: 'longest turn', longestMs })}\n`);
  globalThis.gc?.();
  before = process.threadCpuUsage();
  longestMs = 0;
});
