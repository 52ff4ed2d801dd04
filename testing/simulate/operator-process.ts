import { url as debuggerUrl } from 'node:inspector';
import type { Kind, Resource } from '../../operator/engine/api/index.ts';
import { Backoff, type Clock, type Outcome } from '../../operator/engine/queue/index.ts';
import {
  outcomeAfterError,
  passContext,
  reconcile,
  type PassContext,
  type PassReport,
} from '../../operator/engine/reconcile/index.ts';
import { Watchdog } from '../../operator/engine/telemetry/index.ts';
import type { EventNote, KubeClient } from '../../operator/kube/index.ts';
import { Answers, type Find } from './answers.ts';
import { readerOf, type View } from './reader.ts';

export interface ProcessOptions<R extends Resource, State> {
  readonly kind: Kind<R, State>;
  readonly view: View<R>;
  readonly client: Pick<KubeClient, 'apply' | 'create' | 'patch' | 'delete' | 'find'>;
  /** Of the resource, as `keyOf` makes it. */
  readonly key: string;
  readonly now: () => number;
  readonly find: Find;
  readonly record: (note: EventNote) => void;
  readonly report: (report: PassReport) => void;
}

/** A function of a kind that does not end is ended after this time, in milliseconds. */
const DEADLINE_MS = 1_000;

/** In a debugger a function has all the time there is. */
const isDebugged = (): boolean =>
  debuggerUrl() !== undefined || process.execArgv.some((argument) => argument.startsWith('--inspect'));

/** Ends what has no end. Nothing else is said to be slow: the machine of a test may be. */
function watchdogWith(now: () => number): Pick<Watchdog, 'heldUntil' | 'watch'> {
  const watchdog = new Watchdog({ now, deadlineMs: DEADLINE_MS });
  return {
    heldUntil: () => 0,
    watch: (resource, step, work) => (isDebugged() ? work() : watchdog.watch(resource, step, work, () => undefined)),
  };
}

/**
 * An operator that runs one resource: the engine's own pass, with what it keeps in memory. All of that is gone once there
 * is another process.
 */
export class OperatorProcess<R extends Resource, State> {
  readonly answers: Answers;
  readonly #options: ProcessOptions<R, State>;
  readonly #context: PassContext<R, State>;
  // Without chance: the same life takes the same time.
  readonly #backoff = new Backoff({ random: () => 0 });
  /** It begins with a look at all that is there. */
  #dueAt = -Infinity;

  constructor(options: ProcessOptions<R, State>) {
    const { kind, view, client, now, find, record, report } = options;
    this.#options = options;
    this.answers = new Answers(find);
    const clock: Clock = { now, after: () => () => undefined };
    this.#context = passContext<R, State>({
      kind,
      identity: view.observer.identity,
      client,
      reader: readerOf(view),
      answers: this.answers,
      clock,
      watchdog: watchdogWith(now),
      record: (_resource, note) => record(note),
      report,
      // The engine joins statuses that follow within half a second; here no time passes between two of them.
      statusIntervalMs: 0,
    });
  }

  /** When the next pass is due, in milliseconds since the epoch; Infinity where only a change matters. */
  get dueAt(): number {
    return this.#dueAt;
  }

  /** Something has changed: the next pass is due. */
  wake(): void {
    this.#dueAt = -Infinity;
  }

  /**
   * One pass of the engine.
   *
   * @returns the error that it ended with, where it did; the engine has reported that on the resource, and tries again
   */
  async pass(): Promise<unknown> {
    const { key, now } = this.#options;
    this.#dueAt = Infinity;
    try {
      this.#schedule(await reconcile(key, this.#context));
      return undefined;
    } catch (error) {
      this.#schedule(outcomeAfterError(error, now()));
      return error;
    }
  }

  /** As the queue of the engine does. */
  #schedule({ retry = false, requeueAt = Infinity }: Outcome): void {
    const { key, now } = this.#options;
    const retryAt = retry ? now() + this.#backoff.next(key) : Infinity;
    if (!retry) this.#backoff.forget(key);
    this.#dueAt = Math.min(requeueAt, retryAt);
  }
}
