import { dot, line, type Markish, text } from '@observablehq/plot';
import { COLOURS } from '../../colours.ts';
import type { DrawnSearch } from '../search.ts';
import { type Area, drawn, LABEL, LETTER } from './pen.ts';
import type { DrawnNode } from './markup.ts';
import type { MetricScale } from './scales.ts';
import { MARKS } from './trials.ts';

const MIDDLE = 10;
const SIGN = 22;
const GAP = 20;

/** What the marks mean: those that the image has. */
export function legendPlot(
  { points, failures, unfinished }: DrawnSearch,
  { target }: MetricScale,
  { width, height }: Area,
): DrawnNode {
  const point = (look: object) => (x: number) => dot([[x + SIGN / 2, MIDDLE]], look);
  const stroke = (look: object) => (x: number) =>
    line(
      [
        [x, MIDDLE],
        [x + SIGN - 4, MIDDLE],
      ],
      look,
    );
  const { value, best, failed, unfinished: open } = MARKS;
  const entries = [
    ...(points.length === 0
      ? []
      : [
          { words: value.words, sign: point(value.look) },
          { words: best.words, sign: point(best.look) },
          { words: 'best so far', sign: stroke({ stroke: COLOURS.best, strokeWidth: 1.8 }) },
        ]),
    ...(failures.length === 0 ? [] : [{ words: failed.words, sign: point(failed.look) }]),
    ...(unfinished.length === 0 ? [] : [{ words: open.words, sign: point(open.look) }]),
    ...(target === undefined
      ? []
      : [{ words: 'target', sign: stroke({ stroke: COLOURS.target, strokeDasharray: '6 4', strokeWidth: 1.5 }) }]),
  ];
  const marks: Markish[] = [];
  let x = 0;
  for (const { words, sign } of entries) {
    marks.push(sign(x), text([[x + SIGN, MIDDLE]], { text: () => words, textAnchor: 'start', ...LABEL }));
    x += SIGN + LETTER * words.length + GAP;
  }
  const scale = { type: 'identity' as const, axis: null };
  return drawn({ width, height, margin: 0, x: scale, y: scale, marks });
}
