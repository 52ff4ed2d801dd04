import { setTimeout as sleep } from 'node:timers/promises';
import { configFrom } from './config.ts';
import type { Config } from './config.ts';
import { FetchError, wordsOf } from './errors.ts';
import { fetchWeights, waitForWeights } from './fetch.ts';
import type { Program } from './hosts.ts';
import { useProxy } from './proxy.ts';
import { reportTo } from './report.ts';

/** As a shell says it of a process that SIGTERM ended. */
const EXIT_SIGTERM = 143;

/** How often the marker is looked for by who waits for it. */
const WAIT_MS = 2000;

/** Runs the fetcher with the hosts that it knows, and ends the process with the exit code that says how it went. */
export async function run(program: Program): Promise<never> {
  process.exit(await main(program));
}

async function main(program: Program): Promise<number> {
  const stop = new AbortController();
  process.once('SIGTERM', () => stop.abort());
  process.once('SIGINT', () => stop.abort());
  let config: Config;
  try {
    config = configFrom(process.env);
    if (config.mode === 'fetch') useProxy(process.env);
  } catch (error) {
    return fail(
      error,
      reportTo({ terminationLog: process.env['TRUNNION_TERMINATION_LOG'] ?? '/dev/termination-log', env: process.env }),
    );
  }
  const report = reportTo(config);
  try {
    report.done(
      config.mode === 'wait'
        ? await waitForWeights(config, report, () => sleep(WAIT_MS, undefined, { signal: stop.signal }))
        : await fetchWeights({ ...program, config, report, stop: stop.signal }),
    );
    return 0;
  } catch (error) {
    if (!stop.signal.aborted) return fail(error, report);
    report.line({ message: 'told to stop; the next run continues from here' });
    return EXIT_SIGTERM;
  }
}

function fail(error: unknown, report: ReturnType<typeof reportTo>): number {
  const exitCode = error instanceof FetchError ? error.exitCode : 1;
  report.failed(wordsOf(error), exitCode);
  return exitCode;
}
