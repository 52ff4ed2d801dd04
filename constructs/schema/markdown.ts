/** A word of a program, in Markdown. */
export const code = (text: string): string => `\`${text}\``;

/** A table, in Markdown; a cell may hold anything. */
export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.map(cell).join(' | ')} |`).join('\n');

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
