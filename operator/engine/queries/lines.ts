/** Longest line that is read, in bytes. Longer than what a program prints to be read, short enough to be held. */
export const LONGEST_LINE_BYTES = 2 ** 15;

/** So many bytes are read in one go: a millisecond for most, and a few for what takes longest. */
const SLICE_BYTES = 2 ** 14;

/** Bytes in pieces, between which others are to have their turn. */
export function* slicesOf(bytes: Uint8Array): Generator<Uint8Array, void, undefined> {
  for (let at = 0; at < bytes.length; at += SLICE_BYTES) yield bytes.subarray(at, at + SLICE_BYTES);
}

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

export interface LinesOptions {
  /** Called with each line that is not empty, without its end. The bytes are valid until it returns. */
  readonly line: (line: Buffer) => void;
  /** Called with each piece of a line that is too long, from its beginning on, and with nothing once it has ended. */
  readonly tooLong: (piece: Buffer | undefined) => void;
  /** @default LONGEST_LINE_BYTES */
  readonly longest?: number;
}

/**
 * Cuts bytes into lines as they come, and holds at most one of them. It works on bytes, since a piece may end anywhere. A
 * carriage return ends a line as well: so progress bars are lines, and Windows has an empty line after each.
 */
export class Lines {
  readonly #options: LinesOptions;
  readonly #longest: number;
  /** The beginning of the line that has not ended: the first #bytes of it. */
  #begun = Buffer.alloc(0);
  #bytes = 0;
  /** Whether the line that has not ended is too long. */
  #skips = false;

  constructor(options: LinesOptions) {
    this.#options = options;
    this.#longest = options.longest ?? LONGEST_LINE_BYTES;
  }

  push(bytes: Uint8Array): void {
    const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let start = 0;
    // By hand, since two searches, one for each end, would each look at bytes that the other has seen.
    for (let at = 0; at < chunk.length; at += 1) {
      if (chunk[at] !== LINE_FEED && chunk[at] !== CARRIAGE_RETURN) continue;
      // Nothing is in an empty line.
      if (at > start || this.#bytes > 0 || this.#skips) this.#endLine(chunk.subarray(start, at));
      start = at + 1;
    }
    if (start < chunk.length) this.#begin(chunk.subarray(start));
  }

  /**
   * Nothing more comes.
   *
   * @returns whether the last line had no end; it is told as a line
   */
  end(): boolean {
    const hasBegun = this.#bytes > 0 || this.#skips;
    if (hasBegun) this.#endLine(Buffer.alloc(0));
    return hasBegun;
  }

  #begin(piece: Buffer): void {
    if (this.#skips) this.#options.tooLong(piece);
    else if (this.#bytes + piece.length <= this.#longest) this.#hold(piece);
    else {
      this.#skips = true;
      this.#options.tooLong(this.#begun.subarray(0, this.#bytes));
      this.#options.tooLong(piece);
    }
  }

  /** Copies it, since a piece of a chunk holds all of it. In one place, since pieces may be of a byte each. */
  #hold(piece: Buffer): void {
    const needed = this.#bytes + piece.length;
    if (needed > this.#begun.length) {
      const larger = Buffer.alloc(Math.min(this.#longest, 2 * needed));
      this.#begun.copy(larger, 0, 0, this.#bytes);
      this.#begun = larger;
    }
    piece.copy(this.#begun, this.#bytes);
    this.#bytes = needed;
  }

  #endLine(rest: Buffer): void {
    if (this.#bytes === 0 && !this.#skips && rest.length <= this.#longest) this.#options.line(rest);
    else {
      this.#begin(rest);
      if (this.#skips) this.#options.tooLong(undefined);
      else this.#options.line(this.#begun.subarray(0, this.#bytes));
    }
    this.#bytes = 0;
    this.#skips = false;
  }
}
