import { instance } from '@viz-js/viz';
import { DARK_STYLE, IMAGE_CLASS } from '../colours.ts';
import { CliError } from '../errors.ts';
import type { Graph } from './graph.ts';
import { graphsDot } from './dot.ts';

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
  return image.replace('>', ` class="${IMAGE_CLASS}">\n${DARK_STYLE}`);
}
