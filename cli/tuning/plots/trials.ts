import { dot, type Markish, ruleY } from '@observablehq/plot';
import { COLOURS } from '../../colours.ts';
import { plainText } from '../../../constructs/parts/values/index.ts';
import { type DrawnSearch, type Point, shown } from '../search.ts';
import { type MetricScale, within } from './scales.ts';

type Trial = DrawnSearch['trials'][number];

/** Where a trial is across a plot; undefined where it is not on it. */
type Across = (trial: Pick<Trial, 'number' | 'assignments'>) => number | string | undefined;

/** How the marks of trials look, and the words that the legend has for them. */
export const MARKS = {
  value: {
    words: 'value of a trial',
    look: { symbol: 'circle', r: 3.2, fill: COLOURS.main, stroke: COLOURS.ground, strokeWidth: 0.6 },
  },
  best: {
    words: 'best trial',
    look: { symbol: 'star', r: 5, fill: COLOURS.best, stroke: COLOURS.ground, strokeWidth: 0.8 },
  },
  failed: { words: 'failed', look: { symbol: 'times', r: 4, stroke: COLOURS.bad, strokeWidth: 2 } },
  unfinished: { words: 'not ended', look: { symbol: 'triangle', r: 3.5, stroke: COLOURS.main, strokeWidth: 1.5 } },
} as const;

/** The height of a strip for trials without a value, below the lowest value: one for those that failed, one for the others. */
const STRIP = 16;

const LONGEST_TEXT = 40;
const LONGEST_REASON = 160;

const cut = (text: string): string => plainText(text, { max: LONGEST_TEXT });

/** What is told of a trial where the pointer rests on it. */
function titleOf(trial: Trial | Point, search: DrawnSearch, names: readonly string[]): string {
  const lines = names.map((name) => `${cut(name)}=${cut(trial.assignments[name] ?? '')}`);
  if (isPoint(trial)) return [`trial ${trial.number}`, `${cut(search.metric)}=${trial.value}`, ...lines].join('\n');
  const { reason = '', message = '' } = trial;
  const why = [cut(reason), plainText(message, { max: LONGEST_REASON })].filter((text) => text !== '').join(': ');
  return [`trial ${trial.number}: ${trial.phase}`, ...(why === '' ? [] : [why]), ...lines].join('\n');
}

const isPoint = (trial: Trial | Point): trial is Point => 'best' in trial;

/**
 * The marks of all trials: those with a value at it, the others in a strip at the lower end.
 *
 * @param names - the parameters that are told of each
 */
export function trialMarks(
  search: DrawnSearch,
  scale: MetricScale,
  across: Across,
  names: readonly string[],
): readonly Markish[] {
  const { points, failures, unfinished, best } = search;
  const place = (trial: Trial | Point) => {
    const x = across(trial);
    return x === undefined ? [] : [{ x, title: titleOf(trial, search, names) }];
  };
  const placed = (some: readonly Point[]) =>
    some.flatMap((point) => place(point).map((at) => ({ ...at, y: within(scale, point.value) })));
  const isBest = ({ number }: Point) => number === best?.number;
  const strip = (row: number) =>
    ({ x: 'x', frameAnchor: 'bottom', dy: -STRIP * (row + 0.55), title: 'title' }) as const;
  return [
    dot(placed(points.filter((point) => !isBest(point))), {
      x: 'x',
      y: 'y',
      title: 'title',
      ...MARKS.value.look,
    }),
    dot(failures.flatMap(place), { ...strip(0), ...MARKS.failed.look }),
    dot(unfinished.flatMap(place), { ...strip(failures.length > 0 ? 1 : 0), ...MARKS.unfinished.look }),
    dot(placed(points.filter(isBest)), { x: 'x', y: 'y', title: 'title', ...MARKS.best.look }),
  ];
}

/** The line of the target, where it is on the axis. */
export const targetMarks = ({ target }: MetricScale): readonly Markish[] =>
  target === undefined
    ? []
    : [
        ruleY([target], {
          stroke: COLOURS.target,
          strokeDasharray: '6 4',
          strokeWidth: 1.5,
          title: () => `target ${shown(target)}`,
        }),
      ];

/** How much room the strips take: none where there are no such trials. */
export const stripsOf = ({ failures, unfinished }: DrawnSearch): number =>
  STRIP * [failures, unfinished].filter(({ length }) => length > 0).length;
