/** A line longer than this, in UTF-16 code units, is no line of the server. */
const LONGEST = 4_000_000;

/** Values of a stream that has one in JSON on each line. The last one may lack its newline. */
export async function* valuesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<unknown, void> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      const lines = `${rest}${decoder.decode(value, { stream: !done })}`.split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) if (line.trim() !== '') yield JSON.parse(line);
      if (done) break;
      if (rest.length > LONGEST) throw new Error('a line of the server has no end');
    }
    if (rest.trim() !== '') yield JSON.parse(rest);
  } finally {
    // Who stops reading closes the connection; the server then ends its own.
    await reader.cancel().catch(() => undefined);
  }
}
