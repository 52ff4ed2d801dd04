import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { ComputationAnswer } from '../api/index.ts';

/** What the thread is to compute. */
export interface ComputationCall {
  /** The URL of a module. */
  readonly module: string;
  /** The name of a function that it exports. */
  readonly name: string;
  readonly input: unknown;
}

/** What the thread answers. */
export type ComputationReply = { readonly value: unknown } | { readonly error: string };

/** So that what is told of an error fits a condition. */
const LONGEST_MESSAGE = 512;

/** A thread that computes one thing at a time. Where something takes too long, the thread ends with it. */
export class ComputationThread {
  readonly #worker: Worker;
  #isOver = false;
  #resolve: ((answer: ComputationAnswer) => void) | undefined;

  /** @param memoryMb - the most that its heap may take, in MiB; a computation that takes more fails */
  constructor(memoryMb: number) {
    const file = new URL(`./computation-worker${extname(import.meta.url)}`, import.meta.url);
    const resourceLimits = { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 16 };
    this.#worker = new Worker(file, { name: 'computations', resourceLimits });
    this.#worker.unref();
    this.#worker.on('message', (reply: ComputationReply) => this.#resolve?.(answerOf(reply)));
    this.#worker.on('messageerror', (error) => this.#end(`its answer can't be read: ${error.message}`));
    this.#worker.on('error', (error) => this.#end(wordsOf(error)));
    this.#worker.once('exit', () => this.#end('its thread ended'));
  }

  /** Whether the thread is gone, so that another one is needed. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Computes something, unless something else is being computed. */
  async compute(call: ComputationCall, deadlineMs: number): Promise<ComputationAnswer> {
    const { promise, resolve } = Promise.withResolvers<ComputationAnswer>();
    this.#resolve = resolve;
    const giveUp = () => {
      if (this.#resolve === resolve) this.#end(`it took longer than ${deadlineMs / 1_000} s`);
    };
    // An answer may be there that a main loop which stood still has not taken yet: it comes before what is immediate.
    const timer = setTimeout(() => setImmediate(giveUp), deadlineMs);
    try {
      this.#worker.postMessage(call);
      return await promise;
    } finally {
      this.#resolve = undefined;
      clearTimeout(timer);
    }
  }

  /** Ends the thread, whatever it does. */
  async end(): Promise<void> {
    this.#end('the operator stops');
    await this.#worker.terminate();
  }

  #end(message: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#resolve?.({ type: 'uncomputed', message });
    void this.#worker.terminate();
  }
}

const answerOf = (reply: ComputationReply): ComputationAnswer =>
  'value' in reply
    ? { type: 'computed', value: reply.value }
    : { type: 'uncomputed', message: reply.error.slice(0, LONGEST_MESSAGE) };

function wordsOf(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'it took too much memory' : message.slice(0, LONGEST_MESSAGE);
}
