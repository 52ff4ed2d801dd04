import { type Document, type LineCounter, visit } from 'yaml';
import { YamlError } from './error.ts';

/** Tells the line of a place in a text. */
export type Lines = Pick<LineCounter, 'linePos'>;

/** What ends a line in YAML 1.1, and for nobody who looks at it. */
const ODD_BREAK = /[\u0085\u2028\u2029]/g;

/**
 * Refuses line breaks that an editor doesn't show: a comment with one in it would continue as a field. In double quotes they
 * are text.
 */
export function refuseOddBreaks(text: string, documents: readonly Document[], lines: Lines): void {
  const found = Array.from(text.matchAll(ODD_BREAK), ({ index }) => index);
  if (found.length === 0) return;
  const quoted: (readonly [number, number])[] = [];
  for (const document of documents) {
    visit(document, {
      Scalar: (_, { type, range }) => {
        if (type === 'QUOTE_DOUBLE' && range) quoted.push([range[0], range[1]]);
      },
    });
  }
  // Both are in the order of the text: one walk finds what lies in none of the quotes.
  let next = 0;
  const odd = found.find((at) => {
    while ((quoted[next]?.[1] ?? Infinity) <= at) next += 1;
    return at < (quoted[next]?.[0] ?? Infinity);
  });
  if (odd === undefined) return;
  const code = (text.codePointAt(odd) ?? 0).toString(16).padStart(4, '0');
  throw new YamlError(
    `line ${lines.linePos(odd).line}: the character U+${code.toUpperCase()} ends a line in YAML 1.1: ` +
      `write "\\u${code}" in double quotes`,
  );
}
