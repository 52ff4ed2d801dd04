import type { Checksum } from '../checksum.ts';
import { passing } from '../errors.ts';
import { countOf, jsonOf, listOf, textOf } from '../json.ts';
import { objectIn, type PlainObject } from '../../constructs/schema/json.ts';
import { quoted } from '../names.ts';
import type { Page } from '../pages.ts';

/** A file as the Hub lists it. */
export interface HubFile {
  readonly key: string;
  readonly bytes: number;
  readonly checksum: Checksum | undefined;
}

/** The commit that a revision stands for. @throws FetchError where the answer names none */
export function parseHubRevision(json: string): string {
  const commit = textOf(objectIn(jsonOf(json))['sha']);
  if (commit !== undefined && /^[0-9a-f]{40}$/.test(commit)) return commit;
  throw passing('the answer names no commit');
}

/**
 * Reads a page of a tree; folders are left out.
 *
 * @param link - the header that leads to the next page; only the cursor is taken of it, so that the token stays with the endpoint
 * @throws FetchError where it is none, or a file has no size
 */
export function parseHubPage(json: string, link: string | null): Page<HubFile> {
  const items = listOf(jsonOf(json)).flatMap((entry) => {
    const key = textOf(entry['path']);
    if (entry['type'] !== 'file' || key === undefined) return [];
    const bytes = countOf(objectIn(entry['lfs'])['size'] ?? entry['size']);
    if (bytes === undefined) throw passing(`the file ${quoted(key)} has no size`);
    return [{ key, bytes, checksum: checksumOf(entry, bytes) }];
  });
  return { items, next: cursorIn(link ?? '') };
}

function checksumOf(entry: PlainObject, bytes: number): Checksum | undefined {
  const sha256 = textOf(objectIn(entry['lfs'])['oid']);
  const blob = textOf(entry['oid']);
  if (sha256 !== undefined) return { algorithm: 'sha256', hex: sha256 };
  return blob === undefined ? undefined : { algorithm: 'git-blob', hex: blob, bytes };
}

function cursorIn(link: string): string | undefined {
  const next = /<([^<>]*)>;\s*rel="?next"?/.exec(link)?.[1];
  // Any base will do for a link that is relative.
  return next === undefined ? undefined : (URL.parse(next, 'https://hub')?.searchParams.get('cursor') ?? undefined);
}
