/** A longer line is cut. */
const LONGEST_LINE = 2_000;

/** The last lines of a text that comes in pieces, however long it gets. */
export class Tail {
  readonly #most: number;
  #lines: string[] = [];
  #rest = '';

  /** @param most - how many lines are kept */
  constructor(most: number) {
    this.#most = most;
  }

  push(text: string): void {
    const lines = `${this.#rest}${text}`.split('\n');
    this.#rest = (lines.pop() ?? '').slice(0, LONGEST_LINE);
    const whole = lines.slice(-this.#most).map((line) => line.slice(0, LONGEST_LINE));
    this.#lines = [...this.#lines, ...whole].slice(-this.#most);
  }

  /** The last of them, the unfinished one as well. */
  lines(count = this.#most): readonly string[] {
    return [...this.#lines, ...(this.#rest === '' ? [] : [this.#rest])].slice(-count);
  }
}
