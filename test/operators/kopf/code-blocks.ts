/** A block of code of a page of reStructuredText. */
export interface CodeBlock {
  /** `python`, `yaml`. */
  readonly language: string;
  /** What the page calls it; absent where it has no name. */
  readonly name?: string;
  readonly text: string;
}

const DIRECTIVE = '.. code-block:: ';

/** The blocks of code of a page, in their order. What belongs to a block is indented, as far as its first line is. */
export function codeBlocksOf(page: string): readonly CodeBlock[] {
  const lines = page.split('\n');
  return lines.flatMap((line, at) => {
    if (!line.startsWith(DIRECTIVE)) return [];
    const next = lines.findIndex((other, index) => index > at && other !== '' && !other.startsWith(' '));
    return [blockOf(line.slice(DIRECTIVE.length).trim(), lines.slice(at + 1, next < 0 ? lines.length : next))];
  });
}

function blockOf(language: string, lines: readonly string[]): CodeBlock {
  const end = lines.findIndex((line) => !line.trim().startsWith(':'));
  const options = lines.slice(0, Math.max(end, 0)).map((line) => line.trim());
  const name = options.find((option) => option.startsWith(':name: '))?.slice(':name: '.length);
  const indented = lines.slice(Math.max(end, 0));
  const first = indented.find((line) => line.trim() !== '') ?? '';
  const indent = first.length - first.trimStart().length;
  const text = `${indented
    .map((line) => line.slice(indent))
    .join('\n')
    .trim()}\n`;
  return { language, ...(name !== undefined && { name }), text };
}
