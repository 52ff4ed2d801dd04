import { execFileSync } from 'node:child_process';
import { cpus } from 'node:os';

/**
 * The control plane on the one side, and on the other anyone who talks to it: in a cluster they share no processor either, and
 * on a small machine one would measure how much of it each takes from the other. Linux only; elsewhere they share.
 */
export class Cores {
  /** Whether the two sides are apart. */
  readonly areApart: boolean;
  readonly #all: string;
  readonly #last: number;

  constructor() {
    const count = cpus().length;
    this.#last = count - 1;
    this.#all = `0-${this.#last}`;
    this.areApart = count > 1 && pin(this.#all);
  }

  /** What is started by `work` has all cores but the last; this process, and what it starts later, has the last. */
  async controlPlane<T>(work: () => Promise<T>): Promise<T> {
    if (!this.areApart) return work();
    pin(`0-${this.#last - 1}`);
    try {
      return await work();
    } finally {
      pin(`${this.#last}`);
    }
  }

  /** Gives this process all cores again. */
  release(): void {
    if (this.areApart) pin(this.#all);
  }
}

/** @returns whether it could be done */
function pin(cores: string): boolean {
  try {
    execFileSync('taskset', ['--all-tasks', '--cpu-list', '--pid', cores, `${process.pid}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
