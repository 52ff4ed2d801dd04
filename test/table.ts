import type { Counts } from './counts.ts';

/** How a part of the suite went. */
export interface Run extends Counts {
  readonly part: string;
  /** From its start to its end. */
  readonly minutes: number;
}

const TITLES = ['part', 'passed', 'failed', 'minutes'];

/**
 * The parts as a table for a terminal, in the order that they are given in.
 *
 * @param minutes - of all of them: less than their sum where some run at the same time
 */
export function table(runs: readonly Run[], minutes: number): string {
  const all: Run = {
    part: 'all',
    passed: runs.reduce((sum, { passed }) => sum + passed, 0),
    failures: runs.flatMap(({ failures }) => failures),
    minutes,
  };
  const lines = [TITLES, ...[...runs, all].map(cells)];
  const widths = TITLES.map((_, column) => Math.max(...lines.map((line) => (line[column] ?? '').length)));
  return lines.map((line) => aligned(line, widths)).join('\n');
}

/** A part as it ends, on a line. */
export const ended = (run: Run): string => {
  const [part, passed, failed, minutes] = cells(run);
  return `${part}: ${passed} passed, ${failed} failed, ${minutes} minutes`;
};

const cells = ({ part, passed, failures, minutes }: Run): readonly string[] => [
  part,
  String(passed),
  String(failures.length),
  minutes.toFixed(1),
];

/** The name on the left, numbers on the right. */
const aligned = ([part = '', ...numbers]: readonly string[], [first = 0, ...rest]: readonly number[]): string =>
  [part.padEnd(first), ...numbers.map((number, column) => number.padStart(rest[column] ?? 0))].join('  ');
