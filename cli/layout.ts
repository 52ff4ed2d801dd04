import { plainText } from '../constructs/parts/values/index.ts';

/** Narrower than this nothing is wrapped: it would be a column of words. */
const NARROWEST = 30;

/** Words as lines that are no longer than `width`, where words allow it. */
export function wrapped(words: string, width: number): string[] {
  const lines = [''];
  for (const word of words.split(/ +/)) {
    const last = lines.at(-1) ?? '';
    if (last !== '' && last.length + 1 + word.length > Math.max(width, NARROWEST)) lines.push(word);
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
  }
  return lines;
}

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

const UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['m', 60],
] as const;

/** A length of time, in the largest unit that fits: `23m`. */
export function span(seconds: number): string {
  const [unit, size] = UNITS.find(([, length]) => seconds >= length) ?? ['s', 1];
  return `${Math.floor(Math.max(0, seconds) / size)}${unit}`;
}

/**
 * How long ago something was.
 *
 * @param since - in ISO 8601
 * @param now - milliseconds since the epoch
 */
export const age = (since: string, now: number): string => span((now - Date.parse(since)) / 1000);
