import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder } from '../../../cluster/binaries.ts';

/** The ending of a file that is being written; one of a process that was killed stays. */
const PARTIAL = '.partial';

/** Images that nobody has asked for in this time are removed when another one is made, in milliseconds. */
const KEPT_MILLISECONDS = 7 * 24 * 3_600_000;

/**
 * The file of an image: from the cache folder, or else made. It has its name once it is whole, so that nobody takes half a
 * file; two that make it at the same time both write the same.
 *
 * @param name - of the image, which begins the name of the file
 * @param madeFrom - all that decides what is in it; anything that JSON can say
 * @param make - writes the file
 */
export async function cachedImage(
  name: string,
  madeFrom: unknown,
  make: (file: string) => void | Promise<void>,
): Promise<string> {
  const folder = join(cacheFolder(), 'images');
  const hash = createHash('sha256')
    .update(JSON.stringify([name, madeFrom]))
    .digest('hex')
    .slice(0, 16);
  const file = join(folder, `${name.replaceAll(/[^\w.-]/g, '_')}-${hash}.tar`);
  if (existsSync(file)) {
    const now = new Date();
    utimesSync(file, now, now);
    return file;
  }
  mkdirSync(folder, { recursive: true });
  const partial = `${file}.${process.pid}-${randomBytes(4).toString('hex')}${PARTIAL}`;
  try {
    await make(partial);
    renameSync(partial, file);
  } finally {
    rmSync(partial, { force: true });
  }
  removeOld(folder);
  return file;
}

function removeOld(folder: string): void {
  const since = Date.now() - KEPT_MILLISECONDS;
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    // Another process may remove it at the same time.
    if ((statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? since) < since) rmSync(file, { force: true });
  }
}
