import type { Dispatcher } from 'undici';
import { Receiver } from './receiver.ts';

/** An answer that is wanted as a whole. */
export class WholeAnswer extends Receiver<string> {
  readonly #chunks: Buffer[] = [];

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    const [first, ...rest] = this.#chunks;
    const bytes = first !== undefined && rest.length === 0 ? first : Buffer.concat(this.#chunks);
    this.answered(bytes.toString());
  }
}
