import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { ReflectorEvent } from '../kube/reflector.ts';
import type { Observation } from '../kube/requester.ts';
import type { QueueObserver, WorkQueue } from './queue.ts';
import type { InitialSync } from './sync-meter.ts';
import type { WatchState } from './watches.ts';

/** controller-runtime's buckets for reconciles, in seconds. */
const RECONCILE_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** How a reconcile ended, in controller-runtime's words. */
export type ReconcileResult = 'success' | 'error' | 'requeue' | 'requeue_after';

/** The metrics of an operator. Names and labels are controller-runtime's where it has them, so that its dashboards work. */
export class Metrics {
  readonly registry = new Registry();
  readonly #reconciles = this.#counter('controller_runtime_reconcile_total', 'Reconciles, by how they ended.', [
    'controller',
    'result',
  ]);
  readonly #errors = this.#counter('controller_runtime_reconcile_errors_total', 'Reconciles that failed.', [
    'controller',
  ]);
  readonly #reconcileTime = this.#histogram('controller_runtime_reconcile_time_seconds', 'Time of a reconcile.', [
    'controller',
  ]);
  readonly #maxWorkers = this.#gauge('controller_runtime_max_concurrent_reconciles', 'Workers.', ['controller']);
  readonly #active = this.#gauge('controller_runtime_active_workers', 'Workers that are busy.', ['controller']);
  readonly #depth = this.#gauge('workqueue_depth', 'Keys that wait to run now.', ['name']);
  readonly #adds = this.#counter('workqueue_adds_total', 'Keys that came to wait.', ['name']);
  readonly #retries = this.#counter('workqueue_retries_total', 'Keys that were put back after a failure.', ['name']);
  readonly #queueTime = this.#histogram('workqueue_queue_duration_seconds', 'Time that a key waited.', ['name']);
  readonly #workTime = this.#histogram('workqueue_work_duration_seconds', 'Time that a key was worked on.', ['name']);
  readonly #requests = this.#counter('rest_client_requests_total', 'Requests to the API server, attempts counted.', [
    'code',
    'verb',
    'resource',
  ]);
  readonly #requestTime = this.#histogram('rest_client_request_duration_seconds', 'Time of such a request.', ['verb']);
  readonly #leader = this.#gauge('leader_election_master_status', 'Whether this process leads.', ['name']);
  readonly #watchFailures = this.#counter('trunnion_watch_failures_total', 'Lists and watches that failed.', [
    'type',
    'step',
  ]);
  readonly #cacheObjects = this.#gauge('trunnion_cache_objects', 'Objects in a cache.', ['type']);
  readonly #cacheState = this.#gauge('trunnion_cache_state', 'How a cache stands to the API server: 1 for its state.', [
    'type',
    'state',
  ]);
  readonly #eventsDropped = this.#counter('trunnion_events_dropped_total', 'Events that were not sent.', []);

  readonly #syncTime = this.#gauge('trunnion_initial_sync_seconds', 'Time until the caches were complete.', []);
  readonly #syncTurn = this.#gauge(
    'trunnion_initial_sync_longest_turn_seconds',
    'Longest time that one turn of the event loop has used the processor meanwhile.',
    [],
  );

  constructor() {
    collectDefaultMetrics({ register: this.registry });
  }

  /** Observes the queue of a controller. */
  queueObserver(controller: string): QueueObserver {
    const name = { name: controller };
    return {
      added: () => this.#adds.inc(name),
      retried: () => this.#retries.inc(name),
      started: (_, waitedMs) => this.#queueTime.observe(name, waitedMs / 1_000),
      finished: (_, tookMs) => this.#workTime.observe(name, tookMs / 1_000),
    };
  }

  reconciled(controller: string, result: ReconcileResult, seconds: number): void {
    this.#reconciles.inc({ controller, result });
    this.#reconcileTime.observe({ controller }, seconds);
    if (result === 'error') this.#errors.inc({ controller });
  }

  request({ verb, resource, code, seconds }: Observation): void {
    this.#requests.inc({ code, verb, resource });
    if (verb !== 'watch') this.#requestTime.observe({ verb }, seconds);
  }

  synced({ seconds, longestTurnSeconds }: InitialSync): void {
    this.#syncTime.set(seconds);
    this.#syncTurn.set(longestTurnSeconds);
  }

  leads(name: string, leading: boolean): void {
    this.#leader.set({ name }, leading ? 1 : 0);
  }

  watchEvent(type: string, event: ReflectorEvent): void {
    if (event.type === 'failed') this.#watchFailures.inc({ type, step: event.step });
  }

  eventDropped(): void {
    this.#eventsDropped.inc();
  }

  /**
   * All metrics in Prometheus' text format.
   *
   * @param queues - the queues by the names of their controllers
   */
  async text(
    queues: Readonly<Record<string, Pick<WorkQueue, 'depth' | 'active' | 'workers'>>>,
    watches: readonly WatchState[],
  ): Promise<string> {
    for (const [controller, { depth, active, workers }] of Object.entries(queues)) {
      this.#depth.set({ name: controller }, depth);
      this.#active.set({ controller }, active);
      this.#maxWorkers.set({ controller }, workers);
    }
    this.#cacheState.reset();
    this.#cacheObjects.reset();
    for (const { type, state, objects } of watches) {
      this.#cacheObjects.set({ type }, objects);
      this.#cacheState.set({ type, state }, 1);
    }
    return this.registry.metrics();
  }

  #counter<L extends string>(name: string, help: string, labelNames: readonly L[]): Counter<L> {
    return new Counter({ name, help, labelNames, registers: [this.registry] });
  }

  #gauge<L extends string>(name: string, help: string, labelNames: readonly L[]): Gauge<L> {
    return new Gauge({ name, help, labelNames, registers: [this.registry] });
  }

  #histogram<L extends string>(name: string, help: string, labelNames: readonly L[]): Histogram<L> {
    return new Histogram({ name, help, labelNames, buckets: RECONCILE_BUCKETS, registers: [this.registry] });
  }
}
