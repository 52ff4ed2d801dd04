import { TransportError, keyFor, keyOf, partsOf, yieldToEventLoop } from '../../kube/index.ts';
import type { KubeClient, EventNote } from '../../kube/index.ts';
import { PRIORITY_CHANGE, PRIORITY_RESYNC, PRIORITY_UNSEEN, WorkQueue } from '../queue/index.ts';
import type { Clock, BackoffOptions, Outcome } from '../queue/index.ts';
import { Resolver, MOST_QUERIES } from '../queries/index.ts';
import type { ResolverOptions } from '../queries/index.ts';
import type { Kind, Resource } from '../api/index.ts';
import { about, untraced } from '../telemetry/index.ts';
import type { Logger, Metrics, ReconcileResult, Span, Tracer, Watchdog } from '../telemetry/index.ts';
import { OUTDATED_RETRY_MS, OutdatedCrdError } from './outdated.ts';
import type { PassReport } from './pass-options.ts';
import { UNREACHED_RETRY_MS } from '../api/index.ts';
import { Reconciler } from './reconcile.ts';
import { ReconcileError } from './reconcile-errors.ts';
import type { ResourceRef } from '../observe/index.ts';
import type { Reader, WakeReason } from '../cache/index.ts';

export interface ControllerOptions {
  readonly kind: Kind;
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
   * How many resources are worked on at once.
   *
   * @default 20
   */
  readonly workers?: number;
  /** Between two tries of what failed. */
  readonly backoff?: BackoffOptions;
  /**
   * Longest time of one pass, in milliseconds; it is then broken off and tried again.
   *
   * @default 120000
   */
  readonly timeoutMs?: number;
}

/**
 * Children and pods change in bursts (a rollout is a dozen events in a second): so long, in milliseconds, one waits for
 * the rest before it is looked at. What a user changes, and a child that has become ready, is looked at at once.
 */
const BURST_MS = 100;

/** What the log says of a resource that asks for too much. */
const CAPPED = `it asks for more than ${MOST_QUERIES} facts, and only these are found out: too many pods have its labels`;

/** Runs one kind: a queue of its resources, and a reconciler for them. */
export class Controller {
  readonly queue: WorkQueue;
  readonly #options: ControllerOptions;
  readonly #answers: Resolver;
  readonly #reconciler: Reconciler<Resource, unknown>;
  /** Each breaks off a pass that is under way. */
  readonly #underWay = new Set<AbortController>();
  #started = false;

  constructor(options: ControllerOptions) {
    const { kind, client, reader, clock, record, metrics, watchdog, workers, backoff } = options;
    const { figures, type } = kind;
    this.#options = options;
    metrics.controller(type.kind, figures);
    this.queue = new WorkQueue((key) => this.#run(key), {
      clock,
      observer: metrics.queueObserver(type.kind),
      ...(workers !== undefined && { workers }),
      ...(backoff !== undefined && { backoff }),
    });
    this.#answers = new Resolver({
      answer: options.answer,
      wake: (key) => this.queue.add(key),
      capped: (key, queries) => options.log.warn({ ...this.#about(key), queries }, CAPPED),
      clock,
    });
    this.#reconciler = new Reconciler({
      kind,
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

  /** Something about a resource has changed. Before the start nothing need be remembered: it looks at them all. */
  wake(ref: ResourceRef, { initial, what }: WakeReason): void {
    if (!this.#started) return;
    const isAround = what === 'child' || what === 'pod';
    this.queue.add(keyFor(ref), {
      priority: initial ? PRIORITY_RESYNC : PRIORITY_CHANGE,
      delayMs: isAround && !initial ? BURST_MS : 0,
    });
  }

  /** Begins to work. Not before the caches are complete: what they lack would be made a second time. */
  start(): void {
    this.#started = true;
    for (const resource of this.#options.resources()) {
      this.queue.add(keyOf(resource), { priority: isSeen(resource) ? PRIORITY_RESYNC : PRIORITY_UNSEEN });
    }
    this.queue.start();
  }

  /** Lets the passes that are under way end, and breaks off those that take longer than `graceMs`. */
  async stop(graceMs: number): Promise<void> {
    this.#answers.stop();
    const cancel = this.#options.clock.after(graceMs, () => {
      for (const pass of this.#underWay) pass.abort(new Error('the operator stops'));
    });
    await this.queue.stop();
    this.#answers.stop();
    cancel();
  }

  async #run(key: string): Promise<Outcome> {
    const { tracer = untraced } = this.#options;
    // A pass that writes nothing waits for nothing: a thousand of them would be one turn of the event loop.
    await yieldToEventLoop();
    const { kind = '', namespace = '', name = '' } = this.#about(key);
    const attributes = { 'trunnion.kind': kind, 'k8s.namespace.name': namespace, 'trunnion.name': name };
    return tracer.begin('reconcile', attributes, (span) => this.#reconcile(key, span));
  }

  async #reconcile(key: string, span: Span): Promise<Outcome> {
    const { kind, clock, metrics, timeoutMs = 120_000 } = this.#options;
    const started = performance.now();
    let result: ReconcileResult = 'error';
    // Not AbortSignal.timeout: its timer would outlive the pass, and a start makes thousands of passes in two minutes.
    const pass = new AbortController();
    const cancel = clock.after(timeoutMs, () =>
      pass.abort(new Error(`the pass took more than ${timeoutMs / 1_000} s`)),
    );
    this.#underWay.add(pass);
    try {
      const outcome = await this.#reconciler.reconcile(key, pass.signal);
      result = resultOf(outcome);
      return outcome;
    } catch (error) {
      span.fail(error);
      this.#failed(key, error);
      return { retry: true, requeueAt: clock.now() + longestWaitAfter(error) };
    } finally {
      cancel();
      this.#underWay.delete(pass);
      span.set({ 'trunnion.result': result });
      metrics.reconciled(kind.type.kind, result, (performance.now() - started) / 1_000);
    }
  }

  #failed(key: string, error: unknown): void {
    const { kind, log, metrics, tracer = untraced } = this.#options;
    if (error instanceof ReconcileError) metrics.panicked(kind.type.kind);
    log.error({ ...this.#about(key), ...tracer.ids(), err: error }, 'the pass failed and will be tried again');
  }

  #report({ resource: { kind, metadata }, writes, failures }: PassReport): void {
    const { log, metrics, tracer = untraced } = this.#options;
    metrics.stepsFailed(kind, failures);
    const ref = { kind, namespace: metadata.namespace ?? '', name: metadata.name };
    const entry = { ...about(ref), ...tracer.ids(), writes };
    if (failures.length > 0) log.warn({ ...entry, failures }, 'not all steps could be carried out');
    else if (writes > 0) log.info(entry, 'reconciled');
    else log.debug(entry, 'nothing to do');
  }

  #about(key: string): Readonly<Record<string, string>> {
    return about({ kind: this.#options.kind.type.kind, ...partsOf(key) });
  }
}

/** What others put right, and nobody tells, is tried again before long. */
function longestWaitAfter(error: unknown): number {
  if (error instanceof TransportError) return UNREACHED_RETRY_MS;
  return error instanceof OutdatedCrdError ? OUTDATED_RETRY_MS : Infinity;
}

/** Whether an operator has looked at the resource as its user has left it. */
const isSeen = ({ metadata, status }: Resource): boolean =>
  metadata.deletionTimestamp === undefined && status?.observedGeneration === metadata.generation;

function resultOf({ retry = false, requeueAt = Infinity }: Outcome): ReconcileResult {
  if (retry) return 'requeue';
  return requeueAt === Infinity ? 'success' : 'requeue_after';
}
