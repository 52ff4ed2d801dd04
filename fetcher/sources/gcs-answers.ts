import { objectIn } from '../../constructs/schema/json.ts';
import { passing } from '../errors.ts';
import { countOf, jsonOf, listOf, textOf } from '../json.ts';
import { quoted } from '../names.ts';
import type { Page } from '../pages.ts';

/** An object as Google Cloud Storage lists it. */
export interface GcsObject {
  readonly key: string;
  readonly bytes: number;
  readonly generation: string;
  /** In base64, as the next. */
  readonly md5: string | undefined;
  readonly crc32c: string | undefined;
}

/**
 * Reads a page of a listing.
 *
 * @throws FetchError where it is none, or an object has no size
 */
export function parseGcsPage(json: string): Page<GcsObject> {
  const page = objectIn(jsonOf(json));
  const items = listOf(page['items']).map((item) => {
    const key = textOf(item['name']) ?? '';
    const bytes = countOf(item['size']);
    if (key === '' || bytes === undefined) throw passing(`the object ${quoted(key)} has no name or no size`);
    return {
      key,
      bytes,
      generation: textOf(item['generation']) ?? '',
      md5: textOf(item['md5Hash']),
      crc32c: textOf(item['crc32c']),
    };
  });
  return { items, next: textOf(page['nextPageToken']) };
}
