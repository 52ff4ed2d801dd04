import type { ComputationQuery, ComputationAnswer, Kind, Resource } from '../api/index.ts';
import { ComputationThread } from './computation-thread.ts';

export interface ComputationsOptions {
  /**
   * How long a computation may take, in milliseconds, from the moment when its turn comes.
   *
   * @default 20000
   */
  readonly deadlineMs?: number;
  /**
   * After how long without a computation its thread ends, in milliseconds.
   *
   * @default 30000
   */
  readonly idleMs?: number;
  /**
   * The most that the heap of the thread may take, in MiB.
   *
   * @default 64
   */
  readonly memoryMb?: number;
  /** Called for each computation that failed. */
  readonly failed?: (about: Resource, name: string, message: string) => void;
}

interface Job {
  /** The resource and the function: of each pair the newest input counts. */
  readonly key: string;
  readonly module: URL;
  readonly query: ComputationQuery;
  readonly about: Resource;
  readonly resolve: (answer: ComputationAnswer) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Computes for all kinds what they ask for, in one thread that is there while it is needed. Namespaces take turns, so that
 * one that asks for much, or for what never ends, keeps another waiting for one computation at a time.
 */
export class Computations {
  readonly #options: ComputationsOptions;
  /** What waits, by namespace; the first namespace is the next one. */
  readonly #waiting = new Map<string, Job[]>();
  #thread: ComputationThread | undefined;
  #idle: NodeJS.Timeout | undefined;
  #isBusy = false;
  #isClosed = false;

  constructor(options: ComputationsOptions = {}) {
    this.#options = options;
  }

  /**
   * The answer, once it is known; a computation that fails, or takes too long, has one as well.
   *
   * @param signal - aborted once nobody wants to know any more: what waits then takes neither a turn nor memory; what is under way
   * continues
   * @throws where the kind computes nothing, where the resource has asked for the same with another input meanwhile, and
   *   the reason of `signal`
   */
  async answer(
    { type, computations: module }: Pick<Kind, 'type' | 'computations'>,
    query: ComputationQuery,
    about: Resource,
    signal?: AbortSignal,
  ): Promise<ComputationAnswer> {
    signal?.throwIfAborted();
    if (module === undefined) throw new Error(`${type.kind} has no computations, and asks for ${query.name}`);
    const { promise, resolve, reject } = Promise.withResolvers<ComputationAnswer>();
    const key = `${about.metadata.uid}/${query.name}`;
    const { namespace = '' } = about.metadata;
    const job = { key, module, query, about, resolve, reject };
    const forget = () => {
      reject(signal?.reason as Error);
      // Who wants to know something else now asks for it at once, and keeps the place.
      queueMicrotask(() => this.#remove(namespace, job));
    };
    signal?.addEventListener('abort', forget, { once: true });
    this.#enqueue(namespace, job);
    void this.#work();
    try {
      return await promise;
    } finally {
      signal?.removeEventListener('abort', forget);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#idle);
    this.#waiting.clear();
    await this.#thread?.end();
  }

  #enqueue(namespace: string, job: Job): void {
    const jobs = this.#waiting.get(namespace) ?? [];
    this.#waiting.set(namespace, jobs);
    const place = jobs.findIndex(({ key }) => key === job.key);
    if (place < 0) jobs.push(job);
    else jobs.splice(place, 1, job)[0]?.reject(new Error('something else has been asked for meanwhile'));
  }

  #remove(namespace: string, job: Job): void {
    const others = this.#waiting.get(namespace)?.filter((each) => each !== job) ?? [];
    if (others.length > 0) this.#waiting.set(namespace, others);
    else this.#waiting.delete(namespace);
  }

  async #work(): Promise<void> {
    if (this.#isBusy) return;
    this.#isBusy = true;
    clearTimeout(this.#idle);
    for (let job = this.#take(); job !== undefined; job = this.#take()) {
      const answer = await this.#compute(job).catch(uncomputed);
      if (answer.type === 'uncomputed' && !this.#isClosed)
        this.#options.failed?.(job.about, job.query.name, answer.message);
      job.resolve(answer);
    }
    this.#isBusy = false;
    this.#idle = setTimeout(() => void this.#rest(), this.#options.idleMs ?? 30_000).unref();
  }

  /** The next of the namespace whose turn it is, which then goes to the end of the row. */
  #take(): Job | undefined {
    const [first] = this.#waiting;
    if (first === undefined || this.#isClosed) return undefined;
    const [namespace, [job, ...others]] = first;
    this.#waiting.delete(namespace);
    if (others.length > 0) this.#waiting.set(namespace, others);
    return job;
  }

  async #compute({ module, query }: Job): Promise<ComputationAnswer> {
    const { deadlineMs = 20_000, memoryMb = 64 } = this.#options;
    if (this.#thread === undefined || this.#thread.isOver) this.#thread = new ComputationThread(memoryMb);
    const call = { module: module.href, name: query.name, input: query.input };
    return this.#thread.compute(call, deadlineMs);
  }

  async #rest(): Promise<void> {
    const thread = this.#thread;
    this.#thread = undefined;
    await thread?.end();
  }
}

/** A thread that can't be started, or told what to compute. */
const uncomputed = (error: unknown): ComputationAnswer => ({
  type: 'uncomputed',
  message: error instanceof Error ? error.message : String(error),
});
