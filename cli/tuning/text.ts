import { inLines } from '../output.ts';
import { tableLines } from '../layout.ts';
import { largest, smallest } from '../../constructs/parts/values/index.ts';
import { importanceLines } from './importance.ts';
import { onAxis, progressOf, shown } from './search.ts';
import type { DrawnSearch, ParameterAxis, Point } from './search.ts';

const HEIGHT = 12;
const WIDTH = 60;
const STRIP = 40;

/** A search as text: what has come of it, its values over time, where its parameters were, and a line a trial. */
export function searchText(drawn: DrawnSearch): string {
  const search = inLines(drawn);
  return `${[heading(search), ...chart(search), ...strips(search), ...importanceLines(search), ...table(search)].join('\n')}\n`;
}

function heading(search: DrawnSearch): string {
  const { name, metric, best } = search;
  const done = `${name}: ${progressOf(search)}`;
  if (best === undefined) return `${done}\nNo trial has a value yet.`;
  const source = best.line === undefined ? '' : `\nRead from its line: ${best.line}`;
  return `${done}\nThe best is trial ${best.number}: ${metric}=${shown(best.value)} with ${assigned(best.assignments)}${source}`;
}

const assigned = (assignments: Point['assignments']): string =>
  Object.entries(assignments)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');

/** Values over trials: each as a point, and the best so far as a line. */
function chart({ points, metric, last }: DrawnSearch): readonly string[] {
  if (points.length === 0) return [];
  const values = points.map(({ value }) => value);
  const [low, high] = [smallest(values), largest(values)];
  const rowOf = (value: number) => (high === low ? 0 : Math.round(((high - value) / (high - low)) * (HEIGHT - 1)));
  const columnOf = (number: number) => Math.round((onAxis(number, 1, last) ?? 1) * (WIDTH - 1));
  const cells = Array.from({ length: HEIGHT }, () => Array.from({ length: WIDTH }, () => ' '));
  const put = (row: number, column: number, mark: string) => cells[row]?.splice(column, 1, mark);
  for (const [i, { number, best }] of points.entries()) {
    const end = columnOf(points[i + 1]?.number ?? number + 1);
    for (let column = columnOf(number); column < Math.min(end, WIDTH); column++) put(rowOf(best), column, '─');
  }
  for (const { number, value, best } of points) put(rowOf(value), columnOf(number), value === best ? '●' : '·');
  const labels = [shown(high), shown(low)];
  const margin = largest(labels.map(({ length }) => length));
  const labelOf = (row: number) => (row === 0 ? labels[0] : row === HEIGHT - 1 ? labels[1] : '') ?? '';
  return [
    '',
    `${metric} (● the best so far, · others)`,
    ...cells.map((row, i) => `${labelOf(i).padStart(margin)} │${row.join('').trimEnd()}`),
    `${''.padStart(margin)} └${'─'.repeat(WIDTH)}`,
    `${''.padStart(margin)}  1${`trial ${last}`.padStart(WIDTH - 1)}`,
  ];
}

/** Where the values of each parameter were: the darker, the more often; and the best. */
function strips({ axes, points, best }: DrawnSearch): readonly string[] {
  if (points.length === 0) return [];
  const width = largest(axes.map(({ name }) => name.length));
  return ['', ...axes.map((axis) => `${axis.name.padEnd(width)}  ${strip(axis, points, best)}`)];
}

function strip({ name, from, to, at }: ParameterAxis, points: readonly Point[], best: DrawnSearch['best']): string {
  const place = (assignments: Point['assignments']) => {
    const across = at(assignments[name] ?? '');
    return across === undefined ? undefined : Math.round(across * (STRIP - 1));
  };
  const counts = Array.from({ length: STRIP }, () => 0);
  for (const { assignments } of points) {
    const column = place(assignments);
    if (column !== undefined) counts[column] = (counts[column] ?? 0) + 1;
  }
  const marks = counts.map((count) => ['·', '░', '▒', '▓'][Math.min(count, 3)] ?? '▓');
  const bestColumn = best && place(best.assignments);
  if (bestColumn !== undefined) marks[bestColumn] = '●';
  return `${from} ${marks.join('')} ${to}`;
}

function table({ trials, metric, axes, best }: DrawnSearch): readonly string[] {
  if (trials.length === 0) return [];
  const head = ['trial', 'phase', metric, ...axes.map(({ name }) => name)];
  const rows = trials.map(({ number, phase, value, reason = '', assignments }) => [
    `${number === best?.number ? '*' : ' '}${number}`,
    phase,
    value === undefined ? reason : shown(value),
    ...axes.map(({ name }) => assignments[name] ?? ''),
  ]);
  return ['', ...tableLines(head, rows)];
}
