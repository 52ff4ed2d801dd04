import type { Reading, Report, Unclear } from '../../api/index.ts';
import { Lines, LONGEST_LINE_BYTES } from '../lines.ts';
import { withoutColours } from './colours.ts';
import { placesIn } from './line.ts';

/** A place of a line where the name stands. */
interface Found {
  readonly line: string;
  readonly at: number;
}

/** Longest part of a line that is told, in characters. */
export const LONGEST_QUOTE = 256;

/** So much of a line is told before the name of the metric. */
const BEFORE = 64;

/** Reads what a program reports of a metric, line by line as it comes. It holds one line, and a handful of values. */
export class ReportReader {
  readonly #metric: string;
  readonly #bytes: Buffer;
  readonly #lines = new Lines({ line: (line) => this.#read(line), tooLong: (piece) => this.#skip(piece) });
  #last: (Found & ({ readonly value: number } | { readonly unclear: string })) | undefined;
  #lowest: (Found & { readonly value: number }) | undefined;
  #highest: (Found & { readonly value: number }) | undefined;
  #unclear: (Found & { readonly unclear: string }) | undefined;
  #mentioned: Found | undefined;
  /** The end of what was skipped of a line that is too long: a name may begin there. */
  #skipped: Buffer = Buffer.alloc(0);

  constructor(metric: string) {
    this.#metric = metric;
    this.#bytes = Buffer.from(metric);
  }

  push(bytes: Uint8Array): void {
    const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const first = chunk.indexOf('\n');
    const last = chunk.lastIndexOf('\n');
    // Of most lines there is nothing to be read, and to look for the name in all of them at once is far quicker.
    const isSilent = first < last && !chunk.subarray(first, last).includes(this.#bytes);
    if (isSilent) this.#lines.push(chunk.subarray(0, first + 1));
    this.#lines.push(isSilent ? chunk.subarray(last + 1) : chunk);
  }

  end(): Report {
    this.#lines.end();
    return {
      ...(this.#last !== undefined && { last: 'value' in this.#last ? reading(this.#last) : unclear(this.#last) }),
      ...(this.#lowest !== undefined && { lowest: reading(this.#lowest) }),
      ...(this.#highest !== undefined && { highest: reading(this.#highest) }),
      ...(this.#unclear !== undefined && { unclear: unclear(this.#unclear) }),
      ...(this.#mentioned !== undefined && { mentioned: quote(this.#mentioned) }),
    };
  }

  #read(bytes: Buffer): void {
    if (!bytes.includes(this.#bytes)) return;
    const line = withoutColours(bytes.toString());
    for (const { reading, at } of placesIn(line, this.#metric)) {
      // It is quoted once it is known to matter: a line may have thousands of places.
      const found = { line, at };
      if (reading === undefined) this.#mentioned = found;
      else if ('unclear' in reading) this.#last = this.#unclear = { ...found, ...reading };
      else this.#add({ ...found, ...reading });
    }
  }

  #add(value: Found & { readonly value: number }): void {
    this.#last = value;
    if (Number.isNaN(value.value)) return;
    if (this.#lowest === undefined || value.value < this.#lowest.value) this.#lowest = value;
    if (this.#highest === undefined || value.value > this.#highest.value) this.#highest = value;
  }

  /** What is said in a line that is too long is not read; that it has the name must not be missed. */
  #skip(piece: Buffer | undefined): void {
    if (piece === undefined) {
      this.#skipped = Buffer.alloc(0);
      return;
    }
    const seen = this.#skipped.length === 0 ? piece : Buffer.concat([this.#skipped, piece]);
    if (seen.includes(this.#bytes)) {
      const what = `a line of more than ${LONGEST_LINE_BYTES} bytes`;
      this.#last = this.#unclear = { unclear: what, line: this.#metric, at: 0 };
      this.#skipped = Buffer.alloc(0);
      return;
    }
    const kept = Math.min(this.#bytes.length - 1, seen.length);
    this.#skipped = Buffer.from(seen.subarray(seen.length - kept));
  }
}

/** What a text reports of a metric. */
export function reportIn(text: string, metric: string): Report {
  const reader = new ReportReader(metric);
  reader.push(Buffer.from(text));
  return reader.end();
}

const reading = (found: Found & { readonly value: number }): Reading => ({ value: found.value, line: quote(found) });

const unclear = (found: Found & { readonly unclear: string }): Unclear => ({
  unclear: quote({ line: found.unclear, at: 0 }),
  line: quote(found),
});

/** Part of a line, around a place of it, without what steers a terminal or turns the direction of text. */
function quote({ line, at }: Found): string {
  const from = Math.max(0, at - BEFORE);
  return line
    .slice(from, from + LONGEST_QUOTE)
    .replaceAll('\t', ' ')
    .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, '\ufffd')
    .trim();
}
