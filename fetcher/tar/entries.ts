import { EXIT } from '../../constructs/parts/weights/index.ts';
import { FetchError } from '../errors.ts';
import { ARCHIVE_HEADERS, ARCHIVE_NOTE_BYTES } from '../limits.ts';
import { plainPath, quoted } from '../names.ts';
import { BLOCK_BYTES, cutOff, damaged, parseHeader, textOf } from './header.ts';
import type { Header } from './header.ts';
import { parsePax } from './pax.ts';
import type { Pax } from './pax.ts';
import { Reader } from './reader.ts';

/** What an archive may hold. */
export type EntryKind = 'file' | 'folder' | 'symbolic link' | 'hard link';

/** An entry of an archive, as it says it; nothing of it is checked yet. */
export interface Entry {
  readonly kind: EntryKind;
  /** Without what says nothing: see `plainPath`; empty for the folder itself. */
  readonly path: string;
  /** Where a link leads, as written: seen from the link for a symbolic one, from the root of the archive for a hard one. */
  readonly link: string;
  readonly bytes: number;
  readonly executable: boolean;
  /** The content: read to its end, or not at all; then it is passed over. */
  readonly content: AsyncIterable<Uint8Array>;
}

/** The archive is valid, and still not unpacked. */
export const unsafe = (what: string): FetchError =>
  new FetchError(`the archive is not unpacked: ${what}; check model.uri`, EXIT.unsafe);

/**
 * Reads the entries of a tar archive, one after the other, in the formats of POSIX and GNU. All else that an archive may
 * hold (devices, pipes, files with holes, parts of other volumes) is refused: no model has it.
 */
export async function* entriesOf(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Entry> {
  const reader = new Reader(pieces);
  let pax: Pax = new Map();
  let headers = 0;
  for (;;) {
    const block = await reader.read(BLOCK_BYTES);
    const header = block && parseHeader(block);
    if (!header) return;
    headers += 1;
    if (headers > ARCHIVE_HEADERS) throw unsafe(`it has more than ${ARCHIVE_HEADERS} entries`);
    if (NOTES.has(header.type)) {
      const note = await noteOf(header, reader);
      if (header.type !== 'g') pax = new Map([...pax, ...note]);
      else if (note.size > 0) throw unsafe('it has attributes for all of its entries');
      continue;
    }
    const bytes = sizeOf(pax) ?? header.bytes;
    const rest = reader.stream(bytes);
    if (header.type !== LABEL) yield { ...described(header, pax, bytes), content: rest };
    for await (const _ of rest);
    await pad(reader, bytes);
    pax = new Map();
  }
}

/** A volume's label; it is no file. */
const LABEL = 'V';

const KINDS: Readonly<Record<string, EntryKind>> = {
  '0': 'file',
  '7': 'file',
  '1': 'hard link',
  '2': 'symbolic link',
  '5': 'folder',
};

const REFUSED: Readonly<Record<string, string>> = {
  '3': 'is a device',
  '4': 'is a device',
  '6': 'is a pipe',
  S: 'is a file with holes: make the archive without --sparse',
};

/** Entries that say something of the next one: of GNU, a long name (L) and a long link (K); of POSIX, attributes. */
const NOTES = new Set(['L', 'K', 'x', 'g']);

async function noteOf({ type, bytes }: Header, reader: Reader): Promise<Pax> {
  if (bytes > ARCHIVE_NOTE_BYTES) throw unsafe(`it has a name or attributes of ${bytes} bytes`);
  const note = await reader.read(bytes);
  if (!note) throw cutOff();
  await pad(reader, bytes);
  if (type === 'x' || type === 'g') return parsePax(note);
  const text = textOf(note).split('\0', 1)[0] ?? '';
  return new Map([[type === 'L' ? 'path' : 'linkpath', text]]);
}

/** Passes over the zeros up to a whole block. */
async function pad(reader: Reader, bytes: number): Promise<void> {
  if (!(await reader.read((BLOCK_BYTES - (bytes % BLOCK_BYTES)) % BLOCK_BYTES))) throw cutOff();
}

function described(header: Header, pax: Pax, bytes: number): Omit<Entry, 'content'> {
  const name = pax.get('path') ?? header.name;
  const path = plainPath(name);
  const written = KINDS[header.type];
  const sparse = pax.has('sparse');
  if (written === undefined || sparse) {
    throw unsafe(
      `${quoted(path)} ${REFUSED[sparse ? 'S' : header.type] ?? `is of the unknown kind ${quoted(header.type)}`}`,
    );
  }
  // The first tar has no folders but by the slash.
  const kind = written === 'file' && name.endsWith('/') ? 'folder' : written;
  if (kind !== 'file' && bytes > 0) throw unsafe(`${quoted(path)} is a ${kind} with a content`);
  const link = pax.get('linkpath') ?? header.link;
  return { kind, path, link, bytes, executable: header.executable };
}

function sizeOf(pax: Pax): number | undefined {
  const text = pax.get('size');
  if (text === undefined) return undefined;
  const bytes = Number(text);
  if (!/^[0-9]{1,16}$/.test(text) || !Number.isSafeInteger(bytes)) throw damaged("it has a size that can't be");
  return bytes;
}
