import { plot, type PlotOptions } from '@observablehq/plot';
// All of it in one file, which loads five times as fast.
import { parseHTML } from 'linkedom/worker';
import { COLOURS } from '../../colours.ts';
import { largest, plainText } from '../../../constructs/parts/values/index.ts';
import type { DrawnNode } from './markup.ts';
import type { NumberScale } from './scales.ts';

/** Where a plot stands in its image, in pixels. */
export interface Area {
  readonly width: number;
  readonly height: number;
}

/** How wide a letter is, in pixels, at the size of a plot's text, and at that of its title. */
export const LETTER = 6;
const TITLE_LETTER = 7.5;

/** Text that fits into so many pixels, about. */
export const fitted = (text: string, width: number, letter = LETTER): string =>
  plainText(text, { max: Math.max(4, Math.floor(width / letter)) });

/** A title above a plot, with what is said in any case. */
export const titleText = (title: string, rest: string, width: number): string =>
  `${fitted(title, width - TITLE_LETTER * rest.length, TITLE_LETTER)}${rest}`;

/** How the title of a plot looks. */
export const TITLE = { fontSize: 12, fontWeight: 600, fill: COLOURS.text } as const;

/** Draws without a browser. */
export function drawn(options: PlotOptions): DrawnNode {
  const { document } = parseHTML('<html></html>');
  return plot({ document, ...options });
}

/**
 * An axis of numbers, as the library takes it.
 *
 * @param room - how wide it is, where labels stand one beside the other
 */
export function axisOptions({ type, domain, ticks, label }: NumberScale, room: number = Infinity) {
  const longest = largest((typeof ticks === 'number' ? domain : ticks).map((tick) => label(tick).length));
  const most = Math.max(2, Math.floor(room / (LETTER * (longest + 1.5))));
  const every = typeof ticks === 'number' ? 1 : Math.max(1, Math.ceil(ticks.length / most));
  return {
    type,
    domain: [...domain],
    ticks: typeof ticks === 'number' ? Math.min(ticks, most) : ticks.filter((_, i) => i % every === 0),
    tickFormat: label,
  };
}

/** Of a colour of its own, so that it can have another on a dark screen. */
export const LABEL = { fill: COLOURS.muted } as const;
