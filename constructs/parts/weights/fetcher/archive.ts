import { execFile } from 'node:child_process';
import { lstat, mkdir, readdir, readlink, rm } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { promisify } from 'node:util';
import { EXIT } from '../layout.ts';
import { FetchError, codeOf, wordsOf } from './errors.ts';
import { problemOf } from './names.ts';
import { isFull } from './volume.ts';

const run = promisify(execFile);

/** Names of this many bytes are read from an archive; no model has more. */
const LISTING_BYTES = 64 * 1024 * 1024;

/** Unpacks an archive with the image's tar into a new folder; refuses what would reach out of it. */
export async function unpack(archive: string, folder: string, signal: AbortSignal): Promise<void> {
  const gzip = archive.toLowerCase().endsWith('.tar') ? [] : ['-z'];
  const { stdout } = await tar([...gzip, '-t', '-f', archive], signal);
  for (const name of stdout.split('\n').map((line) => line.replace(/^(?:\.\/)+/, '').replace(/\/$/, ''))) {
    const problem = name === '' || name === '.' ? undefined : problemOf(name);
    if (problem !== undefined) throw unsafe(`${JSON.stringify(name)} ${problem}`);
  }
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await tar([...gzip, '-x', '-o', '-f', archive, '-C', folder], signal);
  await checkTree(folder, folder);
}

async function tar(args: readonly string[], signal: AbortSignal): Promise<{ stdout: string }> {
  try {
    return await run('tar', args, {
      signal,
      maxBuffer: LISTING_BYTES,
      env: { PATH: process.env['PATH'], LC_ALL: 'C' },
    });
  } catch (cause) {
    signal.throwIfAborted();
    const words = wordsOf(cause);
    if (isFull(cause) || words.includes('No space left'))
      throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
    if (codeOf(cause) === 'ENOENT') {
      throw new FetchError(
        'there is no tar in the image of the fetcher: choose one with tar in fetcher.image',
        EXIT.unsafe,
        { cause },
      );
    }
    throw new FetchError(`the archive can't be unpacked: ${words.slice(0, 500)}`, EXIT.corrupt, { cause });
  }
}

/** A link may point to another file of the model, and nowhere else; there are only files, folders and such links. */
async function checkTree(root: string, folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const entry = await lstat(path);
    if (entry.isDirectory()) await checkTree(root, path);
    else if (entry.isSymbolicLink()) {
      const target = relative(root, resolve(dirname(path), await readlink(path)));
      if (target === '..' || target.startsWith('../'))
        throw unsafe(`the link ${relative(root, path)} leads out of its folder`);
    } else if (!entry.isFile()) throw unsafe(`${relative(root, path)} is neither a file nor a folder`);
  }
}

const unsafe = (what: string): FetchError =>
  new FetchError(`the archive is not unpacked: ${what}; check model.uri`, EXIT.unsafe);
