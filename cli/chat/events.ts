import type { Readable } from 'node:stream';

/** The longest event that is read, in characters: a server that sends no end must not fill the memory. */
const LONGEST_EVENT = 2 ** 20;

/**
 * The data of each server-sent event, as it comes. A last one that has no end is left out.
 *
 * @throws where an event is longer than 1 MiB
 */
export async function* events(stream: Readable): AsyncGenerator<string> {
  stream.setEncoding('utf8');
  let rest = '';
  for await (const chunk of stream) {
    const texts = `${rest}${String(chunk)}`.replaceAll('\r\n', '\n').split('\n\n');
    rest = texts.pop() ?? '';
    if (rest.length > LONGEST_EVENT) throw new Error('an event of the stream is longer than 1 MiB');
    for (const text of texts) {
      const lines = text.split('\n').filter((line) => line.startsWith('data:'));
      if (lines.length > 0) yield lines.map((line) => line.slice('data:'.length).trimStart()).join('\n');
    }
  }
}
