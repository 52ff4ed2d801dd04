import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { FrameEditor, type Passage } from './frames.ts';
import type { Past } from './history.ts';
import type { FrameFault } from './rules.ts';

export interface StreamOptions {
  readonly faults: readonly FrameFault[];
  /** Whether it begins with all that there is. */
  readonly lists?: boolean;
  /** Told before what the server says. */
  readonly before?: Beginning;
  /** Sends all in pieces of so many bytes, each by itself. */
  readonly pieces?: number;
  /** Told of each frame as the server sent it. */
  readonly note: (text: string) => void;
}

/** An initial state of the past, which all that is told there is to know for a while. */
export interface Beginning extends Past {
  readonly forMs: number;
}

const LINE_FEED = 10;

/** Between two pieces, so that they don't arrive as one. */
const PIECE_MS = 1;

/** Passes a watch on, frame by frame, through the editors of its faults. */
export function passOn(answer: IncomingMessage, res: ServerResponse, options: StreamOptions): void {
  const stream = new Stream(answer, res, options);
  let rest = Buffer.alloc(0);
  const take = (chunk: Buffer): void => {
    rest = Buffer.concat([rest, chunk]);
    const end = rest.lastIndexOf(LINE_FEED);
    const whole = rest.subarray(0, Math.max(end, 0)).toString();
    rest = rest.subarray(end + 1);
    for (const text of whole.split('\n').filter((line) => line !== '')) {
      options.note(text);
      stream.take(text);
    }
  };
  for (const text of options.before?.frames ?? []) stream.take(text);
  // Until somebody listens, the server's words wait.
  setTimeout(() => answer.on('data', take), options.before?.forMs ?? 0).unref();
  answer.on('end', () => stream.end());
  answer.on('error', () => res.socket?.destroy());
  res.on('close', () => answer.destroy());
}

class Stream {
  readonly #answer: IncomingMessage;
  readonly #res: ServerResponse;
  readonly #editors: readonly FrameEditor[];
  readonly #pieces: number | undefined;
  #frozen = false;
  #out: Promise<void> = Promise.resolve();

  constructor(answer: IncomingMessage, res: ServerResponse, { faults, lists, pieces }: StreamOptions) {
    this.#answer = answer;
    this.#res = res;
    this.#editors = faults.map((fault) => new FrameEditor(fault, lists));
    this.#pieces = pieces;
  }

  take(text: string): void {
    if (!this.#frozen) this.#edit(text, 0);
  }

  end(): void {
    if (!this.#frozen) void this.#out.then(() => this.#res.end());
  }

  #edit(text: string, from: number): void {
    const editor = this.#editors[from];
    if (editor === undefined) {
      this.#write(`${text}\n`);
      return;
    }
    const passage = editor.next(text);
    if (passage.afterMs === undefined) this.#carryOut(passage, from);
    else setTimeout(() => !this.#res.destroyed && this.#carryOut(passage, from), passage.afterMs).unref();
  }

  #carryOut({ send, stream, thawMs }: Passage, from: number): void {
    for (const frame of send) {
      // A frame that is cut must not be closed by a line feed.
      if (stream === 'reset') this.#write(frame);
      else this.#edit(frame, from + 1);
    }
    if (stream === 'continue') return;
    this.#frozen = true;
    if (stream === 'freeze') {
      if (thawMs !== undefined) setTimeout(() => this.#res.socket?.destroy(), thawMs).unref();
      return;
    }
    this.#answer.destroy();
    void this.#out.then(() => (stream === 'end' ? this.#res.end() : this.#res.socket?.destroy()));
  }

  #write(text: string): void {
    const size = this.#pieces;
    if (size === undefined) this.#res.write(text);
    else this.#out = this.#out.then(() => dripInto(this.#res, Buffer.from(text), size, PIECE_MS));
  }
}

/** Sends bytes a few at a time, cut anywhere. */
export async function dripInto(res: ServerResponse, bytes: Buffer, size: number, everyMs: number): Promise<void> {
  for (let at = 0; at < bytes.length && !res.destroyed; at += size) {
    res.write(bytes.subarray(at, at + size));
    await sleep(everyMs);
  }
}
