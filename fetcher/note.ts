import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { codeOf } from './errors.ts';
import { NOTE_BYTES } from './limits.ts';

/** Where there is no such file: removed by another node, a link, or something else instead. */
const NONE = new Set(['ENOENT', 'ESTALE', 'ENOTDIR', 'EISDIR', 'ELOOP']);

/**
 * The beginning of a small file of the volume, such as a marker; undefined where there is none. It follows no link and waits for
 * no pipe.
 */
export async function readNote(path: string): Promise<string | undefined> {
  try {
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(NOTE_BYTES), 0, NOTE_BYTES, 0);
      return buffer.toString('utf8', 0, bytesRead);
    } finally {
      await file.close();
    }
  } catch (error) {
    if (NONE.has(codeOf(error) ?? '')) return undefined;
    throw error;
  }
}
