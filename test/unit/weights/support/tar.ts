/** An entry of an archive, with whatever a hostile one may say. */
export interface TarEntry {
  readonly name: string;
  /** @default '0' - a file */
  readonly type?: string;
  readonly link?: string;
  readonly content?: Buffer | string;
  /**
   * The field of the size.
   *
   * @default - the size of the content, in octal digits
   */
  readonly size?: Buffer | string;
  /** @default '0000644' */
  readonly mode?: string;
  /** @default 'ustar\0' and '00' */
  readonly magic?: string;
  readonly prefix?: string;
  /** Makes the checksum wrong. */
  readonly damaged?: boolean;
}

const BLOCK = 512;

/** An archive of entries, as they are said; two blocks of zeros end it. */
export const tarOf = (...entries: readonly TarEntry[]): Buffer =>
  Buffer.concat([...entries.map(entryOf), Buffer.alloc(2 * BLOCK)]);

/** An entry: header, content, and zeros up to a whole block. */
export function entryOf(entry: TarEntry): Buffer {
  const content = Buffer.from(entry.content ?? '');
  return Buffer.concat([headerOf(entry, content.length), content, Buffer.alloc(-content.length & (BLOCK - 1))]);
}

function headerOf(entry: TarEntry, length: number): Buffer {
  const { name, type = '0', link = '', mode = '0000644', magic = 'ustar\0', prefix = '', damaged = false } = entry;
  const header = Buffer.alloc(BLOCK);
  header.write(name, 0, 100);
  header.write(`${mode}\0`, 100);
  header.write('0000000\0', 108);
  header.write('0000000\0', 116);
  Buffer.from(entry.size ?? `${length.toString(8).padStart(11, '0')}\0`).copy(header, 124, 0, 12);
  header.write('00000000000\0', 136);
  header.write(' '.repeat(8), 148);
  header.write(type, 156, 1);
  header.write(link, 157, 100);
  header.write(magic, 257, 6);
  header.write('00', 263, 2);
  header.write(prefix, 345, 155);
  const sum = header.reduce((total, byte) => total + byte, damaged ? 1 : 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return header;
}

/** Attributes in POSIX's form, for the entry that follows. */
export const pax = (records: Readonly<Record<string, string>>, type = 'x'): TarEntry => ({
  name: 'pax',
  type,
  content: Object.entries(records)
    .map(([key, value]) => record(`${key}=${value}\n`))
    .join(''),
});

/** The length counts its own digits. */
function record(text: string): string {
  const bytes = Buffer.byteLength(text) + 1;
  let length = bytes + String(bytes).length;
  if (bytes + String(length).length !== length) length = bytes + String(length).length;
  return `${length} ${text}`;
}

/** A long name (L) or a long link (K) in GNU's form, for the entry that follows. */
export const gnuLong = (type: 'L' | 'K', text: string): TarEntry => ({
  name: '././@LongLink',
  type,
  magic: 'ustar ',
  content: `${text}\0`,
});

/** A number in GNU's form for large ones; the first byte says the sign. */
export function base256(value: bigint, first = 0x80): Buffer {
  const field = Buffer.alloc(12);
  field.writeBigUInt64BE(value, 4);
  field[0] = first;
  if (first === 0xff) field.fill(0xff, 1, 4);
  return field;
}
