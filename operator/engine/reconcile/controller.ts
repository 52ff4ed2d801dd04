import { keyFor, keyOf, partsOf, yieldToEventLoop } from '../../kube/index.ts';
import type { KubeClient, EventNote } from '../../kube/index.ts';
import { PRIORITY_CHANGE, PRIORITY_RESYNC, PRIORITY_UNSEEN, WorkQueue } from '../queue/index.ts';
import type { Clock, BackoffOptions, Outcome } from '../queue/index.ts';
import { figuresOf } from '../api/index.ts';
import type { Identity, Kind, Resource } from '../api/index.ts';
import { Resolver, MOST_QUERIES } from '../queries/index.ts';
import type { ResolverOptions } from '../queries/index.ts';
import { about, untraced } from '../telemetry/index.ts';
import type { Logger, Metrics, ReconcileResult, Span, SpanAttributes, Tracer, Watchdog } from '../telemetry/index.ts';
import { passContext, type PassContext, type PassReport } from './pass-options.ts';
import { outcomeAfterError, resultOf } from './pass-rules.ts';
import { reconcile } from './reconcile.ts';
import { ReconcileError } from './reconcile-errors.ts';
import type { ResourceRef } from '../observe/index.ts';
import type { Reader, EnqueueReason } from '../cache/index.ts';

export interface ControllerOptions {
  readonly kind: Kind;
  readonly identity: Identity;
  readonly client: Pick<KubeClient, 'apply' | 'create' | 'patch' | 'delete' | 'find'>;
  readonly reader: Reader<Resource>;
  /** All resources that the cache holds. */
  readonly resources: () => Iterable<Resource>;
  readonly answer: ResolverOptions['answer'];
  readonly record: (regarding: Resource, note: EventNote) => void;
  readonly clock: Clock;
  readonly metrics: Metrics;
  /** One for all kinds: they share the main loop. */
  readonly watchdog: Watchdog;
  readonly log: Logger;
  /** @default - reconciles are not traced */
  readonly tracer?: Tracer;
  /**
   * How many resources are reconciled at once.
   *
   * @default 20
   */
  readonly workers?: number;
  /** Between two tries of a reconcile that failed. */
  readonly backoff?: BackoffOptions;
  /**
   * Longest time of one reconcile, in milliseconds; it is then aborted and tried again.
   *
   * @default 120000
   */
  readonly timeoutMs?: number;
}

/**
 * Children and pods change in bursts (a rollout is a dozen events in a second): after the first change the reconcile waits
 * this long, in milliseconds, for the rest. It does not wait where a user has changed something, or a child has become
 * ready.
 */
const BURST_MS = 100;

/** Logged of a resource that has too many queries. */
const CAPPED = `only the first ${MOST_QUERIES} queries are answered: too many pods have the labels of this resource`;

/** Runs one kind: a queue of its resources, and the reconcile of each. */
export class Controller {
  readonly queue: WorkQueue;
  readonly #options: ControllerOptions;
  readonly #answers: Resolver;
  readonly #context: PassContext<Resource, unknown>;
  /** Each aborts a reconcile that is under way. */
  readonly #underWay = new Set<AbortController>();
  #started = false;

  constructor(options: ControllerOptions) {
    const { kind, client, reader, clock, record, metrics, watchdog, workers, backoff } = options;
    const { type } = kind;
    const figures = figuresOf(kind);
    this.#options = options;
    metrics.controller(type.kind, figures);
    this.queue = new WorkQueue((key) => this.#reconcile(key), {
      clock,
      observer: metrics.queueObserver(type.kind),
      ...(workers !== undefined && { workers }),
      ...(backoff !== undefined && { backoff }),
    });
    this.#answers = new Resolver({
      answer: options.answer,
      enqueue: (key) => this.queue.add(key),
      capped: (key, queries) => options.log.warn({ ...this.#about(key), queries }, CAPPED),
      clock,
    });
    this.#context = passContext({
      kind,
      identity: options.identity,
      client,
      reader,
      answers: this.#answers,
      clock,
      watchdog,
      record,
      report: (pass) => this.#report(pass),
      transition: (before, after) => metrics.transition(type.kind, figures, before, after),
      ...(options.tracer !== undefined && { tracer: options.tracer }),
    });
  }

  /** Something about a resource has changed. Before the start this may be ignored: the start queues all resources. */
  enqueue(ref: ResourceRef, { initial, what }: EnqueueReason): void {
    if (!this.#started) return;
    const isAround = what === 'child' || what === 'pod';
    this.queue.add(keyFor(ref), {
      priority: initial ? PRIORITY_RESYNC : PRIORITY_CHANGE,
      delayMs: isAround && !initial ? BURST_MS : 0,
    });
  }

  /** Begins to reconcile. Not before the caches are synced: what they lack would be made a second time. */
  start(): void {
    this.#started = true;
    for (const resource of this.#options.resources()) {
      this.queue.add(keyOf(resource), { priority: isSeen(resource) ? PRIORITY_RESYNC : PRIORITY_UNSEEN });
    }
    this.queue.start();
  }

  /** Lets the reconciles that are under way end, and aborts those that take longer than `graceMs`. */
  async stop(graceMs: number): Promise<void> {
    this.#answers.stop();
    const cancel = this.#options.clock.after(graceMs, () => {
      for (const limit of this.#underWay) limit.abort(new Error('the operator stops'));
    });
    await this.queue.stop();
    this.#answers.stop();
    cancel();
  }

  async #reconcile(key: string): Promise<Outcome> {
    // A reconcile that writes nothing waits for nothing: a thousand of them would be one turn of the event loop.
    await yieldToEventLoop();
    const { clock, tracer = untraced } = this.#options;
    return tracer.begin('reconcile', this.#attributes(key), async (span) => {
      const limit = this.#startLimit();
      const ended = this.#startTimer(span);
      try {
        const outcome = await reconcile(key, this.#context, limit.signal);
        ended(resultOf(outcome));
        return outcome;
      } catch (error) {
        span.fail(error);
        this.#failed(key, error);
        ended('error');
        return outcomeAfterError(error, clock.now());
      } finally {
        limit.end();
      }
    });
  }

  /** A signal that aborts a reconcile which takes too long, or that is under way when the operator stops. */
  #startLimit(): { readonly signal: AbortSignal; readonly end: () => void } {
    const { clock, timeoutMs = 120_000 } = this.#options;
    // Not AbortSignal.timeout: its timer would outlive the pass, and a start makes thousands of passes in two minutes.
    const limit = new AbortController();
    const cancel = clock.after(timeoutMs, () =>
      limit.abort(new Error(`the reconcile took more than ${timeoutMs / 1_000} s`)),
    );
    this.#underWay.add(limit);
    const end = (): void => {
      cancel();
      this.#underWay.delete(limit);
    };
    return { signal: limit.signal, end };
  }

  /** Measures a reconcile: what it returns is called with its result. */
  #startTimer(span: Span): (result: ReconcileResult) => void {
    const { identity, kind, metrics } = this.#options;
    const startedAt = performance.now();
    return (result) => {
      span.set({ [`${identity.metricPrefix}.result`]: result });
      metrics.reconciled(kind.type.kind, result, (performance.now() - startedAt) / 1_000);
    };
  }

  #failed(key: string, error: unknown): void {
    const { kind, log, metrics, tracer = untraced } = this.#options;
    if (error instanceof ReconcileError) metrics.panicked(kind.type.kind);
    log.error({ ...this.#about(key), ...tracer.ids(), err: error }, 'reconcile failed, will retry');
  }

  #report({ resource: { kind, metadata }, writes, failures }: PassReport): void {
    const { log, metrics, tracer = untraced } = this.#options;
    metrics.stepsFailed(kind, failures);
    const ref = { kind, namespace: metadata.namespace ?? '', name: metadata.name };
    const entry = { ...about(ref), ...tracer.ids(), writes };
    if (failures.length > 0) log.warn({ ...entry, failures }, 'some steps failed, will retry');
    else if (writes > 0) log.info(entry, 'reconciled');
    else log.debug(entry, 'nothing to do');
  }

  #attributes(key: string): SpanAttributes {
    const { kind = '', namespace = '', name = '' } = this.#about(key);
    const { metricPrefix: prefix } = this.#options.identity;
    return { [`${prefix}.kind`]: kind, 'k8s.namespace.name': namespace, [`${prefix}.name`]: name };
  }

  #about(key: string): Readonly<Record<string, string>> {
    return about({ kind: this.#options.kind.type.kind, ...partsOf(key) });
  }
}

/** Whether an operator has reconciled the resource as its user has left it. */
const isSeen = ({ metadata, status }: Resource): boolean =>
  metadata.deletionTimestamp === undefined && status?.observedGeneration === metadata.generation;
