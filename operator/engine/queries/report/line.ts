import { LONGEST_NUMBER, type Reading, readingAt } from './number.ts';

/** What a line says of a metric, and where. */
export interface Place {
  /** Undefined where the name stands there, and no number behind it. */
  readonly reading: Reading;
  /** Index of the name in the line. */
  readonly at: number;
}

/** Of names of metrics, and of what names continue with. */
const OF_NAMES = /[\w.\-/@]/;
const LETTER_OR_DIGIT = /[\p{L}\p{N}]$/u;

/**
 * What a line says of a metric, in its order: `val_accuracy=0.93`, `val_accuracy: 0.93`, `{'val_accuracy': 0.93}`, or a JSON
 * object with the key, behind a prefix too. Of a JSON object, and of its texts, what is nested deeper does not count.
 *
 * The time that it takes is in proportion to the length of the line.
 */
export function placesIn(line: string, metric: string): readonly Place[] {
  const start = line.indexOf('{');
  const end = line.lastIndexOf('}') + 1;
  const object = start === -1 ? undefined : jsonOf(line.slice(start, end));
  if (object === undefined) return placesInText(line, metric);
  const before = placesInText(line.slice(0, start), metric);
  const behind = placesInText(line.slice(end), metric).map(({ reading, at }) => ({ reading, at: end + at }));
  return [...before, ...placesInObject(object, metric, line, start), ...behind];
}

function placesInObject(
  object: Readonly<Record<string, unknown>>,
  metric: string,
  line: string,
  start: number,
): readonly Place[] {
  const at = Math.max(line.indexOf(metric, start), start);
  if (Object.hasOwn(object, metric)) return [{ reading: readingOf(object[metric]), at }];
  // What a logger wraps: {"level": "info", "message": "val_accuracy=0.93"}.
  const texts = Object.values(object).filter((value) => typeof value === 'string' && value.includes(metric));
  const places = (texts as readonly string[]).flatMap((text) => placesInText(text, metric));
  return places.length > 0 ? places.map(({ reading }) => ({ reading, at })) : [{ reading: undefined, at }];
}

function readingOf(value: unknown): Reading {
  if (typeof value === 'number') return { value: Number.isFinite(value) ? value + 0 : Number.NaN };
  if (value === null) return { value: Number.NaN };
  // As in other text: numbers in a list are no plain number, and no words.
  if (Array.isArray(value)) return readingOf(value.flat(3)[0]) === undefined ? undefined : { unclear: 'a list' };
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  return readingAt(text, 0);
}

function placesInText(text: string, metric: string): readonly Place[] {
  const places: Place[] = [];
  let depth = 0;
  for (let at = text.indexOf(metric), seen = 0; at !== -1;) {
    depth += bracesIn(text, seen, at);
    seen = at;
    let end = at + metric.length;
    while (OF_NAMES.test(text[end] ?? ' ')) end += 1;
    if (isWhole(text, at, end, metric)) places.push({ reading: readingAfter(text, at, end, depth), at });
    // What begins within these characters is the end of a longer name.
    at = text.indexOf(metric, end);
  }
  return places;
}

/** How many more braces are opened than closed in a part of a text. */
function bracesIn(text: string, from: number, to: number): number {
  let depth = 0;
  for (let at = from; at < to; at += 1) {
    if (text[at] === '{') depth += 1;
    else if (text[at] === '}') depth -= 1;
  }
  return depth;
}

const isWhole = (text: string, at: number, end: number, metric: string): boolean =>
  end === at + metric.length &&
  !(at > 0 && OF_NAMES.test(text[at - 1] ?? '')) &&
  !LETTER_OR_DIGIT.test(text.slice(Math.max(0, at - 2), at));

/**
 * What stands behind a name, which may be quoted, and "=" or ":".
 *
 * @param depth - in how many objects it stands
 */
function readingAfter(text: string, at: number, end: number, depth: number): Reading {
  const quote = text[at - 1];
  const isKey = (quote === '"' || quote === "'") && text[end] === quote;
  if (isKey && depth > 1) return undefined;
  const separator = skipSpaces(text, isKey ? end + 1 : end);
  if (text[separator] !== '=' && text[separator] !== ':') return undefined;
  const value = skipSpaces(text, separator + 1);
  return isKey && depth > 0 && isCutOff(text, value) ? { unclear: text.slice(value) } : readingAt(text, value);
}

/** Whether the line ends with the value, and not with its object: the rest of the number may be missing. */
const isCutOff = (text: string, value: number): boolean =>
  text.length - value <= LONGEST_NUMBER && !/[,}]/.test(text.slice(value));

function skipSpaces(text: string, from: number): number {
  let at = from;
  while (/\s/.test(text[at] ?? '')) at += 1;
  return at;
}

/** Python writes NaN and Infinity into JSON, which are none of its values. */
function jsonOf(text: string): Readonly<Record<string, unknown>> | undefined {
  if (text.length < 2) return undefined;
  try {
    return JSON.parse(text.replaceAll(/:\s{0,8}(?:NaN|-?Infinity)\b/g, ': null')) as Readonly<Record<string, unknown>>;
  } catch {
    return undefined;
  }
}
