import { Lines, LONGEST_LINE_BYTES } from './lines.ts';

/** Sums of samples, by the names of their metrics; without those of which there is no sample. */
type Sums = Readonly<Record<string, number>>;

const BACKSLASH = 92;
const BRACE = 123;
const END_BRACE = 125;
const QUOTE = 34;
const HASH = 35;
const SPACE = 32;
const TAB = 9;

/** Most lines that are read. An engine has some 5,000; each costs more than its bytes. */
const MOST_LINES = 20_000;

/** A number in decimal digits: all that engines print. */
const NUMBER = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?$/i;

/** How a sample says that it has no number. */
const NO_NUMBER = /^(?:NaN|[-+]?Inf)$/i;

/**
 * Sums the samples of each of some metrics, over all their labels, from Prometheus' text format as it comes in: it holds
 * one line at most, and looks at each byte once.
 *
 * A sum must not be less than there is: what can't be read of a metric that is wanted is an error, not a sample less.
 */
export class SampleSums {
  readonly #sums = new Map<string, number>();
  readonly #wanted: readonly Buffer[];
  #count = 0;
  readonly #lines = new Lines({
    line: (line) => this.#read(line),
    tooLong: (piece) => {
      if (piece !== undefined) throw new Error(`a line of the metrics is longer than ${LONGEST_LINE_BYTES} bytes`);
    },
  });

  constructor(metrics: readonly string[]) {
    this.#wanted = metrics.map((name) => Buffer.from(name));
  }

  /** @throws Error where a sample that is wanted can't be read, or a line is too long */
  push(bytes: Uint8Array): void {
    this.#lines.push(bytes);
  }

  /**
   * All has come.
   *
   * @throws Error as `push`, and where it ends within a line: the rest of a number may be missing
   */
  end(): Sums {
    if (this.#lines.end()) throw new Error('the metrics end within a line: the rest of it is missing');
    return Object.fromEntries(this.#sums);
  }

  #read(line: Buffer): void {
    this.#count += 1;
    if (this.#count > MOST_LINES) throw new Error(`the metrics have more than ${MOST_LINES} lines`);
    const from = skipBlanks(line, 0);
    if (line[from] === HASH) return;
    const wanted = this.#wanted.find((name) => isOf(name, line, from));
    if (wanted === undefined) return;
    const name = wanted.toString();
    const text = valueIn(line, from + wanted.length);
    const value = Number(text);
    if (text === undefined || !(NO_NUMBER.test(text) || (NUMBER.test(text) && Number.isFinite(value)))) {
      throw new Error(`a sample of ${name} can't be read`);
    }
    if (Number.isFinite(value)) this.#sums.set(name, (this.#sums.get(name) ?? 0) + value);
  }
}

/**
 * Whether a sample is of a metric, and not of one whose name continues. A name within the braces (`{"name"}`) counts as well:
 * there it can't be read, and must not be passed over.
 */
function isOf(name: Buffer, line: Buffer, from: number): boolean {
  if (line[from] === BRACE) return line.includes(`"${name.toString()}"`);
  for (let at = 0; at < name.length; at += 1) if (line[from + at] !== name[at]) return false;
  return !isOfName(line[from + name.length] ?? SPACE);
}

/** A letter, a digit, "_" or ":". */
const isOfName = (byte: number): boolean =>
  (byte >= 97 && byte <= 122) || (byte >= 65 && byte <= 90) || (byte >= 48 && byte <= 58) || byte === 95;

/** What stands behind the labels, whose values may hold anything, escaped; behind it there may be a time. */
function valueIn(line: Buffer, from: number): string | undefined {
  const labels = skipBlanks(line, from);
  const labelsEnd = line[labels] === BRACE ? endOfLabels(line, labels + 1) : from;
  if (labelsEnd === undefined) return undefined;
  const start = skipBlanks(line, labelsEnd);
  // Without labels, a space must separate the two.
  if (start === from) return undefined;
  let end = start;
  while (end < line.length && line[end] !== SPACE && line[end] !== TAB) end += 1;
  return end === start ? undefined : line.toString('latin1', start, end);
}

function skipBlanks(line: Buffer, from: number): number {
  let at = from;
  while (line[at] === SPACE || line[at] === TAB) at += 1;
  return at;
}

function endOfLabels(line: Buffer, from: number): number | undefined {
  let isQuoted = false;
  for (let at = from; at < line.length; at += 1) {
    if (isQuoted && line[at] === BACKSLASH) at += 1;
    else if (line[at] === QUOTE) isQuoted = !isQuoted;
    else if (!isQuoted && line[at] === END_BRACE) return at + 1;
  }
  return undefined;
}
