import { parseJson } from '../client/index.ts';

/** Largest frame, in bytes. An object is at most about 1.5 MiB in etcd; escaped as JSON it may be several times that. */
const LARGEST_FRAME = 16 * 2 ** 20;

const NEWLINE = 10;

/** Throws where the bytes are no UTF-8, instead of putting in replacement characters. */
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** A stream held something that is no frame. What came after it can't be trusted, so the stream must be given up. */
export class FrameError extends Error {
  override readonly name = 'FrameError';
}

/**
 * Cuts a stream of bytes into newline-delimited JSON.
 *
 * It works on bytes, since a chunk may end anywhere, inside a UTF-8 sequence too: a newline byte is never part of one.
 *
 * @throws FrameError where a line is no JSON or too long, or the stream ends in the middle of one
 */
export async function* frames(
  chunks: AsyncIterable<Uint8Array>,
  largest: number = LARGEST_FRAME,
): AsyncGenerator<unknown, void, undefined> {
  let pending: Uint8Array[] = [];
  let pendingBytes = 0;
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      pending.push(chunk.subarray(start, end));
      const line = pending.length === 1 ? chunk.subarray(start, end) : Buffer.concat(pending);
      pending = [];
      pendingBytes = 0;
      start = end + 1;
      if (line.length > largest) throw tooLong(largest);
      if (!isBlank(line)) yield parse(line);
    }
    if (start < chunk.length) {
      pending.push(chunk.subarray(start));
      pendingBytes += chunk.length - start;
      if (pendingBytes > largest) throw tooLong(largest);
    }
  }
  if (pendingBytes > 0 && !isBlank(Buffer.concat(pending))) {
    throw new FrameError(`the stream ended within a frame, after ${pendingBytes} bytes of it`);
  }
}

function parse(line: Uint8Array): unknown {
  try {
    return parseJson(utf8.decode(line));
  } catch (error) {
    throw new FrameError(`a frame of ${line.length} bytes is not JSON`, { cause: error });
  }
}

function isBlank(line: Uint8Array): boolean {
  return line.every((byte) => byte === 32 || byte === 9 || byte === 13);
}

function tooLong(largest: number): FrameError {
  return new FrameError(`a frame is longer than ${largest} bytes`);
}
