import { EXIT } from '../../constructs/parts/weights/index.ts';
import { FetchError } from '../errors.ts';

/** Headers and contents begin at multiples of this. */
export const BLOCK_BYTES = 512;

/** The header of an entry of a tar archive. */
export interface Header {
  readonly name: string;
  /** One character that says what the entry is. */
  readonly type: string;
  /** Bytes of its content. */
  readonly bytes: number;
  /** Where a link leads; empty for all else. */
  readonly link: string;
  /** Whether its owner may run it. */
  readonly executable: boolean;
}

/** The archive is damaged, or is none. */
export const damaged = (what: string): FetchError =>
  new FetchError(`the archive can't be unpacked: ${what}; upload it again, as .tar or .tar.gz`, EXIT.corrupt);

/** The archive has less than its headers say. */
export const cutOff = (): FetchError => damaged('it ends in the middle');

/**
 * Reads a header, of POSIX (ustar), GNU or the first tar.
 *
 * @param block - of {@link BLOCK_BYTES}
 * @returns undefined for a block of zeros, which ends an archive
 * @throws FetchError where it is no header
 */
export function parseHeader(block: Uint8Array): Header | undefined {
  if (block.every((byte) => byte === 0)) return undefined;
  if (!hasChecksum(block)) throw damaged('it has a header whose checksum is wrong, or is no tar archive');
  const name = textAt(block, 0, 100);
  // The first tar has other bytes here; GNU tar has "ustar  ", and times where POSIX has the prefix.
  const prefix = textAt(block, 257, 6) === 'ustar' && block[263] !== SPACE ? textAt(block, 345, 155) : '';
  const type = String.fromCharCode(block[156] ?? 0);
  return {
    name: prefix === '' ? name : `${prefix}/${name}`,
    type: type === '\0' ? '0' : type,
    bytes: numberAt(block, 124, 12, 'a size'),
    link: textAt(block, 157, 100),
    executable: (numberAt(block, 100, 8, 'a mode') & 0o100) !== 0,
  };
}

const SPACE = 0x20;
const CHECKSUM = { at: 148, length: 8 };

/** The sum of all bytes, where those of the checksum itself count as spaces; some old tars took bytes as signed. */
function hasChecksum(block: Uint8Array): boolean {
  let unsigned = 0;
  let signed = 0;
  for (let at = 0; at < BLOCK_BYTES; at += 1) {
    const own = at >= CHECKSUM.at && at < CHECKSUM.at + CHECKSUM.length;
    const byte = own ? SPACE : (block[at] ?? 0);
    unsigned += byte;
    signed += byte > 127 ? byte - 256 : byte;
  }
  const stored = numberAt(block, CHECKSUM.at, CHECKSUM.length, 'a checksum');
  return stored === unsigned || stored === signed;
}

/** The text of a field, which ends with it or at the first NUL. */
function textAt(block: Uint8Array, at: number, length: number): string {
  const field = block.subarray(at, at + length);
  const end = field.indexOf(0);
  return textOf(end === -1 ? field : field.subarray(0, end));
}

/** Bytes as UTF-8; what is none becomes U+FFFD, which no path may have. */
export const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8');

/** A number in octal digits, or in GNU's form for large ones: big-endian after a byte 0x80. */
function numberAt(block: Uint8Array, at: number, length: number, what: string): number {
  const field = block.subarray(at, at + length);
  const first = field[0] ?? 0;
  if (first < 0x80) {
    const text = Buffer.from(field).toString('latin1').replaceAll('\0', ' ').trim();
    if (!/^[0-7]{0,12}$/.test(text)) throw damaged(`it has ${what} that is no number`);
    return text === '' ? 0 : Number.parseInt(text, 8);
  }
  let value = first & 0x7f;
  for (const byte of field.subarray(1)) value = Math.min(value * 256 + byte, Number.POSITIVE_INFINITY);
  if (!Number.isSafeInteger(value)) throw damaged(`it has ${what} that can't be`);
  return value;
}
