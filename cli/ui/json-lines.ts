import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { plainJson } from './answer.ts';

/** So many characters may wait to be sent before those who write are asked to wait. */
const MOST_WAITING = 2 ** 16;

/** An answer that is a line of JSON for each piece, as it comes. */
export class JsonLines<Piece> {
  readonly #response: ServerResponse;
  /** Aborted once the browser is gone. */
  readonly #signal: AbortSignal;
  #waiting: string[] = [];
  #length = 0;
  #flushed: Promise<void> | undefined;
  #isSlow = false;

  constructor(response: ServerResponse, signal: AbortSignal) {
    this.#response = response;
    this.#signal = signal;
  }

  /** Whether the browser has been told that there is an answer: from then on, an error is a piece. */
  get hasBegun(): boolean {
    return this.#response.headersSent;
  }

  /** Tells the browser that there is an answer, before its first piece. */
  begin(): void {
    if (this.hasBegun) return;
    this.#response.writeHead(200, { 'content-type': 'application/x-ndjson; charset=utf-8' });
    this.#response.flushHeaders();
  }

  /**
   * Sends a piece. Pieces that come together are sent together.
   *
   * @returns undefined, or where the browser is slow to read, when the next one may be sent
   */
  write(piece: Piece): Promise<void> | undefined {
    if (this.#signal.aborted) return undefined;
    this.begin();
    this.#wait(piece);
    this.#flushed ??= this.#flush();
    return this.#isSlow || this.#length > MOST_WAITING ? this.#flushed : undefined;
  }

  /** Sends the last piece, where there is one. */
  end(piece?: Piece): void {
    if (this.#signal.aborted) return;
    if (piece !== undefined) this.#wait(piece);
    this.begin();
    this.#response.end(this.#taken());
  }

  #wait(piece: Piece): void {
    const line = `${plainJson(piece)}\n`;
    this.#waiting.push(line);
    this.#length += line.length;
  }

  #taken(): string {
    const text = this.#waiting.join('');
    this.#waiting = [];
    this.#length = 0;
    return text;
  }

  async #flush(): Promise<void> {
    await setImmediate();
    while (this.#waiting.length > 0 && !this.#signal.aborted) {
      if (this.#response.write(this.#taken())) continue;
      this.#isSlow = true;
      await once(this.#response, 'drain', { signal: this.#signal }).catch(() => undefined);
      this.#isSlow = false;
    }
    this.#flushed = undefined;
  }
}
