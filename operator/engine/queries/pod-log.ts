import { yieldToEventLoop } from '../../kube/index.ts';
import type { KubeClient, ObjectRef } from '../../kube/index.ts';
import { Lines, slicesOf } from './lines.ts';
import type { Count } from './lookups/limits.ts';
import type { LogReport } from '../api/index.ts';
import { ReportReader } from './report/report.ts';

/** Most of a log that is read for what it reports, in bytes. A kubelet rotates a log at 10 MiB by default. */
export const LARGEST_LOG_BYTES = 256 * 2 ** 20;
/** For all of it, in milliseconds. */
const LOG_TIMEOUT_MS = 60_000;

/** Most that comes of the last lines of a log, in bytes: a line may be any length. */
const LARGEST_TAIL_BYTES = 2 ** 20;
const TAIL_TIMEOUT_MS = 10_000;
/** Longest of them that is kept, in bytes; longer ones are left out. */
export const LONGEST_TAIL_LINE_BYTES = 4_096;

export interface LogReading {
  readonly client: Pick<KubeClient, 'openLog'>;
  readonly pod: ObjectRef;
  readonly container: string;
  /** Breaks it off. */
  readonly signal: AbortSignal;
  readonly count: Count;
}

/**
 * Reads a log from its beginning to its end, in constant memory: to ask for its last lines and for so many bytes of them
 * would cut off the end of what was chosen.
 *
 * @throws where it can't be read in time
 */
export async function reportInLog(reading: LogReading, metric: string): Promise<LogReport> {
  const reader = new ReportReader(metric);
  const isWhole = await readLog(reading, {}, LARGEST_LOG_BYTES, LOG_TIMEOUT_MS, (bytes) => reader.push(bytes));
  const report = reader.end();
  return isWhole ? report : { ...report, incomplete: `the log is longer than ${LARGEST_LOG_BYTES / 2 ** 20} MiB` };
}

/**
 * The last lines of a log, each whole.
 *
 * @param previous - of the container's last run that ended
 * @throws where they are too long, or can't be read in time
 */
export async function tailOfLog(reading: LogReading, tailLines: number, previous = false): Promise<string> {
  const kept: string[] = [];
  const lines = new Lines({
    longest: LONGEST_TAIL_LINE_BYTES,
    line: (line) => {
      kept.push(line.toString());
      if (kept.length > tailLines) kept.shift();
    },
    tooLong: () => undefined,
  });
  const isWhole = await readLog(
    reading,
    { tailLines, ...(previous && { previous }) },
    LARGEST_TAIL_BYTES,
    TAIL_TIMEOUT_MS,
    (bytes) => lines.push(bytes),
  );
  if (!isWhole) throw new Error(`the last ${tailLines} lines of the log are longer than ${LARGEST_TAIL_BYTES} bytes`);
  lines.end();
  return kept.join('\n');
}

/** @returns whether that was all of it */
async function readLog(
  { client, pod, container, signal, count }: LogReading,
  part: { readonly tailLines?: number; readonly previous?: boolean },
  largest: number,
  timeoutMs: number,
  read: (bytes: Uint8Array) => void,
): Promise<boolean> {
  const end = new AbortController();
  const forget = () => end.abort(signal.reason);
  signal.addEventListener('abort', forget, { once: true });
  const late = new Error(`the log was not read to its end within ${timeoutMs / 1_000} s`);
  const timer = setTimeout(() => end.abort(late), timeoutMs);
  try {
    signal.throwIfAborted();
    let bytes = 0;
    for await (const chunk of await client.openLog(pod, { container, ...part }, end.signal)) {
      for (const slice of slicesOf(chunk)) {
        bytes += slice.length;
        count(slice.length);
        if (bytes > largest) return false;
        read(slice);
        await yieldToEventLoop();
        end.signal.throwIfAborted();
      }
    }
    return true;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', forget);
  }
}
