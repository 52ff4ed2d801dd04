import { damaged, textOf } from './header.ts';

/** What a header of the POSIX format says of the entry that follows it: `path`, `linkpath`, `size`, and `sparse` where it has holes. */
export type Pax = ReadonlyMap<string, string>;

const EQUALS = 0x3d;
const NEWLINE = 0x0a;
const SPACE = 0x20;

/**
 * Reads records, each `LENGTH KEY=VALUE` and a newline, where LENGTH counts all of it.
 *
 * @throws FetchError where they are none
 */
export function parsePax(bytes: Uint8Array): Pax {
  const pax = new Map<string, string>();
  for (let at = 0; at < bytes.length;) {
    const space = bytes.subarray(at, at + MOST_DIGITS + 1).indexOf(SPACE);
    const digits = Buffer.from(bytes.subarray(at, at + Math.max(space, 0))).toString('latin1');
    const end = at + Number(digits);
    if (!/^[1-9][0-9]*$/.test(digits) || end > bytes.length || bytes[end - 1] !== NEWLINE) throw noRecord();
    const record = bytes.subarray(at + space + 1, end - 1);
    const equals = record.indexOf(EQUALS);
    if (equals < 1) throw noRecord();
    const key = Buffer.from(record.subarray(0, equals)).toString('latin1');
    // Of a sparse file many keys may tell: that there is one is enough, so that no more than the keys here is kept.
    if (key.startsWith('GNU.sparse.')) pax.set('sparse', '');
    else if (USED.has(key)) pax.set(key, textOf(record.subarray(equals + 1)));
    at = end;
  }
  return pax;
}

/** Keys that say where and what an entry is. */
const USED = new Set(['path', 'linkpath', 'size']);

/** No record is so long that its length has more. */
const MOST_DIGITS = 7;

const noRecord = () => damaged('it has attributes that are no records');
