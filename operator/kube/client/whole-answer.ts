import type { Dispatcher } from 'undici';
import { AnswerTooLargeError } from './errors.ts';
import { Receiver } from './receiver.ts';

/** Of an answer that refuses, so much is read, in bytes: a Status repeats the fields that it is about, and they may be long. */
export const LARGEST_REFUSAL_BYTES = 2 ** 20;

/** An answer that is wanted as a whole. */
export class WholeAnswer extends Receiver<string> {
  readonly #largest: number;
  #chunks: Buffer[] = [];
  #bytes = 0;

  /** @param largest - bytes above which it is broken off, with an AnswerTooLargeError */
  constructor(largest: number) {
    super();
    this.#largest = largest;
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    if (this.status >= 400) this.#cutRefusal();
    else if (this.#bytes > this.#largest) this.#giveUp(new AnswerTooLargeError(this.#largest));
  }

  onResponseEnd(): void {
    this.answered(this.#text());
  }

  /** What says so much has said enough. */
  #cutRefusal(): void {
    if (this.#bytes <= LARGEST_REFUSAL_BYTES) return;
    this.answered(this.#text());
    this.#giveUp(new AnswerTooLargeError(LARGEST_REFUSAL_BYTES));
  }

  #giveUp(reason: Error): void {
    this.#chunks = [];
    this.breakOff(reason);
  }

  #text(): string {
    const [first, ...rest] = this.#chunks;
    return (first !== undefined && rest.length === 0 ? first : Buffer.concat(this.#chunks)).toString();
  }
}
