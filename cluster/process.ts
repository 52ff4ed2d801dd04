import { spawn } from 'node:child_process';
import type { ChildProcess, SpawnOptions } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Runs a program that can't outlive us. A subshell holds the read end of a pipe whose write end is ours alone; when we
 * are gone, for whatever reason (SIGKILL included), it reads the end of file and kills the program, which took the
 * shell's place and so has its process id.
 */
const TETHER = 'exec 3<&0 </dev/null; (cat <&3 >/dev/null; kill -KILL $$) 2>/dev/null & exec 3<&-; exec "$@"';

/** A program that we started. */
export interface Program {
  readonly name: string;
  readonly pid: number;
  /** Settles when it has ended; never rejects. */
  readonly ended: Promise<string>;
  readonly running: boolean;
  /** Where its output goes. */
  readonly logFile: string;
  /** The end of its output, for error messages. */
  lastWords(): string;
  /** Ends it: SIGTERM, and SIGKILL after `graceMilliseconds`. */
  stop(graceMilliseconds: number): Promise<void>;
}

/**
 * Starts a program as `start` does, without a name and a log.
 *
 * @param output - of both its streams: a file that is open for writing, or `pipe` for streams of the child
 */
export function spawnTethered(
  command: readonly string[],
  output: number | 'pipe',
  options: Pick<SpawnOptions, 'cwd' | 'env'> = {},
): ChildProcess {
  const child = spawn('/bin/sh', ['-c', TETHER, 'sh', ...command], {
    ...options,
    detached: true,
    stdio: ['pipe', output, output],
  });
  child.unref();
  // A pipe is a socket here, and keeps the process alive until it is told not to.
  for (const stream of [child.stdin, child.stdout, child.stderr]) {
    (stream as unknown as { unref(): void } | null)?.unref();
  }
  return child;
}

/**
 * Starts a program in a process group of its own (a Ctrl-C in the terminal doesn't reach it), with its output appended
 * to `logFile`. It ends with this process at the latest, and doesn't keep this process alive.
 */
export function start(name: string, binary: string, args: readonly string[], logFile: string): Program {
  const log = openSync(logFile, 'a', 0o600);
  const child = spawnTethered([binary, ...args], log);
  closeSync(log);
  let running = true;
  const ended = new Promise<string>((resolve) => {
    const end = (how: string) => {
      running = false;
      resolve(how);
    };
    child.once('error', (error) => end(error.message));
    child.once('exit', (code, signal) => end(signal === null ? `exit code ${code}` : `signal ${signal}`));
  });
  return {
    name,
    pid: child.pid ?? -1,
    ended,
    get running() {
      return running;
    },
    logFile,
    lastWords: () => tail(logFile, 12),
    stop: (graceMilliseconds) => end(child, ended, () => running, graceMilliseconds),
  };
}

async function end(
  child: ChildProcess,
  ended: Promise<string>,
  running: () => boolean,
  graceMilliseconds: number,
): Promise<void> {
  if (!running()) {
    return;
  }
  child.ref();
  if (graceMilliseconds > 0) child.kill('SIGTERM');
  else killGroup(child);
  const timer = new AbortController();
  const grace = sleep(graceMilliseconds, undefined, { signal: timer.signal }).catch(() => undefined);
  await Promise.race([ended, grace]);
  timer.abort();
  if (running()) {
    killGroup(child);
  }
  await ended;
}

/**
 * Kills a program with what it has started: one that was entered into other namespaces, or that a shell or a package
 * manager runs, is a child of the one that we know.
 */
export function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}

function tail(file: string, lines: number): string {
  return readFileSync(file, 'utf8').trimEnd().split('\n').slice(-lines).join('\n');
}
