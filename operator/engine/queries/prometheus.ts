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

/** A sample of a metric that is wanted. It is valid until the function that takes it returns. */
export interface Sample {
  readonly metric: string;
  /** Finite: what says that it has no number is no sample. */
  readonly value: number;
  /** What stands between the braces, as it came; empty where there are none. */
  readonly labels: Buffer;
}

/**
 * Reads the samples of some metrics from Prometheus' text format as it comes in: it holds one line at most, and looks at
 * each byte once.
 *
 * What can't be read of a metric that is wanted is an error, not a sample less.
 */
export class SampleReader {
  readonly #wanted: readonly Buffer[];
  readonly #take: (sample: Sample) => void;
  #count = 0;
  readonly #lines = new Lines({
    line: (line) => this.#read(line),
    tooLong: (piece) => {
      if (piece !== undefined) throw new Error(`a line of the metrics is longer than ${LONGEST_LINE_BYTES} bytes`);
    },
  });

  constructor(metrics: readonly string[], take: (sample: Sample) => void) {
    this.#wanted = metrics.map((name) => Buffer.from(name));
    this.#take = take;
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
  end(): void {
    if (this.#lines.end()) throw new Error('the metrics end within a line: the rest of it is missing');
  }

  #read(line: Buffer): void {
    this.#count += 1;
    if (this.#count > MOST_LINES) throw new Error(`the metrics have more than ${MOST_LINES} lines`);
    const from = skipBlanks(line, 0);
    if (line[from] === HASH) return;
    const wanted = this.#wanted.find((name) => isOf(name, line, from));
    if (wanted === undefined) return;
    const metric = wanted.toString();
    const { text, labels } = partsOf(line, from + wanted.length);
    const value = Number(text);
    if (text === undefined || !(NO_NUMBER.test(text) || (NUMBER.test(text) && Number.isFinite(value)))) {
      throw new Error(`a sample of ${metric} can't be read`);
    }
    if (Number.isFinite(value)) this.#take({ metric, value, labels });
  }
}

/** Sums the samples of each of some metrics, over all their labels. A sum must not be less than there is. */
export class SampleSums {
  readonly #sums = new Map<string, number>();
  readonly #reader: SampleReader;

  constructor(metrics: readonly string[]) {
    this.#reader = new SampleReader(metrics, ({ metric, value }) => {
      this.#sums.set(metric, (this.#sums.get(metric) ?? 0) + value);
    });
  }

  /** @throws Error as {@link SampleReader.push} */
  push(bytes: Uint8Array): void {
    this.#reader.push(bytes);
  }

  /**
   * All has come.
   *
   * @throws Error as {@link SampleReader.end}
   */
  end(): Sums {
    this.#reader.end();
    return Object.fromEntries(this.#sums);
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

const NOTHING = Buffer.alloc(0);

/** The labels, whose values may hold anything, escaped, and what stands behind them; behind that there may be a time. */
function partsOf(line: Buffer, from: number): { readonly text?: string; readonly labels: Buffer } {
  const open = skipBlanks(line, from);
  const hasLabels = line[open] === BRACE;
  const labelsEnd = hasLabels ? endOfLabels(line, open + 1) : from;
  if (labelsEnd === undefined) return { labels: NOTHING };
  const labels = hasLabels ? line.subarray(open + 1, labelsEnd - 1) : NOTHING;
  const start = skipBlanks(line, labelsEnd);
  // Without labels, a space must separate the two.
  if (start === from) return { labels };
  let end = start;
  while (end < line.length && line[end] !== SPACE && line[end] !== TAB) end += 1;
  return end === start ? { labels } : { text: line.toString('latin1', start, end), labels };
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
