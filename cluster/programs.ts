import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { start } from './process.ts';
import type { Program } from './process.ts';

/** For a start on a busy machine; an idle one takes seconds. */
const READY_MILLISECONDS = 90_000;
/** What a component may take to end in good order. */
const GRACE_MILLISECONDS = 5_000;
/** Between two looks at whether something is ready. */
const PAUSE_MILLISECONDS = 50;

/** The components of one cluster, as programs that run. */
export class Programs<Component extends string> {
  readonly #order: readonly Component[];
  readonly #commandOf: (component: Component) => readonly string[];
  readonly #logs: string;
  readonly #running = new Map<Component, Program>();

  /**
   * @param order - of their start
   * @param commandOf - a component's program, with its arguments
   * @param logs - the folder of their logs
   */
  constructor(order: readonly Component[], commandOf: (component: Component) => readonly string[], logs: string) {
    this.#order = order;
    this.#commandOf = commandOf;
    this.#logs = logs;
  }

  /** Process ids of those that run. */
  get ids(): Readonly<Partial<Record<Component, number>>> {
    const alive = [...this.#running].filter(([, program]) => program.running);
    return Object.fromEntries(alive.map(([component, program]) => [component, program.pid])) as Partial<
      Record<Component, number>
    >;
  }

  /** Of a component that was started. */
  processOf(component: Component): number | undefined {
    return this.#running.get(component)?.pid;
  }

  /** @throws where it runs already */
  launch(component: Component): void {
    if (this.#running.get(component)?.running) {
      throw new Error(`${component} runs already`);
    }
    const [program = '', ...args] = this.#commandOf(component);
    const log = join(this.#logs, `${component}.log`);
    this.#running.set(component, start(component, program, args, log));
  }

  /** Ends a component in good order. */
  async stop(component: Component): Promise<void> {
    await this.#end(component, GRACE_MILLISECONDS);
  }

  /** Ends a component with SIGKILL. */
  async kill(component: Component): Promise<void> {
    await this.#end(component, 0);
  }

  /** Ends all, each before those that it needs. */
  async stopAll(): Promise<void> {
    for (const component of this.#order.toReversed()) {
      await this.stop(component);
    }
  }

  /**
   * Asks until there is an answer.
   *
   * @param what - is waited for: `the API server`
   * @throws where it takes too long, and at once where a component has ended by itself, with its last words
   */
  async until<T>(what: string, ask: () => Promise<T | undefined>): Promise<T> {
    const deadline = performance.now() + READY_MILLISECONDS;
    for (;;) {
      const answer = await ask();
      if (answer !== undefined) {
        return answer;
      }
      const dead = [...this.#running.values()].find(({ running }) => !running);
      if (dead !== undefined) {
        const words = dead.lastWords();
        // The last line first: a summary shows the first line of an error alone.
        const last = words.slice(words.lastIndexOf('\n') + 1);
        throw new Error(`${dead.name} ended (${await dead.ended}): ${last}\n${dead.logFile} ends with:\n${words}`);
      }
      if (performance.now() > deadline) {
        throw new Error(`waited ${READY_MILLISECONDS / 1000} s for ${what}; the logs are in ${this.#logs}`);
      }
      await sleep(PAUSE_MILLISECONDS);
    }
  }

  async #end(component: Component, graceMilliseconds: number): Promise<void> {
    await this.#running.get(component)?.stop(graceMilliseconds);
    this.#running.delete(component);
  }
}
