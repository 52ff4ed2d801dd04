import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { inspected, type InspectedOperator } from '../../operator/runtime/index.ts';
import { UsageError } from '../errors.ts';
import { troubleOf } from './trouble.ts';
import { noteUserCode } from './user-code.ts';

/** What a module of the user's gives. */
export interface LoadedModule {
  /** As the user has named it. */
  readonly file: string;
  readonly exports: Readonly<Record<string, unknown>>;
  /** What it would have run: while it is looked at, `operate` runs nothing. */
  readonly operators: readonly InspectedOperator[];
}

const PATIENCE_MS = 10_000;

const loading = new Map<string, Promise<LoadedModule>>();

/**
 * Loads a module of the user's. It is their program: what it does while it is loaded, it does here.
 *
 * @param patienceMs - what has not finished by then waits for something
 * @throws UsageError in one line, where it can't be loaded
 */
export function loadModule(file: string, patienceMs = PATIENCE_MS): Promise<LoadedModule> {
  const path = resolve(file);
  const known = loading.get(path) ?? load(file, path, patienceMs);
  loading.set(path, known);
  return known;
}

async function load(file: string, path: string, patienceMs: number): Promise<LoadedModule> {
  await checkFile(file, path);
  noteUserCode();
  const patience = new AbortController();
  try {
    const { value: exports, operators } = await inspected(() =>
      Promise.race([
        import(pathToFileURL(path).href) as Promise<Readonly<Record<string, unknown>>>,
        sleep(patienceMs, undefined, { signal: patience.signal }),
      ]),
    );
    if (exports === undefined) {
      throw new UsageError(
        `${file} is not loaded after ${patienceMs / 1000} s: something in it waits. Name the module that has the kinds, not one that runs a program`,
      );
    }
    return { file, exports, operators };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const stripsTypes = process.features.typescript !== false;
    throw new UsageError(troubleOf(error, { file, folder: process.cwd(), stripsTypes, exists: existsSync }));
  } finally {
    patience.abort();
  }
}

async function checkFile(file: string, path: string): Promise<void> {
  const found = await stat(path).catch((error: unknown) => {
    throw new UsageError(`${file} can't be read`, { cause: error });
  });
  if (found.isDirectory()) {
    throw new UsageError(`${file} is a folder: name a module in it, as ${file.replace(/\/$/, '')}/operator.ts`);
  }
}
