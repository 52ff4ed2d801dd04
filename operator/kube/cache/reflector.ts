import { frames } from './frames.ts';
import { listPage, openWatch, type Selection } from './list-watch.ts';
import { pause, yieldToEventLoop, apiVersionOf } from '../client/index.ts';
import {
  NoInitialEndError,
  nextStep,
  opened,
  type Outcome,
  type Progress,
  seen,
  advance,
  StaleAnswerError,
  START,
  type State,
  type Step,
  synced,
} from './progress.ts';
import { IdleTimeout } from './idle-timeout.ts';
import { type Change, keyOf, type Store } from './store.ts';
import { isOlder } from './version.ts';
import { readFrame, readObject, type WatchFrame } from './watch-frame.ts';

/** What a reflector does, for logs and metrics. */
export type ReflectorEvent =
  | { readonly type: 'listed'; readonly objects: number; readonly streamed: boolean; readonly seconds: number }
  | { readonly type: 'failed'; readonly step: Step['do']; readonly error: unknown; readonly waitMs: number }
  /** A handler, or the store's transform, threw; the object's change is not told again. */
  | { readonly type: 'threw'; readonly error: unknown; readonly key: string };

/** @param initial - whether it was there before we looked, rather than happened now */
export type ChangeHandler<T> = (change: Change<T>, initial: boolean) => void;

export interface ReflectorOptions<T> extends Selection {
  readonly store: Store<T>;
  /** @default - nothing is told */
  readonly report?: (event: ReflectorEvent) => void;
  readonly timing?: Partial<Timing>;
}

/** Times, in milliseconds unless said otherwise. */
export interface Timing {
  /**
   * Longest silence of a watch. The server sends a bookmark each minute, so more than that is a dead connection.
   *
   * @default - 75000 to 90000, at random
   */
  readonly idleMs: number;
  /**
   * Longest silence before the end of a streamed list; after it the list is fetched page by page.
   *
   * @default 10000
   */
  readonly initialIdleMs: number;
  /**
   * Multiplies all waits.
   *
   * @default 1
   */
  readonly waitFactor: number;
}

const INITIAL_IDLE_MS = 10_000;

/** The server sends a bookmark each minute. */
const IDLE_MS = 75_000;
const IDLE_JITTER = 0.2;

/**
 * Keeps a store as the server has it: lists, watches, and lists again where the watch was lost, forever. It survives
 * whatever the server and the network do, and says how it stands in `state`.
 */
export class Reflector<T> {
  readonly store: Store<T>;
  /** Fulfilled once the first list is complete; rejected where `stop` came first. */
  readonly synced: Promise<void>;
  readonly #options: ReflectorOptions<T>;
  readonly #handlers = new Set<ChangeHandler<T>>();
  readonly #stopping = new AbortController();
  readonly #firstSync = Promise.withResolvers<void>();
  #progress: Progress = START;
  #hasSynced = false;
  #running: Promise<void> | undefined;

  constructor(options: ReflectorOptions<T>) {
    this.#options = options;
    this.store = options.store;
    this.synced = this.#firstSync.promise;
    // Nobody need wait for it.
    this.synced.catch(() => undefined);
  }

  /** How the store stands to the server, and the words of the last failure. */
  get state(): { readonly state: State; readonly message: string } {
    const { state, failure } = this.#progress;
    return { state, message: failure instanceof Error ? failure.message : '' };
  }

  get hasSynced(): boolean {
    return this.#hasSynced;
  }

  /**
   * Has `handler` told of each change, in order, right after the store has it. What it throws is contained.
   *
   * @returns a function that ends it
   */
  onChange(handler: ChangeHandler<T>): () => void {
    this.#handlers.add(handler);
    return () => this.#handlers.delete(handler);
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /** Stops for good. Once it is fulfilled, nothing is under way and no handler is called any more. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#firstSync.reject(new Error('the reflector was stopped'));
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const step = nextStep(this.#progress);
      const outcome = await this.#do(step);
      if (signal.aborted) return;
      this.#progress = advance(this.#progress, step, outcome, performance.now(), Math.random());
      const waitMs = this.#progress.waitMs * (this.#options.timing?.waitFactor ?? 1);
      const error = outcome.type === 'failed' ? outcome.error : this.#progress.failure;
      if (error !== undefined) this.#report({ type: 'failed', step: step.do, error, waitMs });
      await pause(waitMs, signal);
    }
  }

  #do(step: Step): Promise<Outcome> {
    if (step.do === 'probe') return this.#probe();
    return step.do === 'list' ? this.#list(step.notOlderThan) : this.#watch(step);
  }

  async #probe(): Promise<Outcome> {
    try {
      const { metadata } = await listPage({ ...this.#options, pageSize: 1 }, '', undefined, this.#stopping.signal);
      return { type: 'reported', version: metadata.resourceVersion ?? '' };
    } catch (error) {
      return { type: 'failed', error, inStream: false, synced: true };
    }
  }

  async #list(notOlderThan: string): Promise<Outcome> {
    const { type } = this.#options;
    const started = performance.now();
    const listed = new Set<string>();
    let token: string | undefined;
    try {
      for (;;) {
        const page = await listPage(this.#options, notOlderThan, token, this.#stopping.signal);
        const version = page.metadata.resourceVersion ?? '';
        if (token === undefined) this.#accept(version, notOlderThan);
        for (const item of page.items) {
          const object = readObject(Object.assign(item, { apiVersion: apiVersionOf(type), kind: type.kind }));
          listed.add(keyOf(object));
          this.#apply({ type: 'put', object });
          await yieldToEventLoop();
        }
        token = page.metadata.continue;
        if (!token) {
          this.#complete(listed, version, false, started);
          return { type: 'listed', version };
        }
      }
    } catch (error) {
      return { type: 'failed', error, inStream: false, synced: false };
    }
  }

  async #watch(step: Step & { do: 'stream' | 'watch' }): Promise<Outcome> {
    const started = performance.now();
    const idle = new IdleTimeout(this.#stopping.signal);
    const reading = { frames: 0, listed: new Set<string>(), synced: step.do === 'watch', open: false };
    try {
      const body = await openWatch(this.#options, step, idle.signal);
      reading.open = true;
      idle.allow(this.#longestIdle(reading.synced));
      if (reading.synced) this.#progress = opened(this.#progress);
      for await (const line of frames(idle.heard(body))) {
        const frame = readFrame(line);
        reading.frames += 1;
        if (frame.type === 'error') throw frame.error;
        if (reading.synced) this.#follow(frame);
        else if (frame.type !== 'bookmark') {
          if (frame.type === 'put') reading.listed.add(keyOf(frame.object));
          else reading.listed.delete(keyOf(frame.object));
          this.#apply(frame);
        } else if (frame.initialEnd) {
          if (isOlder(frame.version, this.#progress.version)) throw new StaleAnswerError(older(frame.version));
          this.#complete(reading.listed, frame.version, true, started);
          this.#progress = synced(this.#progress, frame.version);
          reading.synced = true;
          idle.allow(this.#longestIdle(true));
        }
        await yieldToEventLoop();
      }
      const ms = performance.now() - started;
      return { type: 'ended', frames: reading.frames, ms, synced: reading.synced };
    } catch (thrown) {
      const unended = idle.error !== undefined && !reading.synced;
      const error = unended ? new NoInitialEndError(idle.error.message) : (idle.error ?? thrown);
      return { type: 'failed', error, inStream: reading.open, synced: reading.synced };
    } finally {
      idle.end();
    }
  }

  /** A frame after the initial ones. What is older than what we have seen is a repetition. */
  #follow(frame: WatchFrame & { type: 'put' | 'remove' | 'bookmark' }): void {
    const version = frame.type === 'bookmark' ? frame.version : frame.object.metadata.resourceVersion;
    if (isOlder(version, this.#progress.version)) {
      if (frame.type === 'bookmark') throw new StaleAnswerError(older(version));
      return;
    }
    if (frame.type !== 'bookmark') this.#apply(frame);
    this.#progress = seen(this.#progress, version);
  }

  #apply({ type, object }: WatchFrame & { type: 'put' | 'remove' }): void {
    if (this.#stopping.signal.aborted) return;
    const { store } = this.#options;
    this.#contain(keyOf(object), () => {
      for (const change of type === 'put' ? store.put(object) : store.remove(object)) this.#announce(change);
    });
  }

  #announce(change: Change<T>): void {
    for (const handler of this.#handlers) {
      if (this.#stopping.signal.aborted) return;
      this.#contain(change.key, () => handler(change, !this.#hasSynced));
    }
  }

  #contain(key: string, work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#report({ type: 'threw', error, key });
    }
  }

  /** Refuses a list that is older than it was asked to be; believes one that is older though it is consistent. */
  #accept(version: string, notOlderThan: string): void {
    if (isOlder(version, notOlderThan)) throw new StaleAnswerError(older(version));
    if (isOlder(version, this.#progress.version)) this.store.distrustVersions();
  }

  #complete(listed: ReadonlySet<string>, version: string, streamed: boolean, started: number): void {
    for (const change of this.store.retain(listed, version)) this.#announce(change);
    this.#hasSynced = true;
    this.#firstSync.resolve();
    const seconds = (performance.now() - started) / 1000;
    this.#report({ type: 'listed', objects: listed.size, streamed, seconds });
  }

  #longestIdle(isSynced: boolean): number {
    const { timing } = this.#options;
    if (!isSynced) return timing?.initialIdleMs ?? INITIAL_IDLE_MS;
    return timing?.idleMs ?? IDLE_MS * (1 + Math.random() * IDLE_JITTER);
  }

  #report(event: ReflectorEvent): void {
    this.#options.report?.(event);
  }
}

function older(version: string): string {
  return `the server answered with version ${version}, which is older than what it had told before`;
}
