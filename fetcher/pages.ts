import { EXIT } from '../constructs/parts/weights/index.ts';
import { FetchError } from './errors.ts';
import { CURSOR_LENGTH, FILES, PAGES, PATH_BYTES, PATHS_BYTES } from './limits.ts';
import { quoted } from './names.ts';

/** A page of a listing, as a host answers it. */
export interface Page<T> {
  readonly items: readonly T[];
  /** What the next page is asked for by; undefined or empty where this is the last one. */
  readonly next: string | undefined;
}

/** A key of S3 or GCS has no more, and a path in a model, which is a part of it, neither. */
const KEY_LENGTH = PATH_BYTES;

/** What every item of a listing has: its name. */
interface Named {
  readonly key: string;
}

/**
 * Asks for a listing page by page.
 *
 * @throws FetchError where it has no end (a page comes again, or there are too many), or more than a model has
 */
export async function allPages<T extends Named>(
  place: string,
  page: (cursor: string | undefined) => Promise<Page<T>>,
): Promise<T[]> {
  const items: T[] = [];
  const cursors = new Set<string>();
  let length = 0;
  for (let pages = 1, cursor: string | undefined; ; pages += 1) {
    const { items: more, next } = await page(cursor);
    for (const item of more) {
      if (item.key.length > KEY_LENGTH) throw endless(place, `a name of ${item.key.length} characters`);
      items.push(item);
      length += item.key.length;
    }
    if (items.length > FILES) throw endless(place, `more than ${FILES} files`);
    if (length > PATHS_BYTES) throw endless(place, `names of more than ${PATHS_BYTES} characters`);
    // Some servers end a listing with an empty token.
    if (next === undefined || next === '') return items;
    if (next.length > CURSOR_LENGTH) throw endless(place, `a page's token of ${next.length} characters`);
    if (cursors.has(next)) throw endless(place, `no end: the page ${quoted(next)} comes again`);
    if (pages === PAGES) throw endless(place, `more than ${PAGES} pages`);
    cursors.add(next);
    cursor = next;
  }
}

const endless = (place: string, what: string): FetchError =>
  new FetchError(`the listing of ${place} has ${what}: no model is so; check model.uri and its host`, EXIT.unsafe);
