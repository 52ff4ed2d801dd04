import { inSlots } from '../top/scrape.ts';

/** So many looks at the cluster run at a time; others wait. */
const AT_A_TIME = 6;

/** No answer is kept for longer, however long it took. */
const LONGEST_FRESH_MS = 10_000;

/** One look, and who waits for it. */
interface Pass<T> {
  readonly result: Promise<T>;
  readonly controller: AbortController;
  waiting: number;
  isOver: boolean;
}

/**
 * Shares looks at the cluster: all who ask the same while one is under way have its answer, and so have those who ask soon
 * after. A look that nobody waits for any more is broken off.
 */
export class Passes<T> {
  readonly #passes = new Map<string, Pass<T>>();
  readonly #slot = inSlots(AT_A_TIME);

  /**
   * @param key - the same for the same question
   * @param freshMs - how long an answer is good for; at least as long as it took, so that half of the time is rest
   */
  async get(key: string, freshMs: number, signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    const pass = this.#passes.get(key) ?? this.#begin(key, freshMs, work);
    pass.waiting += 1;
    const gone = Promise.withResolvers<never>();
    const leave = () => gone.reject(signal.reason as Error);
    signal.addEventListener('abort', leave, { once: true });
    try {
      return await Promise.race([pass.result, gone.promise]);
    } finally {
      signal.removeEventListener('abort', leave);
      pass.waiting -= 1;
      if (pass.waiting === 0 && !pass.isOver) {
        this.#forget(key, pass);
        pass.controller.abort(signal.reason);
      }
    }
  }

  #begin(key: string, freshMs: number, work: (signal: AbortSignal) => Promise<T>): Pass<T> {
    const controller = new AbortController();
    const pass: Pass<T> = {
      controller,
      waiting: 0,
      isOver: false,
      result: this.#slot(async () => {
        controller.signal.throwIfAborted();
        const began = performance.now();
        const result = await work(controller.signal);
        const took = Math.min(performance.now() - began, LONGEST_FRESH_MS);
        setTimeout(() => this.#forget(key, pass), Math.max(freshMs, took)).unref();
        return result;
      }).finally(() => (pass.isOver = true)),
    };
    // Nobody may be there any more to learn of it.
    pass.result.catch(() => this.#forget(key, pass));
    this.#passes.set(key, pass);
    return pass;
  }

  #forget(key: string, pass: Pass<T>): void {
    if (this.#passes.get(key) === pass) this.#passes.delete(key);
  }
}
