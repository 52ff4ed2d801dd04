import { readFileSync } from 'node:fs';

/** What a process has used so far. */
export interface Usage {
  /** Seconds of CPU, in user and kernel mode. */
  readonly cpuSeconds: number;
  /** Largest resident set, in MiB. */
  readonly peakMiB: number;
  /** Present resident set, in MiB. */
  readonly residentMiB: number;
}

/** Of Linux; fixed for user space since 2.6. */
const TICKS_PER_SECOND = 100;

/** Reads /proc, so it works for any program in any language. */
export function usageOf(pid: number): Usage {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name, in parentheses, may hold spaces; utime and stime are the 14th and 15th field of the line.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const lines = readFileSync(`/proc/${pid}/status`, 'utf8').split('\n');
  const kibibytes = (name: string): number =>
    Number(/\d+/.exec(lines.find((line) => line.startsWith(`${name}:`)) ?? '')?.[0] ?? 0);
  return {
    cpuSeconds: (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND,
    peakMiB: kibibytes('VmHWM') / 1024,
    residentMiB: kibibytes('VmRSS') / 1024,
  };
}
