import type { Counter } from 'prom-client';
import type { ReflectorEvent, Observation } from '../../kube/index.ts';
import { largest } from '../../../constructs/parts/values/index.ts';
import { statusIn, FAILURE_REASONS } from '../api/index.ts';
import type { Figures, LabelValues, CommonStatus, Failure, Resource } from '../api/index.ts';
import type { QueueObserver, WorkQueue } from '../queue/index.ts';
import { OperatorRegistry } from './registry.ts';
import type { InitialSync } from './sync-meter.ts';
import type { WatchState } from '../cache/index.ts';
import type { Stretch } from './watchdog.ts';

/** How a reconcile may end, in controller-runtime's words. */
const RECONCILE_RESULTS = ['success', 'error', 'requeue', 'requeue_after'] as const;
export type ReconcileResult = (typeof RECONCILE_RESULTS)[number];

/** A queue, as far as metrics go. */
export type MeteredQueue = Pick<WorkQueue, 'depth' | 'active' | 'activeMs' | 'workers'>;

/**
 * The metrics of an operator. Names and labels are controller-runtime's where it has them, so that its dashboards work.
 * No label names a resource: what is told of each is made at the scrape, in exposition.ts.
 */
export class Metrics extends OperatorRegistry {
  readonly #reconciles = this.counter('controller_runtime_reconcile_total', 'Reconciles, by how they ended.', [
    'controller',
    'result',
  ]);
  readonly #errors = this.counter('controller_runtime_reconcile_errors_total', 'Reconciles that failed.', [
    'controller',
  ]);
  readonly #panics = this.counter(
    'controller_runtime_reconcile_panics_total',
    'Reconciles in which the code of a kind failed, or took too long.',
    ['controller'],
  );
  readonly #stretches = this.histogram(
    this.own('reconcile_stretch_seconds'),
    'Processor time for which a resource held the main loop without a break.',
    ['controller', 'step'],
  );
  readonly #slowStretches = this.counter(
    this.own('slow_stretches_total'),
    'Times that a resource held the main loop for so long that others had to wait.',
    ['controller'],
  );
  readonly #reconcileTime = this.histogram('controller_runtime_reconcile_time_seconds', 'Time of a reconcile.', [
    'controller',
  ]);
  readonly #maxWorkers = this.gauge('controller_runtime_max_concurrent_reconciles', 'Workers.', ['controller']);
  readonly #active = this.gauge('controller_runtime_active_workers', 'Workers that are busy.', ['controller']);
  readonly #depth = this.gauge('workqueue_depth', 'Keys that wait to run now.', ['name', 'controller']);
  readonly #adds = this.counter('workqueue_adds_total', 'Keys that were added to the queue.', ['name', 'controller']);
  readonly #retries = this.counter('workqueue_retries_total', 'Keys that were put back after a failure.', [
    'name',
    'controller',
  ]);
  readonly #queueTime = this.histogram('workqueue_queue_duration_seconds', 'Time that a key waited.', [
    'name',
    'controller',
  ]);
  readonly #workTime = this.histogram('workqueue_work_duration_seconds', 'Time that a key was worked on.', [
    'name',
    'controller',
  ]);
  readonly #unfinished = this.gauge(
    'workqueue_unfinished_work_seconds',
    'Time for which the keys that are being worked on have been, added up.',
    ['name', 'controller'],
  );
  readonly #longest = this.gauge(
    'workqueue_longest_running_processor_seconds',
    'Time for which the one of them that takes longest has been worked on.',
    ['name', 'controller'],
  );
  readonly #requests = this.counter('rest_client_requests_total', 'Requests to the API server, attempts counted.', [
    'code',
    'method',
    'verb',
    'resource',
  ]);
  readonly #requestTime = this.histogram('rest_client_request_duration_seconds', 'Time of such a request.', ['verb']);
  readonly #leader = this.gauge('leader_election_master_status', 'Whether this process leads.', ['name']);
  readonly #build = this.gauge(this.own('build_info'), 'The version that runs: always 1.', ['version']);
  readonly #stepFailures = this.counter(this.own('step_failures_total'), 'Steps that could not be carried out.', [
    'controller',
    'reason',
  ]);
  readonly #watchFailures = this.counter(this.own('watch_failures_total'), 'Lists and watches that failed.', [
    'type',
    'step',
  ]);
  readonly #cacheObjects = this.gauge(this.own('cache_objects'), 'Objects in a cache.', ['type']);
  readonly #cacheState = this.gauge(this.own('cache_state'), 'How a cache stands to the API server: 1 for its state.', [
    'type',
    'state',
  ]);
  readonly #eventsDropped = this.counter(this.own('events_dropped_total'), 'Events that were not sent.', []);

  readonly #syncTime = this.gauge(this.own('initial_sync_seconds'), 'Time until the caches were complete.', []);
  readonly #syncTurn = this.gauge(
    this.own('initial_sync_longest_turn_seconds'),
    'Longest time that one turn of the event loop has used the processor meanwhile.',
    [],
  );
  /** What kinds count, by name. */
  readonly #counted = new Map<string, Counter>();

  /** Begins all that is counted of a controller at 0, so that its first increase is seen as one. */
  controller(controller: string, { counters }: Pick<Figures, 'counters'>): void {
    for (const result of RECONCILE_RESULTS) this.#reconciles.inc({ controller, result }, 0);
    this.#errors.inc({ controller }, 0);
    this.#panics.inc({ controller }, 0);
    this.#slowStretches.inc({ controller }, 0);
    this.#retries.inc({ name: controller, controller }, 0);
    for (const reason of FAILURE_REASONS) this.#stepFailures.inc({ controller, reason }, 0);
    for (const { name, help, labels = {} } of counters) {
      const names = ['controller', ...Object.keys(labels)];
      const counter = this.#counted.get(name) ?? this.counter(name, help, names);
      this.#counted.set(name, counter);
      for (const values of combinations(labels)) counter.inc({ controller, ...values }, 0);
    }
  }

  /**
   * Counts what has happened to a resource between its status and the next one. What a kind throws meanwhile is counted as
   * well, and stops nothing: the status is written by then.
   */
  transition(controller: string, figures: Figures, resource: Resource, after: CommonStatus): void {
    try {
      this.#countBetween(controller, figures, resource, after);
    } catch {
      this.panicked(controller);
    }
  }

  #countBetween(controller: string, figures: Figures, resource: Resource, after: CommonStatus): void {
    const then = statusIn(figures, resource);
    const now = statusIn(figures, { ...resource, status: after });
    for (const counter of figures.counters) {
      for (const { value, labels } of counter.of(then, now)) {
        this.#counted.get(counter.name)?.inc({ controller, ...labels }, Math.max(0, value));
      }
    }
  }

  /** Observes the queue of a controller. */
  queueObserver(controller: string): QueueObserver {
    const name = { name: controller, controller };
    return {
      added: () => this.#adds.inc(name),
      retried: () => this.#retries.inc(name),
      started: (_, waitedMs) => this.#queueTime.observe(name, waitedMs / 1_000),
      finished: (_, durationMs) => this.#workTime.observe(name, durationMs / 1_000),
    };
  }

  reconciled(controller: string, result: ReconcileResult, seconds: number): void {
    this.#reconciles.inc({ controller, result });
    this.#reconcileTime.observe({ controller }, seconds);
    if (result === 'error') this.#errors.inc({ controller });
  }

  panicked(controller: string): void {
    this.#panics.inc({ controller });
  }

  stretch({ resource: { kind: controller }, step, cpuMs, slow }: Stretch): void {
    this.#stretches.observe({ controller, step }, cpuMs / 1_000);
    if (slow) this.#slowStretches.inc({ controller });
  }

  stepsFailed(controller: string, failures: readonly Failure[]): void {
    for (const { reason } of failures) this.#stepFailures.inc({ controller, reason });
  }

  request({ verb, method, resource, code, seconds }: Observation): void {
    this.#requests.inc({ code, method, verb, resource });
    if (verb !== 'watch') this.#requestTime.observe({ verb }, seconds);
  }

  synced({ seconds, longestTurnSeconds }: InitialSync): void {
    this.#syncTime.set(seconds);
    this.#syncTurn.set(longestTurnSeconds);
  }

  runs(version: string): void {
    this.#build.set({ version }, 1);
  }

  leads(name: string, leading: boolean): void {
    this.#leader.set({ name }, leading ? 1 : 0);
  }

  watchEvent(type: string, event: ReflectorEvent): void {
    if (event.type === 'failed') this.#watchFailures.inc({ type, step: event.step });
    else if (event.type === 'listed') this.#watchFailures.inc({ type, step: 'watch' }, 0);
  }

  eventDropped(): void {
    this.#eventsDropped.inc();
  }

  /**
   * All metrics but those of resources, in Prometheus' text format.
   *
   * @param queues - the queues by the names of their controllers
   */
  async text(queues: Readonly<Record<string, MeteredQueue>>, watches: readonly WatchState[]): Promise<string> {
    for (const [controller, { depth, active, activeMs, workers }] of Object.entries(queues)) {
      const name = { name: controller, controller };
      this.#depth.set(name, depth);
      this.#unfinished.set(name, activeMs.reduce((sum, ms) => sum + ms, 0) / 1_000);
      this.#longest.set(name, largest(activeMs, 0) / 1_000);
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
}

/** Each way to choose a value for each label. */
const combinations = (labels: LabelValues): readonly Readonly<Record<string, string>>[] =>
  Object.entries(labels).reduce<readonly Readonly<Record<string, string>>[]>(
    (chosen, [label, values]) => chosen.flatMap((others) => values.map((value) => ({ ...others, [label]: value }))),
    [{}],
  );
