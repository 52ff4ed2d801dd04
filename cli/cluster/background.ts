import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { extname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { CliError } from '../errors.ts';
import { type Reply, ask } from './control.ts';
import { type Order, type Report, socketOf } from './order.ts';

/** Between two looks at a process that is about to end. */
const POLL_MILLISECONDS = 50;

/**
 * Starts a cluster that outlives this process.
 *
 * @param say - receives the progress, line by line
 */
export async function startInBackground(order: Order, log: (line: string) => void): Promise<Reply> {
  mkdirSync(order.dir, { recursive: true, mode: 0o700 });
  const program = fileURLToPath(new URL(`./daemon${extname(import.meta.url)}`, import.meta.url));
  const daemon = spawn(process.execPath, [program, JSON.stringify(order)], {
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const ready = Promise.withResolvers<Reply>();
  daemon.on('message', (report: Report) => {
    if ('line' in report) log(report.line);
    else if ('ready' in report) ready.resolve(report.ready);
    else ready.reject(new CliError(report.failed));
  });
  daemon.once('error', ready.reject);
  daemon.once('exit', (code, signal) => {
    ready.reject(new CliError(`the cluster's process ended before it was ready (${signal ?? `exit code ${code}`})`));
  });
  const answer = await ready.promise;
  daemon.unref();
  return answer;
}

/** The cluster of that folder, if it runs. */
export async function running(dir: string): Promise<Reply | undefined> {
  return ask(socketOf(dir), { do: 'status' });
}

/**
 * Brings the image of a file onto the real node of that folder's cluster.
 *
 * @returns what the cluster is; undefined where none runs
 */
export async function loadInBackground(dir: string, file: string): Promise<Reply | undefined> {
  return ask(socketOf(dir), { do: 'load', file });
}

/**
 * Stops the cluster of that folder and waits until its processes are gone.
 *
 * @returns what it was; undefined where none ran
 */
export async function stopInBackground(dir: string): Promise<Reply | undefined> {
  const answer = await ask(socketOf(dir), { do: 'stop' });
  if (answer !== undefined) await gone(answer.pid);
  return answer;
}

async function gone(pid: number): Promise<void> {
  while (isAlive(pid)) await sleep(POLL_MILLISECONDS);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
