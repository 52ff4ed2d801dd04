import { inLines } from '../output.ts';
import type { DrawnSearch } from './search.ts';

/** A search as an image in SVG, legible on light and dark screens. */
export async function searchSvg(search: DrawnSearch): Promise<string> {
  // What draws takes a quarter of a second to load, which text need not wait for.
  const { imageOf } = await import('./plots/index.ts');
  return imageOf(inLines(search));
}
