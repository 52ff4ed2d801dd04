import { passing } from '../errors.ts';
import { countOf } from '../json.ts';
import type { Page } from '../pages.ts';
import { quoted } from '../names.ts';
import { element, elements } from '../xml.ts';

/** An object as S3 lists it. */
export interface S3Object {
  readonly key: string;
  readonly bytes: number;
  readonly etag: string;
}

/**
 * Reads a page of ListObjectsV2.
 *
 * @throws FetchError where it is none, or an object has no size
 */
export function parseS3Page(xml: string): Page<S3Object> {
  if (xml.includes('<!')) throw passing('the listing declares entities, or has comments: it is not of S3');
  // Not all servers do what encoding-type asks for; who does says so.
  const isEncoded = element(xml, 'EncodingType') === 'url';
  const items = elements(xml, 'Contents').map((contents) => {
    const written = element(contents, 'Key') ?? '';
    const bytes = countOf(element(contents, 'Size'));
    if (written === '' || bytes === undefined) throw passing(`the object ${quoted(written)} has no name or no size`);
    return {
      key: isEncoded ? decoded(written) : written,
      bytes,
      etag: (element(contents, 'ETag') ?? '').replaceAll('"', ''),
    };
  });
  return { items, next: element(xml, 'NextContinuationToken') };
}

/** What an error says it is, such as NoSuchBucket; empty where that is no word. */
export const s3Code = (xml: string): string => wordOf(element(xml, 'Code'));

/** The region that an error names; undefined where that is none. It becomes part of a host name. */
export const s3Region = (headers: Headers, xml: string): string | undefined =>
  wordOf(headers.get('x-amz-bucket-region') ?? element(xml, 'Region')) || undefined;

const wordOf = (text: string | undefined): string => (/^[A-Za-z0-9-]{1,64}$/.test(text ?? '') ? (text ?? '') : '');

/** A key as it is listed with `encoding-type=url`. */
function decoded(key: string): string {
  try {
    return decodeURIComponent(key.replaceAll('+', ' '));
  } catch (cause) {
    throw passing(`the key ${quoted(key)} is not encoded as a URL is`, { cause });
  }
}
