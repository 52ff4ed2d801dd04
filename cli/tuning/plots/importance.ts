import { axisX, axisY, barX, gridX, ruleX, text } from '@observablehq/plot';
import { largest } from '../../../constructs/parts/values/index.ts';
import { COLOURS } from '../../colours.ts';
import { percent, rankedParameters, whyUnknown } from '../importance.ts';
import type { DrawnSearch } from '../search.ts';
import { type Area, drawn, fitted, LABEL, LETTER, TITLE } from './pen.ts';
import type { DrawnNode } from './markup.ts';

const MARGIN = { marginRight: 40, marginTop: 34, marginBottom: 62 };
const LONGEST_NAME = 132;
/** The height of a parameter, in pixels: few of them are not spread over all of the plot. */
const ROW = 26;

/** How much each parameter has to do with the results. */
export function importancePlot(search: DrawnSearch, { width, height }: Area): DrawnNode {
  const { importance } = search;
  const bars = rankedParameters(search).map(({ name, share }) => ({
    name,
    share,
    words: percent(share),
    title: `${name}: a part in ${percent(share)} of the variation of ${search.metric}, alone or with other parameters`,
  }));
  const title = (marginLeft: number) =>
    text(['Importance of the parameters'], { frameAnchor: 'top-left', dx: 4 - marginLeft, dy: -18, ...TITLE });
  if (bars.length === 0) {
    const marginLeft = 4;
    return drawn({
      width,
      height,
      ...MARGIN,
      marginLeft,
      marks: [
        title(marginLeft),
        text([whyUnknown(search)], {
          frameAnchor: 'top-left',
          dy: 4,
          lineHeight: 1.3,
          lineWidth: (width - MARGIN.marginRight) / 11,
          ...LABEL,
        }),
      ],
    });
  }
  const trust = importance.known
    ? `share of the variation of ${fitted(search.metric, 90)}\nfrom ${importance.trials} trials, ${percent(importance.explained)} of it explained`
    : '';
  const names = new Map(bars.map(({ name }) => [name, fitted(name, LONGEST_NAME)]));
  const marginLeft = 12 + LETTER * 1.1 * largest([...names.values()].map(({ length }) => length));
  const used = Math.min(height, MARGIN.marginTop + MARGIN.marginBottom + ROW * bars.length);
  const ticks = [0, 0.5, 1];
  return drawn({
    width,
    height: used,
    ...MARGIN,
    marginLeft,
    x: { type: 'linear', domain: [0, 1], axis: null },
    y: { type: 'band', domain: bars.map(({ name }) => name), padding: 0.25, axis: null },
    marks: [
      title(marginLeft),
      gridX({ ticks }),
      axisX({
        ticks,
        tickFormat: percent,
        tickSize: 4,
        label: null,
        ...LABEL,
      }),
      text([trust], {
        frameAnchor: 'bottom-left',
        lineAnchor: 'top',
        dx: 4 - marginLeft,
        dy: 28,
        lineHeight: 1.3,
        ...LABEL,
      }),
      barX(bars, { x: 'share', y: 'name', fill: COLOURS.main, title: 'title' }),
      ruleX([0], { stroke: COLOURS.edge }),
      text(bars, { x: 'share', y: 'name', text: 'words', textAnchor: 'start', dx: 4, fill: COLOURS.text }),
      axisY({ tickFormat: (name: string) => names.get(name) ?? '', tickSize: 0, label: null, fill: COLOURS.text }),
    ],
  });
}
