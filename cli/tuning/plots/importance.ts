import { axisX, axisY, barX, gridX, ruleX, text } from '@observablehq/plot';
import { largest } from '../../../constructs/parts/values/index.ts';
import { COLOURS } from '../../colours.ts';
import { percent, rankedParameters, whyUnknown } from '../importance.ts';
import type { DrawnSearch } from '../search.ts';
import { type Area, drawn, fitted, LABEL, LETTER, TITLE } from './pen.ts';
import type { DrawnNode } from './markup.ts';

const MARGIN = { marginRight: 40, marginTop: 34, marginBottom: 62 };
/** Where text begins that no axis is beside. */
const LEFT = 4;
const LONGEST_NAME = 132;
const LONGEST_METRIC = 90;
/** The height of a parameter, in pixels: few of them are not spread over all of the plot. */
const ROW = 26;
const LINE_HEIGHT = 1.3;
const TICKS = [0, 0.5, 1];

/** How much each parameter has to do with the results, or why that is not known. */
export const importancePlot = (search: DrawnSearch, area: Area): DrawnNode =>
  search.importance.known ? barsPlot(search, area) : reasonPlot(search, area);

const titleMark = (marginLeft: number) =>
  text(['Importance of the parameters'], { frameAnchor: 'top-left', dx: LEFT - marginLeft, dy: -18, ...TITLE });

function reasonPlot(search: DrawnSearch, { width, height }: Area): DrawnNode {
  // A letter is half as wide as it is high, and a line is counted in heights of one.
  const lineWidth = (width - MARGIN.marginRight) / (2 * LETTER);
  const reason = text([whyUnknown(search)], {
    frameAnchor: 'top-left',
    dy: 4,
    lineHeight: LINE_HEIGHT,
    lineWidth,
    ...LABEL,
  });
  return drawn({ width, height, ...MARGIN, marginLeft: LEFT, marks: [titleMark(LEFT), reason] });
}

/** A bar for each parameter, the longest first. */
function barsPlot(search: DrawnSearch, { width, height }: Area): DrawnNode {
  const bars = rankedParameters(search).map(({ name, share }) => ({
    name,
    share,
    words: percent(share),
    title: `${name}: a part in ${percent(share)} of the variation of ${search.metric}, alone or with other parameters`,
  }));
  const names = new Map(bars.map(({ name }) => [name, fitted(name, LONGEST_NAME)]));
  const marginLeft = 12 + LETTER * 1.1 * largest([...names.values()].map(({ length }) => length));
  return drawn({
    width,
    height: Math.min(height, MARGIN.marginTop + MARGIN.marginBottom + ROW * bars.length),
    ...MARGIN,
    marginLeft,
    x: { type: 'linear', domain: [0, 1], axis: null },
    y: { type: 'band', domain: bars.map(({ name }) => name), padding: 0.25, axis: null },
    marks: [
      titleMark(marginLeft),
      gridX({ ticks: TICKS }),
      axisX({ ticks: TICKS, tickFormat: percent, tickSize: 4, label: null, ...LABEL }),
      text([meaningOf(search)], {
        frameAnchor: 'bottom-left',
        lineAnchor: 'top',
        dx: LEFT - marginLeft,
        dy: 28,
        lineHeight: LINE_HEIGHT,
        ...LABEL,
      }),
      barX(bars, { x: 'share', y: 'name', fill: COLOURS.main, title: 'title' }),
      ruleX([0], { stroke: COLOURS.edge }),
      text(bars, { x: 'share', y: 'name', text: 'words', textAnchor: 'start', dx: 4, fill: COLOURS.text }),
      axisY({ tickFormat: (name: string) => names.get(name) ?? '', tickSize: 0, label: null, fill: COLOURS.text }),
    ],
  });
}

/** What a bar is a share of, and how far to trust it. */
function meaningOf({ importance, metric }: DrawnSearch): string {
  const explained = importance.known ? importance.explained : 0;
  return `share of the variation of ${fitted(metric, LONGEST_METRIC)}\nfrom ${importance.trials} trials, ${percent(explained)} of it explained`;
}
