const STAMP = /^(\d{4}-\d\d-\d\dT\S+Z) /;

/** A line of a log. */
export interface Line {
  /** When it was said, in RFC 3339; empty where the node does not tell. */
  readonly at: string;
  readonly text: string;
}

/** Longest piece of a line, in characters: a line that is longer comes in several, each with its time. */
const LONGEST_PIECE = 2 ** 18;

/** The lines of a log that was asked for with timestamps; the last one may lack its end. */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Line, void, undefined> {
  const utf8 = new TextDecoder();
  let pending = '';
  /** The time of the line whose end is awaited, where a piece of it has been told. */
  let begun: string | undefined;
  const pieceOf = (text: string): Line => (begun === undefined ? lineOf(text) : { at: begun, text });
  for await (const chunk of chunks) {
    const [first = '', ...others] = utf8.decode(chunk, { stream: true }).split('\n');
    pending += first;
    for (const next of others) {
      yield pieceOf(pending);
      begun = undefined;
      pending = next;
    }
    for (; pending.length > LONGEST_PIECE; pending = pending.slice(LONGEST_PIECE)) {
      const piece = pieceOf(pending.slice(0, LONGEST_PIECE));
      yield piece;
      begun = piece.at;
    }
  }
  if (pending !== '') yield pieceOf(pending);
}

function lineOf(line: string): Line {
  const at = STAMP.exec(line)?.[1] ?? '';
  return { at, text: at === '' ? line : line.slice(at.length + 1) };
}

/**
 * Tells which lines are new where a log is read again after it broke off: from the second of its last line on, so that
 * lines come twice. Times are compared as text: nodes write them all in one form, with more digits than a Date holds.
 */
export class Reading {
  #last = '';
  /** How many lines of the time `#last` were new. */
  #reported = 0;
  #skip = 0;

  /** From when on to read again, in RFC 3339; undefined from the beginning on. */
  get since(): string | undefined {
    return this.#last === '' ? undefined : this.#last;
  }

  /** The log is read again. */
  again(): void {
    this.#skip = this.#reported;
  }

  isNew({ at }: Line): boolean {
    if (at < this.#last) return false;
    if (at === this.#last && this.#skip > 0) {
      this.#skip -= 1;
      return false;
    }
    this.#reported = at === this.#last ? this.#reported + 1 : 1;
    this.#last = at;
    return true;
  }
}
