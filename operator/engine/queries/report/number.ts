/** What a program has said of a metric at one place. */
export type Reading =
  /** NaN where it says that there is no number: nan, inf, None. */
  | { readonly value: number }
  /** Something like a number that can be read in more than one way, or not at all. */
  | { readonly unclear: string }
  /** Words. */
  | undefined;

/** Longest number that is read, in characters. JavaScript, Python and Go print no float in more than 25. */
export const LONGEST_NUMBER = 64;

const NUMBER = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?/;
const NO_NUMBER = /^[-+\u2212]?(?:nan|infinity|inf|none|null|undefined|n\/a|na|<na>|\u221e)(?![\p{L}\p{N}_])/iu;
/** What is not a plain number, and must not be taken for words, behind which an earlier value would stand. */
const LIKE_A_NUMBER: readonly RegExp[] = [
  // A digit of any script, perhaps behind a sign or two: "$5", "~0.9", "(3".
  /^[^\p{L}\p{N}\s]{0,4}\p{N}/u,
  // Behind a bracket or a sign, and a space: "[ 0.91]", "- 0.5".
  /^(?:[([{]{1,4}|[-+\u2212])\s{1,4}[^\p{L}\p{N}\s]{0,4}\p{N}/u,
  // How Python shows what its libraries have: "tensor(0.91)", "array([0.91])", "Decimal('0.91')", "b'0.91'".
  /^[A-Za-z_][\w.]{0,31}[([]{1,4}\s{0,4}["']?[-+]?[\d.]/,
  /^[A-Za-z]{1,2}["'][-+]?[\d.]/,
  // And in angles: "<tf.Tensor: shape=(), numpy=0.91>", "<b>0.91</b>".
  /^<[A-Za-z][^\d]{0,64}\d/,
];
/** A group of thousands behind a space: "1 234.5". */
const GROUP = /^ \d{3}(?!\d)/;
const QUOTES = '"\'`';

/** What may end a number whatever follows. */
const ENDS = ')]}>|<';
/** What ends a number unless digits follow, as they do in "1,234", "12:30", "1'234". */
const ENDS_WITHOUT_DIGITS = ',;:!?"\'`';
/** What makes another number of one: a part of a hundred or of something else. */
const GOES_ON = '/%\u066a\u2030\u2031\uff05';
/** So much is looked at behind a number. */
const BEHIND = 24;
/** Behind spaces, words can do it too, and a second number that takes the place of the first. */
const GOES_ON_BEHIND_SPACES: readonly RegExp[] = [
  // "0.5 e-3", "0.5 x 10^-3".
  /^[eE][-+\u2212\u2013]?\d{1,4}(?![\w.=:])/,
  /^[x*\u00d7\u22c5\u00b7]\s?10(?![\w.=:])/,
  // "1.5 k", "2 million", "93 percent". What has a value of its own is the next name.
  /^(?:[kKMGT]|thousand|million|billion|percent|per cent|pct)(?![\p{L}\p{N}_=:.])/u,
  // "45 of 50".
  /^(?:out )?of \d/,
  // "0.5 -> 0.6".
  /^(?:[-=]>|\u2192|\u21d2)\s{0,4}[-+]?[\d.]/,
];

/**
 * Reads the value at a place of a line. It looks at no more than some 80 characters.
 *
 * @param at - where the value begins
 */
export function readingAt(line: string, at: number): Reading {
  const quote = QUOTES.includes(line[at] ?? ' ') ? line[at] : undefined;
  const from = quote === undefined ? at : at + 1;
  const text = line.slice(from, from + LONGEST_NUMBER + 1);
  if (NO_NUMBER.test(text)) return { value: Number.NaN };
  const [number] = NUMBER.exec(text) ?? [];
  if (number === undefined) return matchesAny(LIKE_A_NUMBER, text) ? unclear(text) : undefined;
  const rest = line.slice(from + number.length, from + number.length + BEHIND);
  const isRead =
    number.length <= LONGEST_NUMBER && (quote === undefined ? isEnd(rest, number) : rest.startsWith(quote));
  if (!isRead) return unclear(text);
  const value = Number(number);
  // A zero of either sign is one zero: JSON knows no other.
  return { value: Number.isFinite(value) ? value + 0 : Number.NaN };
}

/** With a second word where that may be of the same number. */
const unclear = (text: string): Reading => ({ unclear: /^\S+(?:\s[\d%]\S*)?/.exec(text)?.[0] ?? text.trim() });

/** Whether a number ends where `rest` begins. */
function isEnd(rest: string, number: string): boolean {
  const [first = '', second = ''] = rest;
  if (first === '') return true;
  if (GOES_ON.includes(first)) return false;
  // Other spaces than those of ASCII group digits: figure space, thin space, no-break spaces.
  if (/\s/.test(first) && first.charCodeAt(0) > 127 && isDigit(second)) return false;
  if (/\s/.test(first)) return !(isGroup(rest, number) || goesOn(rest.trimStart()));
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

const goesOn = (next: string): boolean => GOES_ON.includes(next[0] ?? ' ') || matchesAny(GOES_ON_BEHIND_SPACES, next);

const matchesAny = (patterns: readonly RegExp[], text: string): boolean =>
  patterns.some((pattern) => pattern.test(text));

const isDigit = (character: string): boolean => /^\p{N}/u.test(character);
