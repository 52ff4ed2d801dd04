import { plainText } from '../../constructs/parts/values/index.ts';
import type { Io, Style } from '../io.ts';
import type { Line } from './lines.ts';
import type { Source } from './sources.ts';

/** Neighbours differ. */
const STYLES: readonly Style[] = ['cyan', 'yellow', 'green', 'magenta', 'blue'];

/**
 * Writes lines behind the label of whom they are of; labels are as wide as the widest so far. What pods say is plain text,
 * so that no line of theirs begins before its label.
 */
export class Prefixer {
  readonly #io: Pick<Io, 'paint'>;
  readonly #timestamps: boolean;
  readonly #raw: boolean;
  readonly #styles = new Map<string, Style>();
  #width = 0;

  /**
   * @param timestamps - whether each line begins with its time
   * @param raw - whether what pods say is left as it is
   */
  constructor(io: Pick<Io, 'paint'>, timestamps: boolean, raw = false) {
    this.#io = io;
    this.#timestamps = timestamps;
    this.#raw = raw;
  }

  /** Takes note of whom lines may be of. */
  add({ label }: Pick<Source, 'label'>): void {
    this.#width = Math.max(this.#width, label.length);
    if (!this.#styles.has(label)) this.#styles.set(label, STYLES[this.#styles.size % STYLES.length] ?? 'cyan');
  }

  line({ label }: Pick<Source, 'label'>, { at, text }: Line): string {
    const prefix = this.#io.paint(this.#styles.get(label) ?? 'cyan', label.padEnd(this.#width));
    const words = this.#raw ? text : plainLine(text);
    return `${prefix} │ ${this.#timestamps && at !== '' ? `${at} ` : ''}${words}\n`;
  }
}

/** What a pod said as plain text. Tabs stay, and a carriage return at the end is a part of it. */
export const plainLine = (text: string): string =>
  plainText(text.endsWith('\r') ? text.slice(0, -1) : text, { lines: true }).replaceAll('\n', ' ');
