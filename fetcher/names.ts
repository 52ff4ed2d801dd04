import { EXIT } from '../constructs/parts/weights/index.ts';
import { FetchError } from './errors.ts';
import { DEPTH, FILES, NAME_BYTES, PATH_BYTES, PATHS_BYTES } from './limits.ts';

/** How the fetcher's own files on the volume begin. */
export const OWN_PREFIX = '.trunnion-';

/**
 * Refuses names that would leave the folder, or that can't all be files of one folder. The host of a model is not
 * trusted with the volume.
 */
export function checkNames(paths: readonly string[]): void {
  const files = new Set<string>();
  const folders = new Set<string>();
  let bytes = 0;
  if (paths.length > FILES) throw refused(`there are ${paths.length} files, and ${FILES} at most are fetched`);
  for (const path of paths) {
    const problem = problemOf(path) ?? (files.has(path) ? 'comes twice' : undefined);
    if (problem !== undefined) throw refused(`${quoted(path)} ${problem}`);
    bytes += Buffer.byteLength(path);
    if (bytes > PATHS_BYTES) throw refused(`the names of the files have more than ${PATHS_BYTES} bytes together`);
    files.add(path);
    // What lies above a folder that is known is known.
    for (
      let at = path.lastIndexOf('/');
      at > 0 && !folders.has(path.slice(0, at));
      at = path.lastIndexOf('/', at - 1)
    ) {
      folders.add(path.slice(0, at));
    }
  }
  for (const path of paths) if (folders.has(path)) throw refused(`${quoted(path)} is a file and a folder`);
}

const refused = (what: string): FetchError =>
  new FetchError(`${what}: such a model is not fetched; check model.uri`, EXIT.unsafe);

/**
 * What no name has a use for, and what misleads anyone who reads it: a backslash, control characters, marks that turn
 * the direction of text or show nothing, separators of lines, bytes that are no UTF-8.
 */
const UNREADABLE = /[\\\p{Cc}\p{Cs}\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufffd]/u;

/** A path without what says nothing in it, as in `./a//b/./c/`; an absolute one, and one that leads up, stays so. */
export const plainPath = (path: string): string =>
  path
    .split('/')
    .filter((segment, at) => (segment === '' ? at === 0 : segment !== '.'))
    .join('/');

/** What is wrong with a path inside of a model; undefined where it is fine. */
export function problemOf(path: string): string | undefined {
  if (isLonger(path, PATH_BYTES)) return 'is too long';
  if (path.startsWith('/')) return 'is an absolute path';
  if (UNREADABLE.test(path)) return 'has a backslash, a control character or another that is not shown';
  if (path.toLowerCase().startsWith(OWN_PREFIX)) return `begins as the fetcher's own files do`;
  const segments = path.split('/');
  if (segments.some((segment) => segment === '' || segment === '.' || segment === '..'))
    return 'leads out of its folder';
  // Windows' file servers drop them: ".. " is "..", and two names are one.
  if (segments.some((segment) => segment.endsWith('.') || segment.endsWith(' '))) return 'ends in a dot or a space';
  if (segments.length > DEPTH) return `lies in more than ${DEPTH} folders`;
  return segments.some((segment) => isLonger(segment, NAME_BYTES)) ? 'is too long' : undefined;
}

/** Whether a text has more bytes; each UTF-16 unit is 3 bytes of UTF-8 at most, so most texts need not be counted. */
const isLonger = (text: string, bytes: number): boolean =>
  text.length > bytes || (text.length * 3 > bytes && Buffer.byteLength(text) > bytes);

/** A text of others in a message: in quotes, and cut. */
export const quoted = (text: string): string =>
  JSON.stringify(text.length > QUOTED ? `${text.slice(0, QUOTED)}…` : text);

/** Enough to find a file by. */
const QUOTED = 200;
