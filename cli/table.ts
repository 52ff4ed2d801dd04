import { largest } from '../constructs/parts/extremes.ts';

/** Rows under a head, in columns as wide as they have to be, as lines. */
export function tableLines(head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const widths = head.map((title, column) =>
    largest(
      rows.map((row) => row[column]?.length ?? 0),
      title.length,
    ),
  );
  return [head, ...rows].map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
