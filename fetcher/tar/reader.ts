import { cutOff } from './header.ts';

/** Reads so many bytes, and no more, from bytes that come in pieces. */
export class Reader {
  readonly #pieces: AsyncIterator<Uint8Array>;
  #piece: Uint8Array = new Uint8Array();

  constructor(pieces: AsyncIterable<Uint8Array>) {
    this.#pieces = pieces[Symbol.asyncIterator]();
  }

  /** Exactly so many bytes; undefined where there are none left. */
  async read(bytes: number): Promise<Uint8Array | undefined> {
    if (this.#piece.length >= bytes) return this.#take(bytes);
    const whole = new Uint8Array(bytes);
    let have = 0;
    for await (const part of this.#parts(bytes)) {
      whole.set(part, have);
      have += part.length;
    }
    if (have === bytes) return whole;
    if (have === 0) return undefined;
    throw cutOff();
  }

  /** So many bytes, in pieces. */
  async *stream(bytes: number): AsyncGenerator<Uint8Array> {
    let rest = bytes;
    for await (const part of this.#parts(bytes)) {
      rest -= part.length;
      yield part;
    }
    if (rest > 0) throw cutOff();
  }

  /** So many bytes of the piece, or all that it has. */
  #take(bytes: number): Uint8Array {
    const part = this.#piece.subarray(0, bytes);
    this.#piece = this.#piece.subarray(part.length);
    return part;
  }

  async *#parts(bytes: number): AsyncGenerator<Uint8Array> {
    let rest = bytes;
    while (rest > 0) {
      if (this.#piece.length === 0) {
        const next = await this.#pieces.next();
        if (next.done === true) return;
        this.#piece = next.value;
      }
      const part = this.#take(rest);
      rest -= part.length;
      yield part;
    }
  }
}
