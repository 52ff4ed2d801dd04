import { RequestError } from './request-error.ts';

/** Lets so many run at a time, and refuses others. */
export class Limit {
  readonly #most: number;
  readonly #what: string;
  #running = 0;

  /** @param what - what there are too many of */
  constructor(most: number, what: string) {
    this.#most = most;
    this.#what = what;
  }

  /** @throws RequestError */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#most) {
      throw new RequestError(429, `${this.#most} ${this.#what} are open: close a page, or end one of them`);
    }
    this.#running += 1;
    try {
      return await work();
    } finally {
      this.#running -= 1;
    }
  }
}
