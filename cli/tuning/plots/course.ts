import { axisX, axisY, frame, gridY, line, text } from '@observablehq/plot';
import { largest } from '../../../constructs/parts/values/index.ts';
import { COLOURS } from '../../colours.ts';
import type { DrawnSearch } from '../search.ts';
import { type Area, axisOptions, drawn, LABEL, TITLE, titleText } from './pen.ts';
import type { DrawnNode } from './markup.ts';
import { type MetricScale, trialScale, within } from './scales.ts';
import { stripsOf, targetMarks, trialMarks } from './trials.ts';

const MARGIN = { marginLeft: 68, marginRight: 16, marginTop: 34, marginBottom: 40 };
const INSET = 8;

const WORDS = { maximize: 'higher is better', minimize: 'lower is better' };

/** Values over trials, and the best so far as a line. */
export function coursePlot(search: DrawnSearch, scale: MetricScale, { width, height }: Area): DrawnNode {
  const { points, failures, last, axes, metric, goal } = search;
  const room = width - MARGIN.marginLeft - MARGIN.marginRight;
  const rest = ` (${WORDS[goal]}${scale.type === 'log' ? ', logarithmic' : ''})`;
  const x = axisOptions(trialScale(last), room);
  const y = axisOptions(scale);
  const ended = largest(
    [...points, ...failures].map(({ number }) => number),
    1,
  );
  const steps = points.map(({ number, best }) => ({ number, best: within(scale, best) }));
  const end = steps.at(-1);
  return drawn({
    width,
    height,
    ...MARGIN,
    inset: INSET,
    insetBottom: INSET + stripsOf(search),
    x: { ...x, axis: null },
    y: { ...y, axis: null },
    marks: [
      frame({ stroke: COLOURS.frame }),
      ...(points.length === 0
        ? [text(['no trial has a value yet'], { frameAnchor: 'middle', ...LABEL })]
        : [
            gridY({ ticks: y.ticks }),
            axisY({ ticks: y.ticks, tickFormat: y.tickFormat, tickSize: 4, label: null, ...LABEL }),
          ]),
      axisX({
        ticks: x.ticks,
        tickFormat: x.tickFormat,
        tickSize: 4,
        label: 'trial',
        labelAnchor: 'center',
        labelArrow: 'none',
        ...LABEL,
      }),
      text([titleText(metric, rest, room)], { frameAnchor: 'top-left', dx: -INSET, dy: -18, ...TITLE }),
      ...targetMarks(scale),
      line([...steps, ...(end === undefined ? [] : [{ ...end, number: ended }])], {
        x: 'number',
        y: 'best',
        curve: 'step-after',
        stroke: COLOURS.best,
        strokeWidth: 1.8,
      }),
      ...trialMarks(
        search,
        scale,
        ({ number }) => number,
        axes.map(({ name }) => name),
      ),
    ],
  });
}
