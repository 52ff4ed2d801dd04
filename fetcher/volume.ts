import type { Stats } from 'node:fs';
import { lstat, mkdir, open, readdir, rename, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { EXIT, markerFile } from '../constructs/parts/weights/index.ts';
import type { Marker } from '../constructs/parts/weights/index.ts';
import { digestOfLines } from './digest.ts';
import { FetchError, codeOf } from './errors.ts';
import { countOf, textOf } from './json.ts';
import { objectIn, type PlainObject } from '../constructs/schema/json.ts';
import { OWN_PREFIX } from './names.ts';
import { readNote } from './note.ts';
import type { Listing } from './source.ts';

const STAGING_PREFIX = `${OWN_PREFIX}staging-`;
const GIB = 2 ** 30;

/** The folders that one revision is brought together in; they outlive a crash, so that the next run continues. */
export interface Staging {
  readonly path: string;
  /** Files that are whole and verified, laid out as the model. */
  readonly files: string;
  /** Files under way. */
  readonly parts: string;
}

/** What a volume is to hold. */
type Wanted = Pick<Marker, 'uri' | 'selection'>;

/** The marker of a folder that is complete, of this URI and with these files; undefined where there is none. */
export async function readMarker(root: string, folder: string, wanted: Wanted): Promise<Marker | undefined> {
  const text = await readNote(join(root, markerFile(folder)));
  return text === undefined ? undefined : parseMarker(text, wanted);
}

/** Reads a marker; undefined where it is of another URI or of other files, or is none: then the model is brought again. */
export function parseMarker(text: string, { uri, selection }: Wanted): Marker | undefined {
  let fields: PlainObject;
  try {
    fields = objectIn(JSON.parse(text));
  } catch {
    return undefined;
  }
  const revision = textOf(fields['revision']);
  const files = countOf(fields['files']);
  const bytes = countOf(fields['bytes']);
  if (fields['uri'] !== uri || fields['selection'] !== selection) return undefined;
  if (revision === undefined || files === undefined || bytes === undefined) return undefined;
  return { uri, ...(selection !== undefined && { selection }), revision, files, bytes };
}

/**
 * Makes the staging folder of a listing, or finds it; what is left of other listings goes. A host may give two listings
 * one revision, so the folder is that of all that the listing says: nothing that it does not name gets into the model.
 */
export async function stage(root: string, uri: string, { revision, files }: Listing): Promise<Staging> {
  const lines = files.map(({ path, bytes }) => `${path} ${bytes}`);
  const name = STAGING_PREFIX + digestOfLines([...lines, `/ ${revision} ${uri}`]).slice(0, 16);
  for (const entry of await readdir(root)) {
    if (entry.startsWith(STAGING_PREFIX) && entry !== name)
      await rm(join(root, entry), { recursive: true, force: true });
  }
  const path = join(root, name);
  await removeLinks(path);
  const staging = { path, files: join(path, 'files'), parts: join(path, 'parts') };
  await mkdir(staging.files, { recursive: true });
  await mkdir(staging.parts, { recursive: true });
  return staging;
}

/** Removes what is neither a file nor a folder: downloads make no links, so anyone who made one has something in mind. */
async function removeLinks(start: string): Promise<void> {
  const paths = [start];
  for (let path = paths.pop(); path !== undefined; path = paths.pop()) {
    const entry = await lstatOf(path);
    if (entry?.isDirectory() === true) for (const name of await readdir(path)) paths.push(join(path, name));
    else if (entry?.isFile() === false) await rm(path);
  }
}

/**
 * Makes what was brought a folder of the volume. The marker is written last and by a rename, so anyone who sees it sees all of the model, even
 * after a power cut: the files were synced when they were verified.
 */
export async function publish(
  root: string,
  staging: Staging,
  [brought, name]: readonly [brought: string, name: string],
  marker: Marker,
): Promise<void> {
  const [folder, final] = [join(root, name), join(root, markerFile(name))];
  await rm(final, { force: true });
  await rm(folder, { recursive: true, force: true });
  await rename(brought, folder);
  const draft = join(staging.path, markerFile(name));
  const file = await open(draft, 'w');
  try {
    await file.writeFile(`${JSON.stringify(marker)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await syncFolder(root);
  await rename(draft, final);
  await syncFolder(root);
  await rm(staging.path, { recursive: true, force: true });
}

/** Bytes of a file; undefined where there is none. */
export async function sizeOf(path: string): Promise<number | undefined> {
  return (await lstatOf(path))?.size;
}

async function lstatOf(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Refuses to begin what can't fit. */
export async function checkSpace(root: string, missing: number, total: number): Promise<void> {
  const { bavail, bsize } = await statfs(root);
  if (bavail * bsize < missing) throw noSpace(total, bavail * bsize);
}

/** The volume is too small: says what to set. The file system takes a part for itself, so a tenth is added. */
export function noSpace(total: number, free?: number): FetchError {
  const size = `${Math.ceil((total * 1.1) / GIB) + 1}Gi`;
  const left = free === undefined ? '' : ` and ${gib(free)} are free`;
  return new FetchError(
    `the volume is too small: the model has ${gib(total)}${left}; set storage.size to ${size} or more`,
    EXIT.noSpace,
  );
}

/** Whether an error says that the disk, or the quota on it, is full. */
export const isFull = (error: unknown): boolean => codeOf(error) === 'ENOSPC' || codeOf(error) === 'EDQUOT';

const gib = (bytes: number): string => `${(bytes / GIB).toFixed(1)} GiB`;

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } catch (error) {
    // Some network file systems can't sync a folder; they write names through.
    if (codeOf(error) !== 'EINVAL' && codeOf(error) !== 'ENOTSUP') throw error;
  } finally {
    await folder.close();
  }
}
