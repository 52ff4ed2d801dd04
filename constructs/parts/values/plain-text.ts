/** How text of others becomes plain. */
export interface PlainTextOptions {
  /**
   * Whether it may have several lines: newlines and tabs stay as they are. Else they become spaces.
   *
   * @default false
   */
  readonly lines?: boolean;
  /**
   * Longest result, in UTF-16 code units. What is longer loses its end, and ends in `…`.
   *
   * @default Infinity
   */
  readonly max?: number;
}

/** What nobody sees, and what steers who shows it: controls, format characters, lone surrogates and noncharacters. */
const UNSEEN = String.raw`[[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]--[\u0600-\u0605\u06DD\u070F\u0890\u0891\u08E2\u{110BD}\u{110CD}]]`;

/** Letters and marks of the scripts whose spelling needs joiners and non-joiners, Persian and Hindi among them. */
const JOINING = String.raw`[[\p{L}\p{M}]&&[[\p{scx=Arab}\p{scx=Syrc}\p{scx=Mong}\p{scx=Deva}\p{scx=Beng}\p{scx=Guru}\p{scx=Gujr}\p{scx=Orya}\p{scx=Taml}\p{scx=Telu}\p{scx=Knda}\p{scx=Mlym}\p{scx=Sinh}\p{scx=Khmr}\p{scx=Mymr}]--\p{Default_Ignorable_Code_Point}]]`;

/**
 * What is replaced, the longest first. Each alternative begins with another character or is one character long, and looks
 * at no more than four beside it: the time is linear in the text.
 *
 * A joiner stays inside a word of such a script and inside an emoji, a variation selector behind what has variants: there
 * they are spelling. Anywhere else they only make two texts look the same that are not.
 */
// oxlint-disable-next-line trunnion/no-built-regexp -- from constants of this file alone, since it is too long for one line
const REPLACED = new RegExp(
  [
    // How programs colour their output. It says nothing by itself.
    String.raw`\u001B\[[\d;:]*m`,
    String.raw`\r\n`,
    String.raw`(?!(?<=${JOINING})[\u200C\u200D]${JOINING})` +
      String.raw`(?!(?<=\p{Extended_Pictographic}[\p{Emoji_Modifier}\uFE0F]?)\u200D\p{Extended_Pictographic})` +
      String.raw`(?!(?<=\p{Extended_Pictographic})[\uFE0E\uFE0F]|(?<=[0-9#*])\uFE0F\u20E3)` +
      String.raw`(?!(?<=\p{Unified_Ideograph})\p{Variation_Selector}|(?<=[\p{L}&&\p{sc=Mong}])\p{Variation_Selector})` +
      UNSEEN,
  ].join('|'),
  'gv',
);

/** All that most texts are made of. */
const ONLY_ASCII = /^[ -~]*$/;
const ONLY_ASCII_LINES = /^[\n\t -~]*$/;

const SPACE = 0x20;
const DELETE = 0x7f;
/** Unicode has a picture of each C0 control, from here on. */
const PICTURES = 0x24_00;
const PICTURE_OF_DELETE = '\u2421';
/** For what has no picture of its own: `�`. */
const REPLACEMENT = '\uFFFD';
const ELLIPSIS = '…';

/**
 * Text of others as text and nothing else: it can't steer a terminal, turn around what stands beside it, or hide.
 *
 * A control is shown by its picture (`␛`, `␇`), and whatever else nobody sees by `�`, one character for one. Colours are
 * left out. Letters of all scripts stay, those that are written from right to left included. What is plain already is
 * returned as it is.
 */
export function plainText(text: string, { lines = false, max = Infinity }: PlainTextOptions = {}): string {
  const kept = cut(text, max);
  if ((lines ? ONLY_ASCII_LINES : ONLY_ASCII).test(kept)) return kept;
  return kept.replaceAll(REPLACED, (found) => replacementOf(found, lines));
}

/** The same for every text in data as JSON has it, names of fields included. What is nested too deep is left out. */
export function plainValues<T>(value: T, options: PlainTextOptions = {}): T {
  return valuesOf(value, options, 0) as T;
}

/**
 * A text in JSON or another notation whose strings have escapes, with an escape in place of all that `plainText` would
 * replace: it means the same, and is plain.
 *
 * @param escape - writes a code point
 * @default escape - as JSON does
 */
export const escapeUnseen = (text: string, escape: (codePoint: number) => string = jsonEscape): string =>
  ONLY_ASCII_LINES.test(text)
    ? text
    : text.replaceAll(REPLACED, (found) => {
        const code = found.codePointAt(0) ?? 0;
        // Notations have no such controls in strings, but newlines between them.
        return code < SPACE ? found : escape(code);
      });

/** Whether there is nothing to replace in a text but newlines and tabs. */
export const isPlain = (text: string): boolean => plainText(text, { lines: true }) === text;

function replacementOf(found: string, lines: boolean): string {
  if (found === '\n' || found === '\t') return lines ? found : ' ';
  if (found === '\r\n') return lines ? '\n' : ' ';
  if (found === '\r' && !lines) return ' ';
  if (found.startsWith('\u001B[')) return '';
  const code = found.codePointAt(0) ?? 0;
  if (code < SPACE) return String.fromCodePoint(PICTURES + code);
  return code === DELETE ? PICTURE_OF_DELETE : REPLACEMENT;
}

/** The beginning of a text; no pair of surrogates is torn apart. */
function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  const end = Math.max(0, Math.floor(max) - ELLIPSIS.length);
  const last = text.charCodeAt(end - 1);
  const isTorn = last >= 0xd8_00 && last <= 0xdb_ff;
  return max < 1 ? '' : `${text.slice(0, isTorn ? end - 1 : end)}${ELLIPSIS}`;
}

/** Deeper than any status is. */
const DEEPEST = 64;

function valuesOf(value: unknown, options: PlainTextOptions, depth: number): unknown {
  if (typeof value === 'string') return plainText(value, options);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= DEEPEST) return ELLIPSIS;
  if (Array.isArray(value)) return value.map((item) => valuesOf(item, options, depth + 1));
  // A number that JavaScript can't hold comes as an object without a prototype.
  if (Object.getPrototypeOf(value) === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => [plainText(key, options), valuesOf(field, options, depth + 1)]),
  );
}

function jsonEscape(codePoint: number): string {
  const units = String.fromCodePoint(codePoint).split('');
  return units.map((unit) => String.raw`\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
}
