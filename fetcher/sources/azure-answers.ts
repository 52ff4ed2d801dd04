import { passing } from '../errors.ts';
import { countOf } from '../json.ts';
import { quoted } from '../names.ts';
import type { Page } from '../pages.ts';
import { element, elements } from '../xml.ts';

/** A blob as Azure lists it. */
export interface AzureBlob {
  readonly key: string;
  readonly bytes: number;
  readonly etag: string;
  /** In base64; undefined where anyone who uploaded it gave none. */
  readonly md5: string | undefined;
}

/**
 * Reads a page of List Blobs. Folders of a hierarchical namespace are among the blobs, and are left out.
 *
 * @throws FetchError where it is none, or a blob has no size
 */
export function parseAzurePage(xml: string): Page<AzureBlob> {
  if (xml.includes('<!')) throw passing('the listing declares entities, or has comments: it is not of Azure');
  const items = elements(xml, 'Blob').flatMap((blob) => {
    const written = element(blob, 'Name') ?? '';
    const bytes = countOf(element(blob, 'Content-Length'));
    if (written === '' || bytes === undefined) throw passing(`the blob ${quoted(written)} has no name or no size`);
    const [properties = ''] = elements(blob, 'Properties');
    const isFolder =
      element(properties, 'ResourceType') === 'directory' || (bytes === 0 && element(blob, 'hdi_isfolder') === 'true');
    if (isFolder) return [];
    // It has characters that XML can't hold.
    const key = blob.includes('<Name Encoded="true">') ? decoded(written) : written;
    return [{ key, bytes, etag: (element(blob, 'Etag') ?? '').replaceAll('"', ''), md5: element(blob, 'Content-MD5') }];
  });
  return { items, next: element(xml, 'NextMarker') };
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch (cause) {
    throw passing(`the name ${quoted(name)} is not encoded as a URL is`, { cause });
  }
}
