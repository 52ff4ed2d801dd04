import type { Document, YAMLError } from 'yaml';

/** More lines than this are not fixed, nor more characters read for it: each line is a reading of the whole text. */
const MOST = { lines: 100, characters: 2_000_000 };

/**
 * The documents of a text that may indent what is in braces, brackets or quotes as it likes, as libyaml has it (there the
 * indentation of a line counts in blocks alone). The parser here wants more of it: each line that has too little is given
 * enough, and read again. Lines stay where they are.
 */
export function withIndentedFlow(
  text: string,
  parse: (text: string) => readonly Document[],
): { readonly text: string; readonly documents: readonly Document[] } {
  let [mended, documents] = [text, parse(text)];
  let characters = 0;
  for (let count = 0; count <= MOST.lines && characters <= MOST.characters; count += 1) {
    const error = documents.flatMap(({ errors }) => errors)[0];
    const start = startOf(error, mended);
    if (start === undefined) return { text: mended, documents };
    if (isRefused(mended, start, error?.code === 'MISSING_CHAR')) break;
    const indent = ' '.repeat(deepest(text) + 1);
    mended = mended.slice(0, start) + indent + mended.slice(start).replace(/^[ \t]*/, '');
    characters += mended.length;
    documents = parse(mended);
  }
  return { text, documents: parse(text) };
}

/**
 * Whether libyaml refuses a line as well: what begins or ends a document does so anywhere, and no tab may follow a plain
 * scalar, which could continue behind it.
 */
function isRefused(text: string, start: number, isQuoted: boolean): boolean {
  const isTab = !isQuoted && /^ *\t/.test(text.slice(start, start + 1000));
  const before = text.slice(0, start).trimEnd().at(-1) ?? '';
  return /^(?:---|\.\.\.)(?:\s|$)/.test(text.slice(start, start + 4)) || (isTab && !ENDS.has(before));
}

/** What a plain scalar does not end with: brackets, commas, colons and quotes. */
const ENDS = new Set('{}[],:"\'');

/** How far a block of the text may be indented, `- ` and the like with it. */
const deepest = (text: string): number =>
  text.split('\n').reduce((most, line) => Math.max(most, /^[ \t?:-]*/.exec(line)![0].length), 0);

/** Where a line begins that is indented too little for what it is in; undefined where something else is wrong. */
function startOf(error: YAMLError | undefined, text: string): number | undefined {
  if (error === undefined) return undefined;
  const [at] = error.pos;
  const isFlow = error.code === 'BAD_INDENT' && error.message.startsWith('Flow ');
  const isQuoted = error.code === 'MISSING_CHAR' && error.message.startsWith('Missing closing ');
  if (isFlow && text[at - 1] === '\n') return at;
  if (isFlow)
    return text.slice(text.lastIndexOf('\n', at) + 1, at).trim() === '' ? text.lastIndexOf('\n', at) + 1 : undefined;
  const end = text[at] === '\r' ? at + 1 : at;
  return isQuoted && text[end] === '\n' && end + 1 < text.length ? end + 1 : undefined;
}
