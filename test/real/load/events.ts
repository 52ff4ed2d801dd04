import type { IncomingMessage } from 'node:http';

/** The data of each server-sent event, as it comes. A last one that has no end is left out. */
export async function* events(response: IncomingMessage): AsyncGenerator<string> {
  response.setEncoding('utf8');
  let rest = '';
  for await (const chunk of response) {
    const texts = `${rest}${String(chunk)}`.split('\n\n');
    rest = texts.pop() ?? '';
    for (const text of texts) {
      const lines = text.split('\n').filter((line) => line.startsWith('data:'));
      if (lines.length > 0) yield lines.map((line) => line.slice('data:'.length).trimStart()).join('\n');
    }
  }
}
