/** A label, its value quoted and escaped, and what separates it from the next. The repeated part can't be split in two ways. */
const LABEL = /\s*([A-Za-z_]\w*)\s*=\s*"((?:[^"\\]|\\.)*)"\s*(?:,|$)/y;

const ESCAPES: Readonly<Record<string, string>> = { n: '\n' };

/**
 * The labels of a sample, from what stands between its braces. It stops at the first that is not well-formed.
 *
 * @param text - as `pod="llama-a",namespace="models"`
 */
export function labelsIn(text: Uint8Array): ReadonlyMap<string, string> {
  const labels = new Map<string, string>();
  const words = Buffer.from(text.buffer, text.byteOffset, text.byteLength).toString('utf8');
  LABEL.lastIndex = 0;
  for (let match = LABEL.exec(words); match !== null && match[0] !== ''; match = LABEL.exec(words)) {
    const [, name = '', value = ''] = match;
    labels.set(
      name,
      value.replaceAll(/\\(.)/gs, (_, letter: string) => ESCAPES[letter] ?? letter),
    );
  }
  return labels;
}
