import { escapeXml } from '../xml.ts';
import { largest } from '../../constructs/parts/values/index.ts';
import type { Graph, GraphNode } from './graph.ts';

const MARGIN = 24;
const HEAD = 56;
/** Between columns there is room for the arrows. */
const COLUMN_GAP = 72;
const ROW_GAP = 16;
const LINE = 16;
const PADDING = 12;
const FONT = 12;
const TITLE_FONT = 16;
/** The width of a character of a monospaced font, as a part of its size. */
const CHARACTER = 0.6;

interface Box {
  readonly node: GraphNode;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Graphs as an image, one below the other: what waits for nothing at the left, and arrows to what waits for it. */
export function graphsSvg(graphs: readonly Graph[]): string {
  const parts = graphs.map((graph) => ({ graph, boxes: boxesOf(graph) }));
  const heights = parts.map(
    ({ boxes }) =>
      HEAD +
      largest(
        boxes.map(({ y, height }) => y + height),
        0,
      ) +
      MARGIN,
  );
  const tops = heights.map((_, index) => heights.slice(0, index).reduce((sum, height) => sum + height, 0));
  const titles = graphs.map((graph) => titleOf(graph).length * TITLE_FONT * CHARACTER);
  const rights = parts.flatMap(({ boxes }) => boxes.map(({ x, width }) => x + width));
  const width = Math.ceil(2 * MARGIN + largest([...titles, ...rights]));
  const height = heights.reduce((sum, each) => sum + each, 0);
  const sections = parts.map(({ graph, boxes }, index) => section(graph, boxes, tops[index] ?? 0));
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="monospace" font-size="${FONT}">
<defs><marker id="arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path d="M0,0L8,4L0,8z" fill="#888"/></marker></defs>
<rect width="100%" height="100%" fill="white"/>
${sections.join('\n')}
</svg>
`;
}

const titleOf = ({ kind, namespace, name }: Graph): string => `${kind} ${namespace}/${name}`;

function section(graph: Graph, boxes: readonly Box[], top: number): string {
  const byId = new Map(boxes.map((box) => [box.node.id, box]));
  const arrows = boxes.flatMap((box) => box.node.after.flatMap((id) => arrow(byId.get(id), box)));
  return `<g transform="translate(${MARGIN},${top})">
<text y="32" font-size="${TITLE_FONT}" font-weight="bold">${escapeXml(titleOf(graph))}</text>
<g transform="translate(0,${HEAD})">
${[...arrows, ...boxes.map(drawn)].join('\n')}
</g>
</g>`;
}

/** Columns are waves; in a column, objects stand in the order in which they are made. */
function boxesOf({ nodes }: Graph): readonly Box[] {
  const columns = [...Map.groupBy(nodes, ({ wave }) => wave)].toSorted(([a], [b]) => a - b);
  let x = 0;
  return columns.flatMap(([, members]) => {
    const width =
      Math.ceil(largest(members.flatMap(linesOf).map(({ length }) => length)) * FONT * CHARACTER) + 2 * PADDING;
    let y = 0;
    const boxes = members.map((node): Box => {
      const box = { node, x, y, width, height: linesOf(node).length * LINE + PADDING };
      y += box.height + ROW_GAP;
      return box;
    });
    x += width + COLUMN_GAP;
    return boxes;
  });
}

const linesOf = ({ kind, name, notes }: GraphNode): readonly string[] => [kind, name, ...notes];

function drawn({ node, x, y, width, height }: Box): string {
  const [kind = '', ...rest] = linesOf(node);
  const line = (text: string, index: number, style: string) =>
    `<text x="${x + PADDING}" y="${y + (index + 1) * LINE}" ${style}>${escapeXml(text)}</text>`;
  const dashes = node.notes.length > 0 ? ' stroke-dasharray="4 2"' : '';
  return `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="4" fill="#f4f7fb" stroke="#4a6fa5"${dashes}/>
${[line(kind, 0, 'font-weight="bold"'), ...rest.map((text, index) => line(text, index + 1, 'fill="#444"'))].join('\n')}`;
}

/** From the right of what must be ready to the left of what waits for it. */
function arrow(from: Box | undefined, to: Box): readonly string[] {
  if (from === undefined) return [];
  const [x1, y1] = [from.x + from.width, from.y + from.height / 2];
  const [x2, y2] = [to.x, to.y + to.height / 2];
  // Bends within the gap, so that it crosses a box of a column between as straight as can be.
  const bend = COLUMN_GAP / 2;
  return [
    `<path d="M${x1},${y1}C${x1 + bend},${y1} ${x2 - bend},${y2} ${x2},${y2}" fill="none" stroke="#888" marker-end="url(#arrow)"/>`,
  ];
}
