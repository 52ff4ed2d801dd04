import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { answerAsk, QueryRunner, Computations, Lookups } from './engine/queries/index.ts';
import { Backoff, systemClock } from './engine/queue/index.ts';
import { Controller, PodProtection } from './engine/reconcile/index.ts';
import { typeName, KindGate, Cache } from './engine/cache/index.ts';
import {
  ResourceMetrics,
  about,
  createLogger,
  Metrics,
  serveProbes,
  meterSync,
  Watchdog,
} from './engine/telemetry/index.ts';
import type { Logger, Stretch } from './engine/telemetry/index.ts';
import type { Answer, Kind, Query, Resource } from './engine/api/index.ts';
import {
  KubeClient,
  connect,
  connectionTrouble,
  type ConnectionSource,
  Discovery,
  EventRecorder,
  LeaderElection,
  keyFor,
} from './kube/index.ts';
import type { OperatorOptions } from './options.ts';

/** For passes that are under way when the operator is to end; a pod has 30 s from SIGTERM to SIGKILL. */
const GRACE_MS = 20_000;
const EVENTS_GRACE_MS = 2_000;

/** The lease was lost: others lead now. */
export class LeadershipLostError extends Error {
  override readonly name = 'LeadershipLostError';
}

/**
 * Runs kinds against a cluster until `signal` is aborted.
 *
 * @throws LeadershipLostError where the lease was lost: others lead now, so this process has to end, and to be started again
 */
export async function runOperator(options: OperatorOptions): Promise<void> {
  const operator = new Operator(options);
  try {
    await operator.run();
  } finally {
    await operator.stop();
  }
}

class Operator {
  readonly #options: OperatorOptions;
  readonly #log: Logger;
  readonly #metrics: Metrics;
  readonly #resourceMetrics: ResourceMetrics;
  readonly #watchdog = new Watchdog({
    now: () => systemClock.now(),
    observe: (stretch) => this.#observeStretch(stretch),
  });
  readonly #election: LeaderElection | undefined;
  readonly #connection: ConnectionSource;
  readonly #client: KubeClient;
  readonly #discovery: Discovery;
  readonly #events: EventRecorder;
  readonly #runner: QueryRunner;
  readonly #lookups = new Lookups({ clock: systemClock });
  readonly #computations: Computations;
  readonly #cache: Cache;
  readonly #controllers: ReadonlyMap<string, Controller>;
  readonly #protection: PodProtection;
  readonly #leading = Promise.withResolvers<void>();
  readonly #ended = Promise.withResolvers<void>();
  #closeProbes: (() => Promise<void>) | undefined;
  #optionalTimer: NodeJS.Timeout | undefined;
  #working = false;
  #leads = false;
  #deposed = false;

  constructor(options: OperatorOptions) {
    const { connection, identity, kinds, namespace, leaderElection, podAddress, version = 'unknown' } = options;
    const instance = `${hostname()}-${randomUUID().slice(0, 8)}`;
    this.#options = options;
    this.#log = options.log ?? createLogger();
    this.#metrics = new Metrics(identity.metricPrefix);
    this.#metrics.runs(version);
    this.#election =
      leaderElection &&
      new LeaderElection({
        connection,
        lease: { name: identity.name, ...leaderElection },
        identity: instance,
        userAgent: identity.name,
        changed: (leading, reason) => this.#leadershipChanged(leading, reason),
      });
    this.#connection = connect(connection);
    this.#client = new KubeClient({
      connection: this.#connection,
      userAgent: identity.name,
      observe: (observation) => {
        this.#metrics.request(observation);
        options.tracer?.request(observation);
      },
      ...(this.#election !== undefined && { gate: this.#election.gate }),
    });
    this.#discovery = new Discovery(this.#client);
    this.#events = new EventRecorder({
      client: this.#client,
      controller: `${identity.domain}/operator`,
      instance: hostname(),
      dropped: (reason) => {
        this.#metrics.eventDropped();
        this.#log.debug({ reason }, 'an event was not sent');
      },
      isBusy: () => Object.values(this.#queues).some(({ depth, active }) => depth + active > 0),
    });
    const gate = new KindGate({
      client: this.#client,
      discovery: this.#discovery,
      identity,
      ...(namespace !== undefined && { namespace }),
      log: (type, why) => this.#log.warn({ type: typeName(type) }, why),
    });
    this.#cache = new Cache({
      client: this.#client,
      kinds,
      identity,
      ...(namespace !== undefined && { namespace }),
      isServed: (type) => this.#discovery.isServed(type),
      isEnabled: (type) => gate.isEnabled(type),
      enqueue: (resource, why) => this.#controllers.get(resource.kind)?.enqueue(resource, why),
      stays: (child) => this.#protection.observe(child),
      report: (type, event) => {
        this.#metrics.watchEvent(typeName(type), event);
        const about = { type: typeName(type) };
        if (event.type !== 'listed') this.#log.warn({ ...about, err: event.error }, `watch ${event.type}`);
        else this.#log.debug({ ...about, objects: event.objects, seconds: event.seconds }, 'watch listed');
      },
    });
    this.#runner = new QueryRunner({
      client: this.#client,
      isServed: async (type) => {
        await this.#cache.followOptional();
        return (await this.#discovery.isServed(type)) && !(await this.#discovery.isLeaving(type));
      },
      pod: (podNamespace, name) => this.#cache.pod(podNamespace, name),
      now: () => systemClock.now(),
      ...(podAddress !== undefined && { podAddress }),
    });
    this.#computations = new Computations({
      failed: ({ kind, metadata: { namespace = '', name } }, computation, why) =>
        this.#log.warn({ ...about({ kind, namespace, name }), computation }, `a computation failed: ${why}`),
    });
    this.#resourceMetrics = new ResourceMetrics(
      kinds.map((kind) => ({
        kind: kind.type.kind,
        figures: kind.figures,
        resources: () => this.#cache.resources(kind),
      })),
      identity.metricPrefix,
    );
    this.#controllers = new Map(kinds.map((kind) => [kind.type.kind, this.#controller(kind)]));
    this.#protection = new PodProtection({
      client: this.#client,
      identity,
      caches: this.#cache.staying,
      types: kinds.flatMap(({ childTypes }) => childTypes),
      isLeaving: (type) => this.#discovery.isLeaving(type),
      isBusy: (ref) => this.#controllers.get(ref.kind)?.queue.isActive(keyFor(ref)) ?? false,
      clock: systemClock,
      log: this.#log,
    });
  }

  async run(): Promise<void> {
    const { signal, port = 8080, host, started } = this.#options;
    if (signal.aborted) return;
    signal.addEventListener('abort', () => this.#ended.resolve(), { once: true });
    const probes = await serveProbes({
      port,
      ...(host !== undefined && { host }),
      unready: () => this.#unready(),
      metrics: () => this.#metricsText(),
    });
    this.#closeProbes = () => probes.close();
    await Promise.race([this.#work(() => started?.(probes.port)), this.#ended.promise]);
    await this.#ended.promise;
  }

  /** Ends all in good order: the work first, the lease when nothing is written any more. */
  async stop(): Promise<void> {
    clearInterval(this.#optionalTimer);
    this.#log.info('stopping');
    // Another leads by now: what is under way must not continue.
    const grace = this.#deposed ? 0 : GRACE_MS;
    const controllers = [...this.#controllers.values()].map((controller) => controller.stop(grace));
    await Promise.all([this.#protection.stop(), ...controllers]);
    await this.#events.stop(EVENTS_GRACE_MS);
    await this.#cache.stop();
    await this.#election?.stop();
    await this.#runner.close();
    await this.#computations.close();
    await this.#closeProbes?.();
    await this.#client.close();
    await this.#options.tracer?.close();
    this.#log.info('stopped');
  }

  async #work(started: () => void): Promise<void> {
    await this.#followOptionalAtFirst();
    const endOfSync = meterSync();
    this.#cache.start();
    // From now on: a type that goes before its cache is complete would be waited for without success.
    const { recheckMs = 60_000 } = this.#options;
    this.#optionalTimer = setInterval(() => void this.#followOptional(), recheckMs).unref();
    // Standing by, the caches are kept as well: anyone who takes over begins at once.
    await this.#cache.synced();
    this.#metrics.synced(endOfSync());
    this.#working = true;
    started();
    this.#log.info({ namespace: this.#options.namespace ?? 'all' }, 'caches synced');
    if (this.#election === undefined) this.#leadershipChanged(true, 'there is no other operator');
    else this.#election.start();
    await this.#leading.promise;
    for (const controller of this.#controllers.values()) controller.start();
    this.#protection.start();
  }

  #controller(kind: Kind): Controller {
    const { identity, workers, tracer } = this.#options;
    return new Controller({
      kind,
      identity,
      client: this.#client,
      reader: this.#cache.reader(kind),
      resources: () => this.#cache.resources(kind),
      answer: async (query, about, signal) => this.#answer(kind, query, about, signal),
      record: (regarding, note) => this.#events.record({ ...regarding }, note),
      clock: systemClock,
      metrics: this.#metrics,
      watchdog: this.#watchdog,
      log: this.#log,
      ...(workers !== undefined && { workers }),
      ...(tracer !== undefined && { tracer }),
    });
  }

  async #answer(kind: Kind, query: Query, about: Resource, signal: AbortSignal): Promise<Answer> {
    if (query.type === 'computation') {
      return { ...(await this.#computations.answer(kind, query, about, signal)), at: systemClock.now() };
    }
    return this.#lookups.run(query, about, signal, async (count) =>
      query.type === 'ask'
        ? { ...(await answerAsk(kind, query, about, { signal, count })), at: systemClock.now() }
        : this.#runner.answer(query, about, { signal, count }),
    );
  }

  #observeStretch(stretch: Stretch): void {
    this.#metrics.stretch(stretch);
    const { resource, step, cpuMs, slow } = stretch;
    if (slow) this.#log.warn({ ...about(resource), step, ms: Math.round(cpuMs) }, 'a resource held up the others');
  }

  get #queues(): Readonly<Record<string, Controller['queue']>> {
    return Object.fromEntries([...this.#controllers].map(([kind, { queue }]) => [kind, queue]));
  }

  /** Those of resources are told by anyone who leads: two who tell the same would be added up. */
  async *#metricsText(): AsyncGenerator<string> {
    yield await this.#metrics.text(this.#queues, this.#cache.states);
    if (this.#leads) yield* this.#resourceMetrics.text();
  }

  #unready(): string | undefined {
    if (this.#working) return undefined;
    const missing = this.#cache.states.filter(({ state }) => state !== 'live');
    return `the caches are not complete: ${missing.map(({ type, state }) => `${type} (${state})`).join(', ')}`;
  }

  #leadershipChanged(leading: boolean, reason: string): void {
    this.#leads = leading;
    this.#metrics.leads(this.#options.leaderElection?.name ?? this.#options.identity.name, leading);
    this.#log.info({ leading, reason }, 'leadership changed');
    if (leading) this.#leading.resolve();
    else if (!this.#options.signal.aborted) {
      this.#deposed = true;
      this.#ended.reject(new LeadershipLostError(`leadership was lost: ${reason}`));
    }
  }

  /** What is missed here would be made a second time, so it is waited for. */
  async #followOptionalAtFirst(): Promise<void> {
    const backoff = new Backoff({ maxMs: 30_000 });
    while (!this.#options.signal.aborted) {
      try {
        return await this.#cache.followOptional();
      } catch (error) {
        const reason = connectionTrouble(error, await this.#connection.current());
        this.#log.warn({ err: error, ...(reason !== undefined && { reason }) }, 'API discovery failed');
        await sleep(backoff.next(''), undefined, { signal: this.#options.signal }).catch(() => undefined);
      }
    }
  }

  async #followOptional(): Promise<void> {
    this.#discovery.forget();
    try {
      await this.#cache.followOptional();
      this.#protection.observeAll();
    } catch (error) {
      this.#log.warn({ err: error }, 'API discovery failed');
    }
  }
}
