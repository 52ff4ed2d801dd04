import { EXIT } from '../layout.ts';
import { FetchError } from './errors.ts';

/** The longest name of a file that common file systems take, in bytes. */
const NAME_BYTES = 255;

/**
 * Refuses names that would leave the folder, or that can't all be files of one folder. The host of a model is not
 * trusted with the volume.
 */
export function checkNames(paths: readonly string[]): void {
  const files = new Set(paths);
  for (const path of paths) {
    const problem =
      problemOf(path) ?? (foldersOf(path).some((folder) => files.has(folder)) ? 'has a file for a folder' : undefined);
    if (problem !== undefined) {
      throw new FetchError(
        `${JSON.stringify(path)} ${problem}: such a model is not fetched; check model.uri`,
        EXIT.unsafe,
      );
    }
  }
}

/** What is wrong with a path inside of a model; undefined where it is fine. */
export function problemOf(path: string): string | undefined {
  if (path.startsWith('/')) return 'is an absolute path';
  if (/[\\\p{Cc}]/u.test(path)) return 'has a backslash or a control character';
  const segments = path.split('/');
  if (segments.some((segment) => segment === '' || segment === '.' || segment === '..'))
    return 'leads out of its folder';
  return segments.some((segment) => Buffer.byteLength(segment) > NAME_BYTES) ? 'is too long' : undefined;
}

const foldersOf = (path: string): string[] => {
  const segments = path.split('/').slice(0, -1);
  return segments.map((_, index) => segments.slice(0, index + 1).join('/'));
};
