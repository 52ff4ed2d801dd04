import { axisX, axisY, frame, gridX, gridY, text } from '@observablehq/plot';
import { largest } from '../../../constructs/parts/values/index.ts';
import { COLOURS } from '../../colours.ts';
import type { DrawnSearch, ParameterAxis } from '../search.ts';
import { type Area, axisOptions, drawn, fitted, LABEL, LETTER, TITLE, titleText } from './pen.ts';
import type { DrawnNode } from './markup.ts';
import { type MetricScale, parameterScale, within } from './scales.ts';
import { stripsOf, targetMarks, trialMarks } from './trials.ts';

const MARGIN = { marginLeft: 68, marginRight: 16, marginTop: 32, marginBottom: 26 };
const INSET = 8;
/** A label has so many letters at least, if the text is not shorter: of many texts, not all are shown. */
const FEWEST_LETTERS = 8;
/** Ticks of the metric: a part of those of the larger plot. */
const TICKS = 3;

/** What came of which value of a parameter. */
export function parameterPlot(search: DrawnSearch, axis: ParameterAxis, scale: MetricScale, area: Area): DrawnNode {
  const room = area.width - MARGIN.marginLeft - MARGIN.marginRight;
  const x = acrossOf(axis, room);
  const y = axisOptions(scale);
  const few = typeof y.ticks === 'number' ? TICKS : y.ticks;
  const rest = x.options.type === 'log' ? ' (logarithmic)' : '';
  return drawn({
    ...area,
    ...MARGIN,
    inset: INSET,
    insetBottom: INSET + stripsOf(search),
    x: { ...x.options, axis: null },
    y: { ...y, axis: null },
    marks: [
      frame({ stroke: COLOURS.frame }),
      ...(search.points.length === 0
        ? []
        : [gridY({ ticks: few }), axisY({ ticks: few, tickFormat: y.tickFormat, tickSize: 4, label: null, ...LABEL })]),
      gridX({ ticks: x.ticks }),
      axisX({ ticks: x.ticks, tickFormat: x.tickFormat, tickSize: 4, label: null, ...LABEL }),
      text([titleText(axis.name, rest, room)], { frameAnchor: 'top-left', dx: -INSET, dy: -16, ...TITLE }),
      ...targetMarks(scale),
      ...trialMarks(search, scale, ({ assignments }) => x.at(assignments[axis.name] ?? ''), [axis.name]),
    ],
  });
}

/** The axis of a parameter, and where a value of it is. */
function acrossOf({ scale, at }: ParameterAxis, room: number) {
  const numbers = parameterScale(scale);
  if (numbers !== undefined) {
    const { ticks, tickFormat, ...options } = axisOptions(numbers, room);
    return {
      options,
      ticks,
      tickFormat,
      at: (text: string) => (at(text) === undefined ? undefined : within(numbers, Number(text))),
    };
  }
  const values = scale.type === 'values' ? [...new Set(scale.values)] : [];
  const letters = largest(values.map(({ length }) => Math.min(length, FEWEST_LETTERS)));
  const narrowest = (letters + 2) * LETTER;
  const every = Math.max(1, Math.ceil((values.length * narrowest) / room));
  const ticks = values.filter((_, i) => i % every === 0);
  const width = room / Math.max(1, ticks.length) - LETTER;
  return {
    options: { type: 'point' as const, domain: values, padding: 0.5 },
    ticks,
    tickFormat: (text: string) => fitted(text, width),
    at: (text: string) => (values.includes(text) ? text : undefined),
  };
}
