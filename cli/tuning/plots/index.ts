/** The plots of a search, as groups of an image. What draws them is loaded with this, and takes a moment. */
import { DARK_STYLE, COLOURS, IMAGE_CLASS } from '../../colours.ts';
import { escapeXml } from '../../xml.ts';
import type { DrawnSearch } from '../search.ts';
import { coursePlot } from './course.ts';
import { headOf } from './head.ts';
import { importancePlot } from './importance.ts';
import { legendPlot } from './legend.ts';
import { groupOf } from './markup.ts';
import { parameterPlot } from './parameter.ts';
import { metricScale } from './scales.ts';

const EDGE = 24;
const COLUMNS = 3;
const PANEL = { width: 290, height: 190 };
const COURSE = { width: 2 * PANEL.width, height: 310 };
const IMPORTANCE = { width: PANEL.width, height: COURSE.height };
const WIDTH = 2 * EDGE + COLUMNS * PANEL.width;
const LEGEND = { width: WIDTH - 2 * EDGE, height: 22 };
const LINE = 18;

/** A search as an image: its values over trials, how important parameters are, and what came of which value of each. */
export function imageOf(search: DrawnSearch): string {
  const { trials, axes, name } = search;
  const scale = metricScale(search);
  const { title, lines } = headOf(search, WIDTH - 2 * EDGE);
  const top = EDGE + 26 + LINE * lines.length;
  const groups: string[] = [];
  let height = top;
  if (trials.length > 0) {
    groups.push(
      groupOf(legendPlot(search, scale, LEGEND), EDGE, top),
      groupOf(coursePlot(search, scale, COURSE), EDGE, top + LEGEND.height),
      groupOf(importancePlot(search, IMPORTANCE), EDGE + COURSE.width, top + LEGEND.height),
    );
    height += LEGEND.height + COURSE.height;
    for (const [i, axis] of axes.entries()) {
      const [column, row] = [i % COLUMNS, Math.floor(i / COLUMNS)];
      groups.push(
        groupOf(parameterPlot(search, axis, scale, PANEL), EDGE + column * PANEL.width, height + row * PANEL.height),
      );
    }
    height += Math.ceil(axes.length / COLUMNS) * PANEL.height;
  }
  height += EDGE / 2;
  return `<svg xmlns="http://www.w3.org/2000/svg" class="${IMAGE_CLASS}" role="img" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" font-family="system-ui, sans-serif" font-size="13" color="${COLOURS.text}" fill="currentColor">
<title>${escapeXml(`Search ${name}`)}</title>
<desc>${escapeXml(lines.join('\n'))}</desc>
${DARK_STYLE}
<rect width="${WIDTH}" height="${height}" fill="${COLOURS.ground}"/>
<text x="${EDGE}" y="${EDGE + 14}" font-size="18" font-weight="600" fill="${COLOURS.text}">${escapeXml(title)}</text>
${lines.map((line, i) => `<text x="${EDGE}" y="${EDGE + 16 + LINE * (i + 1)}" fill="${COLOURS.muted}">${escapeXml(line)}</text>`).join('\n')}
${groups.join('\n')}
</svg>
`;
}
