import { plainText } from '../../../constructs/parts/values/index.ts';
import { wrapped } from '../../layout.ts';
import { type DrawnSearch, progressOf, shown } from '../search.ts';

/** How wide a letter of these lines is, in pixels. */
const LETTER = 7.4;
/** The best trial of 16 parameters is told in so many lines, or in a part. */
const MOST_LINES = 3;

/** What is told above the plots of a search, in lines that are no wider than so many pixels. */
export function headOf(
  search: DrawnSearch,
  width: number,
): { readonly title: string; readonly lines: readonly string[] } {
  const { name, goal, metric, target, best } = search;
  const max = Math.floor(width / LETTER);
  const limit = target === undefined ? '' : `, target ${shown(target)}`;
  const assigned = Object.entries(best?.assignments ?? {}).map((pair) => pair.join('='));
  const lines = [
    `${progressOf(search)}; ${goal} ${metric}${limit}`,
    best === undefined
      ? 'no trial has a value yet'
      : `best: trial ${best.number}, ${metric}=${shown(best.value)} with ${assigned.join(' ')}`,
  ].flatMap((line) => limited(wrapped(line, max)));
  return { title: plainText(name, { max: 80 }), lines: lines.map((line) => plainText(line, { max })) };
}

const limited = (lines: readonly string[]): readonly string[] =>
  lines.length > MOST_LINES ? [...lines.slice(0, MOST_LINES - 1), `${lines[MOST_LINES - 1] ?? ''} …`] : lines;
