import { mkdir, mkdtemp, readdir, realpath, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { unpack } from '../../../../fetcher/archive.ts';
import type { TarEntry } from './tar.ts';

/** Where archives are unpacked, each in a place of its own. */
export interface Unpacker extends AsyncDisposable {
  /** The folder of the places. */
  readonly home: string;
  /**
   * Unpacks the bytes of an archive.
   *
   * @param size - makes the archive a file of so many bytes
   * @returns the path of the folder that it became
   */
  readonly unpacked: (bytes: Buffer, size?: number) => Promise<string>;
  /** What the archive is refused with; fails where it is not, or where something of it stays. */
  readonly refusal: (bytes: Buffer, size?: number) => Promise<unknown>;
}

export async function makeUnpacker(): Promise<Unpacker> {
  const home = await realpath(await mkdtemp(join(tmpdir(), 'trunnion-archive-')));
  let count = 0;
  const unpacked = async (bytes: Buffer, size = bytes.length): Promise<string> => {
    count += 1;
    const place = join(home, String(count));
    await mkdir(place);
    await writeFile(join(place, 'archive'), bytes);
    await truncate(join(place, 'archive'), size);
    await unpack(join(place, 'archive'), join(place, 'model'), new AbortController().signal);
    expect((await readdir(place)).toSorted()).toEqual(['archive', 'model']);
    return join(place, 'model');
  };
  return {
    home,
    unpacked,
    refusal: async (bytes, size) => {
      try {
        await unpacked(bytes, size);
      } catch (error) {
        expect(await readdir(join(home, String(count)))).toEqual(['archive']);
        return error;
      }
      throw new Error('it was unpacked');
    },
    [Symbol.asyncDispose]: () => rm(home, { recursive: true, force: true }),
  };
}

export const file = (name: string, content = 'x'): TarEntry => ({ name, content });
export const folder = (name: string): TarEntry => ({ name, type: '5' });
export const link = (name: string, target: string): TarEntry => ({ name, type: '2', link: target });
export const hardLink = (name: string, target: string): TarEntry => ({ name, type: '1', link: target });
