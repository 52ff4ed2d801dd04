import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from './config.ts';
import { FetchError, codeOf } from './errors.ts';
import { OWN_PREFIX } from './names.ts';
import { readNote } from './note.ts';

const LOCK_PREFIX = `${OWN_PREFIX}lock-`;
/** Who holds the lock, and a count that goes up while they live. */
const HEARTBEAT = 'heartbeat';
const RELEASED = 'released';
/** A lock counts as stale after so many beats that didn't come. */
const BEATS = 10;

/** The right to write to the volume. */
export interface Lock {
  /** Aborted when the right was lost. */
  readonly signal: AbortSignal;
  /** Throws where the right may have been lost, such as when this process was frozen for long. */
  assertHeld(): void;
  release(): Promise<void>;
}

type LockConfig = Pick<Config, 'root' | 'holder' | 'lockStaleMs'>;

/**
 * Takes the lock of a volume; needs nothing but `mkdir`, which is atomic on NFS as well, and no common clock.
 *
 * Locks are numbered folders, and the highest one counts. Who wants the lock makes the next folder once the highest one
 * is released, or its heartbeat has stood still for the stale time as measured here; `mkdir` picks the winner. A number
 * is never used twice, so nobody can remove a lock that somebody else has just taken. A holder that was frozen finds
 * a higher number, or its own heartbeat too old, and stops.
 *
 * @param waiting - called at each look while another holds it; true gives up waiting
 * @returns the lock; undefined where waiting was given up
 */
export async function takeLock(
  config: LockConfig,
  signal: AbortSignal,
  waiting: (holder: string) => Promise<boolean>,
): Promise<Lock | undefined> {
  const pollMs = config.lockStaleMs / BEATS;
  let seen: { readonly number: number; readonly heartbeat: string; readonly at: number } | undefined;
  for (;;) {
    signal.throwIfAborted();
    const number = await highest(config.root);
    const state = await stateOf(config.root, number);
    if (seen?.number !== number || seen.heartbeat !== state.heartbeat) {
      seen = { number, heartbeat: state.heartbeat, at: performance.now() };
    }
    const holder = holderIn(state.heartbeat);
    // Another container of our own pod can only be an earlier one.
    const free = state.released || holder === config.holder || performance.now() - seen.at >= config.lockStaleMs;
    if (free && (await make(config.root, number + 1))) return await hold(config, number + 1);
    if (!free && (await waiting(holder))) return undefined;
    if (!free) await sleep(pollMs, undefined, { signal });
  }
}

async function hold(config: LockConfig, number: number): Promise<Lock> {
  const { root, holder, lockStaleMs } = config;
  const folder = folderOf(root, number);
  const lost = new AbortController();
  let beats = 0;
  let lastBeat = performance.now();
  const lose = (): FetchError => {
    const error = new FetchError('another fetcher took over the volume; this one stops', 1);
    lost.abort(error);
    return error;
  };
  const beat = async (): Promise<void> => {
    const at = performance.now();
    beats += 1;
    await writeFile(join(folder, HEARTBEAT), `${holder} ${beats}`);
    if ((await highest(root)) !== number) lose();
    else lastBeat = at;
  };
  await beat();
  await removeBelow(root, number);
  const timer = setInterval(() => {
    // A beat that fails counts as missed: assertHeld handles it.
    beat().catch(() => undefined);
  }, lockStaleMs / BEATS);
  return {
    signal: lost.signal,
    assertHeld: () => {
      lost.signal.throwIfAborted();
      if (performance.now() - lastBeat > lockStaleMs / 2) throw lose();
    },
    release: async () => {
      clearInterval(timer);
      if (!lost.signal.aborted) await writeFile(join(folder, RELEASED), '');
    },
  };
}

async function stateOf(root: string, number: number): Promise<{ heartbeat: string; released: boolean }> {
  if (number === 0) return { heartbeat: '', released: true };
  const folder = folderOf(root, number);
  return {
    heartbeat: (await readNote(join(folder, HEARTBEAT))) ?? '',
    released: (await readNote(join(folder, RELEASED))) !== undefined,
  };
}

async function highest(root: string): Promise<number> {
  return (await numbers(root)).reduce((most, number) => Math.max(most, number), 0);
}

async function numbers(root: string): Promise<number[]> {
  return (await readdir(root)).map(lockNumber).filter((number) => number !== undefined);
}

/** The number of a lock's folder; undefined for a name of another kind. */
export function lockNumber(name: string): number | undefined {
  if (!name.startsWith(LOCK_PREFIX)) return undefined;
  const digits = name.slice(LOCK_PREFIX.length);
  return /^[1-9][0-9]{0,14}$/.test(digits) ? Number(digits) : undefined;
}

/** Who a heartbeat is of: its first word. */
export const holderIn = (heartbeat: string): string => heartbeat.split(' ', 1)[0] ?? '';

async function removeBelow(root: string, number: number): Promise<void> {
  for (const other of await numbers(root)) {
    if (other < number) await rm(folderOf(root, other), { recursive: true, force: true });
  }
}

async function make(root: string, number: number): Promise<boolean> {
  try {
    await mkdir(folderOf(root, number));
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

const folderOf = (root: string, number: number): string => join(root, LOCK_PREFIX + number);
