import { escapeXml } from '../xml.ts';
import { largest, smallest } from '../../constructs/parts/values/index.ts';
import { onAxis, shown } from './search.ts';
import type { DrawnSearch, ParameterAxis, Point } from './search.ts';

const CHART = { width: 640, height: 280 };
const PANEL = { width: 200, height: 160 };
const MARGIN = 56;
const HEAD = 72;

interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A search as an image: its values over time, and below, for each parameter, what came of which value. */
export function searchSvg(search: DrawnSearch): string {
  const { points, axes, name, phase, metric, best } = search;
  const columns = Math.max(1, Math.floor((CHART.width + MARGIN) / (PANEL.width + MARGIN)));
  const rows = points.length === 0 ? 0 : Math.ceil(axes.length / columns);
  const width = CHART.width + 2 * MARGIN;
  const height = HEAD + CHART.height + MARGIN + rows * (PANEL.height + MARGIN);
  const panels = points.length === 0 ? [] : axes.map((axis, i) => panel(search, axis, placeOf(i, columns)));
  const summary = best ? `best: trial ${best.number}, ${metric}=${shown(best.value)}` : 'no trial has a value yet';
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12">
<rect width="100%" height="100%" fill="white"/>
<text x="${MARGIN}" y="28" font-size="18">${escapeXml(name)}</text>
<text x="${MARGIN}" y="48" fill="#555">${escapeXml(`${phase}; ${summary}`)}</text>
${[...(points.length === 0 ? [] : [course(search)]), ...panels].join('\n')}
</svg>
`;
}

const placeOf = (index: number, columns: number): Area => ({
  x: MARGIN + (index % columns) * (PANEL.width + MARGIN),
  y: HEAD + CHART.height + MARGIN + Math.floor(index / columns) * (PANEL.height + MARGIN),
  ...PANEL,
});

/** Values over trials, and the best so far as a line. */
function course(search: DrawnSearch): string {
  const { points, last, metric } = search;
  const area: Area = { x: MARGIN, y: HEAD, ...CHART };
  const across = (number: number) => onAxis(number, 1, last) ?? 1;
  const place = placing(area, points);
  const steps = points.map(({ number, best }, i) => {
    const { x, y } = place(across(number), best);
    return i === 0 ? `M${x},${y}` : `H${x}V${y}`;
  });
  return `<g>
${frame(area, points, 'trial 1', `trial ${last}`, metric)}
<path d="${steps.join('')}" fill="none" stroke="#d62728" stroke-width="1.5"/>
${points.map((point) => dot(place(across(point.number), point.value), point, search)).join('\n')}
</g>`;
}

/** What came of which value of a parameter. */
function panel(search: DrawnSearch, { name, from, to, at }: ParameterAxis, area: Area): string {
  const { points } = search;
  const place = placing(area, points);
  const dots = points.flatMap((point) => {
    const across = at(point.assignments[name] ?? '');
    return across === undefined ? [] : dot(place(across, point.value), point, search);
  });
  return `<g>
${frame(area, points, from, to, name)}
${dots.join('\n')}
</g>`;
}

/** Where a value stands in an area. */
function placing({ x, y, width, height }: Area, points: readonly Point[]) {
  const values = points.map(({ value }) => value);
  const [low, high] = [smallest(values), largest(values)];
  return (across: number, value: number) => ({
    x: rounded(x + across * width),
    y: rounded(y + (high === low ? 0.5 : (high - value) / (high - low)) * height),
  });
}

function dot({ x, y }: { x: number; y: number }, { number, value, assignments }: Point, { best, metric }: DrawnSearch) {
  const isBest = number === best?.number;
  const printed = [
    `trial ${number}`,
    `${metric}=${value}`,
    ...Object.entries(assignments).map((pair) => pair.join('=')),
  ];
  return `<circle cx="${x}" cy="${y}" r="${isBest ? 5 : 3}" fill="${isBest ? '#d62728' : '#1f77b4'}"><title>${escapeXml(printed.join('\n'))}</title></circle>`;
}

function frame(
  { x, y, width, height }: Area,
  points: readonly Point[],
  from: string,
  to: string,
  title: string,
): string {
  const values = points.map(({ value }) => value);
  return `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="none" stroke="#ccc"/>
<text x="${x}" y="${y - 6}">${escapeXml(title)}</text>
<text x="${x - 6}" y="${y + 10}" text-anchor="end" fill="#555">${shown(largest(values))}</text>
<text x="${x - 6}" y="${y + height}" text-anchor="end" fill="#555">${shown(smallest(values))}</text>
<text x="${x}" y="${y + height + 16}" fill="#555">${escapeXml(from)}</text>
<text x="${x + width}" y="${y + height + 16}" text-anchor="end" fill="#555">${escapeXml(to)}</text>`;
}

const rounded = (value: number): number => Math.round(value * 10) / 10;
