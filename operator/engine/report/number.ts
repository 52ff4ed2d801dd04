/** What a program has said of a metric at one place. */
export type Said =
  /** NaN where it says that there is no number: nan, inf, None. */
  | { readonly value: number }
  /** Something like a number that can be read in more than one way, or not at all. */
  | { readonly unclear: string }
  /** Words. */
  | undefined;

/** Longest number that is read, in characters. JavaScript, Python and Go print no float in more than 25. */
export const LONGEST_NUMBER = 64;

const NUMBER = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?/;
const NO_NUMBER = /^[-+]?(?:nan|infinity|inf|none|null)(?![\p{L}\p{N}_])/iu;
/** A digit of any script, perhaps behind a sign or two: "$5", "~0.9", "(3". */
const LIKE_A_NUMBER = /^[^\p{L}\p{N}\s]{0,4}\p{N}/u;
/** How Python shows numbers of its libraries: "np.float64(0.91)", "tensor(0.91)". */
const IN_A_CALL = /^[A-Za-z_][\w.]{0,31}\([-+]?[\d.]/;
/** A group of thousands behind a space: "1 234.5". */
const GROUP = /^ \d{3}(?!\d)/;
const QUOTES = '"\'`';

/** What may end a number whatever follows. */
const ENDS = ')]}>|<';
/** What ends a number unless digits follow, as they do in "1,234", "12:30", "1'234". */
const ENDS_WITHOUT_DIGITS = ',;:!?"\'`';
/** Spaces that group digits: figure space, thin space, no-break spaces. */
const GROUPING_SPACES = '\u00a0\u2007\u2009\u202f';
/** What makes another number of one, behind spaces too: a part of a hundred or of something else. */
const GOES_ON = '/%\u066a\u2030\uff05';

/**
 * Reads the value at a place of a line. It looks at no more than some 80 characters.
 *
 * @param at - where the value begins
 */
export function saidAt(line: string, at: number): Said {
  const quote = QUOTES.includes(line[at] ?? ' ') ? line[at] : undefined;
  const from = quote === undefined ? at : at + 1;
  const text = line.slice(from, from + LONGEST_NUMBER + 1);
  if (NO_NUMBER.test(text)) return { value: Number.NaN };
  const [number] = NUMBER.exec(text) ?? [];
  if (number === undefined) return LIKE_A_NUMBER.test(text) || IN_A_CALL.test(text) ? unclear(text) : undefined;
  const rest = line.slice(from + number.length, from + number.length + 8);
  const isRead =
    number.length <= LONGEST_NUMBER && (quote === undefined ? isEnd(rest, number) : rest.startsWith(quote));
  if (!isRead) return unclear(text);
  const value = Number(number);
  // A zero of either sign is one zero: JSON knows no other.
  return { value: Number.isFinite(value) ? value + 0 : Number.NaN };
}

/** With a second word where that may be of the same number. */
const unclear = (text: string): Said => ({ unclear: /^\S+(?:\s[\d%]\S*)?/.exec(text)?.[0] ?? text.trim() });

/** Whether a number ends where `rest` begins. */
function isEnd(rest: string, number: string): boolean {
  const [first = '', second = ''] = rest;
  if (first === '') return true;
  if (GOES_ON.includes(first)) return false;
  if (GROUPING_SPACES.includes(first)) return !isDigit(second);
  if (/\s/.test(first)) return !(isGroup(rest, number) || GOES_ON.includes(rest.trimStart()[0] ?? ' '));
  if (ENDS.includes(first)) return true;
  if (ENDS_WITHOUT_DIGITS.includes(first)) return !isDigit(second) && !(second === '.' && isDigit(rest[2] ?? ''));
  // The end of a sentence.
  if (first === '.') return second === '' || /[\s"'`)\]}<]/.test(second);
  // An end of a line inside of a text.
  if (first === '\\') return 'nrt"'.includes(second) && second !== '';
  return first !== '\u2026' && first.charCodeAt(0) > 127 && /\p{P}/u.test(first) && !isDigit(second);
}

/** Whether "1" and " 234" may be one number, written as some countries do. */
const isGroup = (rest: string, number: string): boolean => GROUP.test(rest) && /^[-+]?\d{1,3}$/.test(number);

const isDigit = (character: string): boolean => /^\p{N}/u.test(character);
