import type { Io, Style } from '../io.ts';
import { inLines } from '../output.ts';
import { wrapped } from '../layout.ts';
import { largest } from '../../constructs/parts/values/index.ts';
import type { Check, Severity } from './types.ts';

const MARKS: Readonly<Record<Severity, readonly [mark: string, style: Style]>> = {
  ok: ['✓', 'green'],
  warn: ['!', 'yellow'],
  fail: ['✗', 'red'],
};

/** What was looked at, a line each, with advice below what is not as it should be. */
export function checksText(checks: readonly Check[], { paint, width }: Pick<Io, 'paint' | 'width'>): string {
  const column = largest(checks.map(({ about }) => about.length));
  const indent = ''.padEnd(column + 4);
  const lines = inLines(checks).flatMap(({ about, verdict, found, advice }) => {
    const [mark, style] = MARKS[verdict];
    const [first = '', ...rest] = wrapped(found, width - indent.length);
    const below = [
      ...rest,
      ...(advice === undefined ? [] : wrapped(advice, width - indent.length).map((line) => paint('dim', line))),
    ];
    return [`${paint(style, mark)} ${about.padEnd(column)}  ${first}`, ...below.map((line) => `${indent}${line}`)];
  });
  return `${lines.join('\n')}\n`;
}
