import { instance } from '@viz-js/viz';
import { CliError } from '../errors.ts';
import type { Graph } from './graph.ts';
import { graphsDot } from './dot.ts';

/** The colours of `graphsDot`, and those that stand for them on a dark screen. */
const DARK: readonly (readonly [light: string, dark: string])[] = [
  ['#ffffff', '#0d1117'],
  ['#f0f4fa', '#17202e'],
  ['#3f6098', '#7aa2e3'],
  ['#1f2328', '#e6edf3'],
  ['#57606a', '#a5b0bc'],
  ['#6e7781', '#8b96a2'],
  ['#afb8c1', '#4b5563'],
];

const RULES = DARK.map(([light, dark]) => `[fill="${light}"]{fill:${dark}}[stroke="${light}"]{stroke:${dark}}`).join(
  '',
);

/** So many objects are laid out in some five seconds; the time grows faster than they do. */
const MOST_OBJECTS = 3_000;

/**
 * Graphs as an image, laid out by Graphviz.
 *
 * @throws CliError where there are more than 3,000 objects
 */
export async function graphsSvg(graphs: readonly Graph[]): Promise<string> {
  const objects = graphs.reduce((sum, { nodes }) => sum + nodes.length, 0);
  if (objects > MOST_OBJECTS) {
    throw new CliError(
      `an image is of at most ${MOST_OBJECTS} objects, and these are ${objects}: draw fewer resources at a time, or take -o dot`,
    );
  }
  const drawn = (await instance()).renderString(graphsDot(graphs), { format: 'svg' });
  const image = drawn.slice(drawn.indexOf('<svg'));
  return image.replace('>', `>\n<style>@media (prefers-color-scheme: dark){${RULES}}</style>`);
}
