/** Words of others may be long; a condition is to be read. In characters. */
export const LONGEST_QUOTE = 600;

const ELLIPSIS = '…';

/** A text whose end is left out where it is longer than `max` characters, between two words as far as there are some. */
export function begun(text: string, max: number): string {
  if (text.length <= max) return text;
  const kept = text.slice(0, max - 1);
  const space = text[max - 1] === ' ' ? kept.length : kept.lastIndexOf(' ');
  return `${whole(space > 0 ? kept.slice(0, space) : kept)}${ELLIPSIS}`;
}

/** A text whose beginning is left out where it is longer than `max` characters, between two words as far as there are some. */
export function ended(text: string, max: number): string {
  if (text.length <= max) return text;
  const kept = text.slice(text.length - max + 1);
  const space = text[text.length - max] === ' ' ? -1 : kept.indexOf(' ');
  const isWord = space < 0 && text[text.length - max] !== ' ';
  return `${ELLIPSIS}${whole(isWord || space === kept.length - 1 ? kept : kept.slice(space + 1))}`;
}

/** A text whose middle is left out where it is longer than `max` characters: a third of it is its beginning. */
export function fitted(text: string, max: number): string {
  if (text.length <= max) return text;
  const head = begun(text, Math.floor(max / 3));
  return `${head} ${ended(text, max - head.length - 1).slice(ELLIPSIS.length)}`;
}

/** Without half a character at either end. */
const whole = (text: string): string => text.replace(/^[\uDC00-\uDFFF]/, '').replace(/[\uD800-\uDBFF]$/, '');
