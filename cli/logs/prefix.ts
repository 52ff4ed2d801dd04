import type { Io, Style } from '../io.ts';
import type { Line } from './lines.ts';
import type { Source } from './sources.ts';

/** Neighbours differ. */
const STYLES: readonly Style[] = ['cyan', 'yellow', 'green', 'magenta', 'blue'];

/** Writes lines behind the label of whom they are of; labels are as wide as the widest so far. */
export class Prefixer {
  readonly #io: Pick<Io, 'paint'>;
  readonly #timestamps: boolean;
  readonly #styles = new Map<string, Style>();
  #width = 0;

  constructor(io: Pick<Io, 'paint'>, timestamps: boolean) {
    this.#io = io;
    this.#timestamps = timestamps;
  }

  /** Takes note of whom lines may be of. */
  add({ label }: Pick<Source, 'label'>): void {
    this.#width = Math.max(this.#width, label.length);
    if (!this.#styles.has(label)) this.#styles.set(label, STYLES[this.#styles.size % STYLES.length] ?? 'cyan');
  }

  line({ label }: Pick<Source, 'label'>, { at, text }: Line): string {
    const prefix = this.#io.paint(this.#styles.get(label) ?? 'cyan', label.padEnd(this.#width));
    return `${prefix} │ ${this.#timestamps && at !== '' ? `${at} ` : ''}${text}\n`;
  }
}
