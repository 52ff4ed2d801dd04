import { plainText } from '../constructs/parts/values/index.ts';

/** Rows under a head, in columns as wide as they have to be, as lines. */
export function tableLines(head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const lines = [head, ...rows].map((row) => row.map((cell) => plainText(cell)));
  const widths = head.map((_, column) => lines.reduce((most, row) => Math.max(most, row[column]?.length ?? 0), 0));
  return lines.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
