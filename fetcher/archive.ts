import { constants, createReadStream } from 'node:fs';
import { link, mkdir, open, realpath, rm, symlink } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { createGunzip } from 'node:zlib';
import { codeOf, wordsOf } from './errors.ts';
import { ARCHIVE_FREE_BYTES, ARCHIVE_RATIO } from './limits.ts';
import { quoted } from './names.ts';
import { entriesOf, unsafe } from './tar/entries.ts';
import type { Entry } from './tar/entries.ts';
import { damaged } from './tar/header.ts';
import { Tree } from './tar/tree.ts';
import { checkSpace, isFull, noSpace, sizeOf } from './volume.ts';

/**
 * Unpacks a tar archive, of gzip or plain, into a new folder. It is read here and not by a program of the image: so each
 * entry is judged before anything is written, and the same in every image. Owners, modes but "may be run", times and
 * attributes of the archive don't count.
 *
 * @throws FetchError where something in it would reach out of the folder, or where it grows beyond all measure
 */
export async function unpack(archive: string, folder: string, signal: AbortSignal): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  try {
    await fill(archive, folder, signal);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

async function fill(archive: string, folder: string, signal: AbortSignal): Promise<void> {
  const packed = (await sizeOf(archive)) ?? 0;
  const tree = new Tree();
  const most = Math.max(ARCHIVE_FREE_BYTES, packed * ARCHIVE_RATIO);
  const pieces = plain(archive, most, signal);
  let need = packed;
  try {
    for await (const entry of entriesOf(pieces)) {
      need += entry.bytes;
      if (entry.bytes > most) throw grows(most);
      if (entry.bytes > LARGE_BYTES) await checkSpace(folder, entry.bytes, need);
      await take(entry, tree, folder);
    }
    // To the end, beyond that of the archive: there gzip has its checksum.
    for await (const _ of pieces);
  } catch (error) {
    throw isFull(error) ? noSpace(need) : error;
  } finally {
    await pieces.return(undefined);
  }
  if (tree.files === 0) throw damaged('it has no file');
  await makeLinks(tree, folder);
}

async function take(entry: Entry, tree: Tree, folder: string): Promise<void> {
  const step = tree.add(entry);
  if (step.do === 'later') return;
  const path = join(folder, step.path);
  await asNew(step.path, async () => {
    await mkdir(step.do === 'folder' ? path : dirname(path), { recursive: true });
    if (step.do === 'folder') return;
    if (step.replaces) await rm(path);
    await (step.do === 'file' ? write(entry, path) : link(join(folder, step.to), path));
  });
}

/** Makes something where nothing is yet. On some volumes `A` and `a` are one name. */
async function asNew(path: string, make: () => Promise<void>): Promise<void> {
  try {
    await make();
  } catch (error) {
    throw codeOf(error) === 'EEXIST' ? unsafe(`${quoted(path)} and another name are one on this volume`) : error;
  }
}

/** For a smaller file it is not worth to ask for the space in advance. */
const LARGE_BYTES = 2 ** 20;

/** Only ever a new file: what is there, a link above all, is not opened. */
const NEW = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

async function write({ executable, content }: Entry, path: string): Promise<void> {
  const file = await open(path, NEW, executable ? 0o755 : 0o644);
  try {
    for await (const chunk of content) await file.writeFile(chunk);
    await file.datasync();
  } finally {
    await file.close();
  }
}

/** Makes the links, last, and looks where each leads on this very volume. */
async function makeLinks(tree: Tree, folder: string): Promise<void> {
  const links = tree.links();
  const root = await realpath(folder);
  for (const { path } of links) await mkdir(dirname(join(folder, path)), { recursive: true });
  for (const { path, target } of links) await asNew(path, () => symlink(target, join(folder, path)));
  for (const { path } of links) {
    const end = await realpath(join(folder, path));
    if (end !== root && !end.startsWith(root + sep)) throw unsafe(`the link ${quoted(path)} leads out of its folder`);
  }
}

const grows = (most: number) =>
  unsafe(`it grows to more than ${most} bytes; ${ARCHIVE_RATIO} times its own size, or 1 GiB, is the most`);

const GZIP = [0x1f, 0x8b];

/** As much as is read, unzipped and written at a time. */
const PIECE_BYTES = 2 ** 20;

/** The bytes of the archive, unzipped, up to so many. */
async function* plain(archive: string, most: number, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const file = createReadStream(archive, { signal, highWaterMark: PIECE_BYTES });
  let pieces: AsyncIterable<Uint8Array> = file;
  if (await isGzip(archive)) {
    const gunzip = createGunzip({ chunkSize: PIECE_BYTES });
    file.on('error', (error) => gunzip.destroy(error));
    pieces = file.pipe(gunzip);
  }
  let bytes = 0;
  try {
    for await (const piece of pieces) {
      bytes += piece.length;
      if (bytes > most) throw grows(most);
      yield piece;
    }
  } catch (error) {
    signal.throwIfAborted();
    throw codeOf(error)?.startsWith('Z_') === true ? damaged(wordsOf(error)) : error;
  } finally {
    file.destroy();
  }
}

async function isGzip(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { buffer } = await file.read(Buffer.alloc(GZIP.length), 0, GZIP.length, 0);
    return GZIP.every((byte, index) => buffer[index] === byte);
  } finally {
    await file.close();
  }
}
