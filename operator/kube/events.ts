import { hash } from 'node:crypto';
import { plainText } from '../../constructs/parts/values/index.ts';
import { isNotFound, microTime, TYPES } from './client/index.ts';
import type { KubeClient, KubeObject } from './client/index.ts';

/** What is told of an object. */
export interface EventNote {
  readonly type: 'Normal' | 'Warning';
  /** One CamelCase word: why it was done. */
  readonly reason: string;
  /** One CamelCase word: what was done. */
  readonly action: string;
  /** A sentence for a person; cut after 1024 characters, which is all that the API takes. */
  readonly message: string;
}

export interface EventRecorderOptions {
  readonly client: Pick<KubeClient, 'create' | 'patch'>;
  /** Who reports: `trunnion.dev/operator`. */
  readonly controller: string;
  /** Which of them: the pod's name. */
  readonly instance: string;
  /** Told of events that were not sent; nothing else fails for it. */
  readonly dropped?: (reason: string) => void;
  /** Whether something is being done, or waits for it: what is told comes after, unless that takes longer than ten seconds. */
  readonly isBusy?: () => boolean;
  /**
   * How long the same event, told again, is only counted; then its count is written.
   *
   * @default 60000
   */
  readonly seriesMs?: number;
}

/** Events that wait to be sent, and series that are remembered; beyond that they are dropped. */
const CAPACITY = 1_000;

const SERIES_MS = 60_000;

/** A series that is not told again for so long is over; the next one is a new event. As in client-go. */
const SERIES_END_MS = 360_000;

/** How long an event makes way for what is being done, and how often it looks whether it has to. */
const LONGEST_WAIT_MS = 10_000;
const RECHECK_MS = 100;

const LONGEST_NOTE = 1_024;

/** Leaves room for the rest of the event's own name. */
const LONGEST_NAME = 230;

interface Series {
  readonly name: string;
  readonly namespace: string;
  count: number;
  lastAt: number;
  isWaiting: boolean;
}

/**
 * Writes Events in the background. To record one never waits and never fails; an event told again and again becomes a
 * series with a count.
 */
export class EventRecorder {
  readonly #options: EventRecorderOptions;
  readonly #series = new Map<string, Series>();
  readonly #timers = new Set<NodeJS.Timeout>();
  #waiting = 0;
  #sending: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(options: EventRecorderOptions) {
    this.#options = options;
  }

  record(regarding: KubeObject, note: EventNote): void {
    if (this.#stopped) return;
    const key = JSON.stringify([regarding.metadata.uid, note.type, note.reason, note.action, note.message]);
    const known = this.#series.get(key);
    const now = Date.now();
    if (known !== undefined && now - known.lastAt < SERIES_END_MS) return this.#again(key, known);
    if (this.#series.size >= CAPACITY) this.#forgetEnded(now);
    if (this.#series.size >= CAPACITY) return this.#drop('too many different events');
    const namespace = regarding.metadata.namespace ?? 'default';
    const id = hash('sha256', `${key}${this.#options.instance}${now}`).slice(0, 16);
    const name = `${regarding.metadata.name.slice(0, LONGEST_NAME)}.${id}`;
    const series = { name, namespace, count: 1, lastAt: now, isWaiting: false };
    this.#series.set(key, series);
    const event = { ...eventOf(regarding, note, this.#options, now), metadata: { name, namespace } };
    this.#send(async () => {
      await this.#options.client.create(TYPES.event, event);
    });
  }

  /** Sends what waits, counts of series included, for as long as `ms`, and no more after that. */
  async stop(ms: number): Promise<void> {
    this.#stopped = true;
    for (const timer of this.#timers) clearTimeout(timer);
    for (const [key, series] of this.#series) if (series.isWaiting) this.#send(() => this.#writeCount(key, series));
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)));
    await Promise.race([this.#sending, timeout]);
    clearTimeout(timer);
  }

  #again(key: string, series: Series): void {
    series.count += 1;
    series.lastAt = Date.now();
    if (series.isWaiting) return;
    series.isWaiting = true;
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      series.isWaiting = false;
      this.#send(() => this.#writeCount(key, series));
    }, this.#options.seriesMs ?? SERIES_MS).unref();
    this.#timers.add(timer);
  }

  async #writeCount(key: string, series: Series): Promise<void> {
    const { name, namespace, count, lastAt } = series;
    const body = { series: { count, lastObservedTime: microTime(lastAt) } };
    try {
      await this.#options.client.patch(TYPES.event, { name, namespace }, body);
    } catch (error) {
      // Events live for an hour; the next telling makes a new one.
      if (isNotFound(error)) this.#series.delete(key);
      throw error;
    }
  }

  #send(work: () => Promise<void>): void {
    if (this.#waiting >= CAPACITY) return this.#drop('too many events wait to be sent');
    this.#waiting += 1;
    const since = Date.now();
    this.#sending = this.#sending
      .then(() => this.#quiet(since))
      .then(work)
      .catch((error: unknown) => this.#drop(error instanceof Error ? error.message : String(error)))
      .finally(() => (this.#waiting -= 1));
  }

  /** The API server takes as long for an event as for some objects, which somebody waits for. */
  async #quiet(since: number): Promise<void> {
    const { isBusy = () => false } = this.#options;
    while (!this.#stopped && isBusy() && Date.now() - since < LONGEST_WAIT_MS) {
      await new Promise((resolve) => setTimeout(resolve, RECHECK_MS));
    }
  }

  #drop(reason: string): void {
    this.#options.dropped?.(reason);
  }

  #forgetEnded(now: number): void {
    for (const [key, series] of this.#series) {
      if (now - series.lastAt >= SERIES_END_MS) this.#series.delete(key);
    }
  }
}

function eventOf(regarding: KubeObject, note: EventNote, who: EventRecorderOptions, now: number) {
  const { name, namespace, uid, resourceVersion } = regarding.metadata;
  return {
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    eventTime: microTime(now),
    type: note.type,
    reason: note.reason,
    action: note.action,
    note: plainText(note.message.slice(0, LONGEST_NOTE), { lines: true }),
    regarding: { apiVersion: regarding.apiVersion, kind: regarding.kind, name, namespace, uid, resourceVersion },
    reportingController: who.controller,
    reportingInstance: who.instance,
  };
}
