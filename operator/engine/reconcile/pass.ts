import { SpecError } from '../../../constructs/schema/error.ts';
import { isNotFound } from '../../kube/index.ts';
import type { KubeObject } from '../../kube/index.ts';
import { runActions, expire } from './actions.ts';
import {
  conditionOf,
  FIELD_MANAGER,
  pausedStatus,
  pauseOf,
  rejectionOf,
  STALE_RETRY_MS,
  UNREACHED_RETRY_MS,
} from '../api/index.ts';
import type { Result, Failure, Resource, Snapshot } from '../api/index.ts';
import { type Execution, execute } from './execute.ts';
import { isAsKnown } from './fresh.ts';
import type { Memory } from './memory.ts';
import { OutdatedCrdError } from './outdated.ts';
import type { PassContext } from './pass-options.ts';
import { isAllGone, isDestructive, makePlan, type Plan } from '../plan/index.ts';
import type { Outcome } from '../queue/index.ts';
import { conflictError } from '../cache/index.ts';
import { isMadeFor, snapshotFrom } from '../observe/index.ts';
import { callKind } from './kind-call.ts';
import { faultOf, isHopeless, StaleError, StatusRefusedError } from './reconcile-errors.ts';
import { applyStatus, finishStatus, isWritten, phaseEvent } from './status.ts';
import { untraced } from '../telemetry/index.ts';

/** One pass over one resource. */
export class Pass<R extends Resource, State> {
  released = false;
  readonly #key: string;
  readonly #memory: Memory;
  readonly #options: PassContext<R, State>;
  readonly #request: { readonly signal?: AbortSignal };
  /** As our last write left it. */
  #resource: R;
  /** What reconcile last decided. */
  #decided: NonNullable<R['status']> | undefined;
  #writes = 0;
  /** Whether something was found that no watch had told, and none will. */
  #refreshed = false;

  constructor(
    key: string,
    resource: R,
    memory: Memory,
    options: PassContext<R, State>,
    signal: AbortSignal | undefined,
  ) {
    this.#key = key;
    this.#resource = memory.unwritten === undefined ? resource : { ...resource, status: memory.unwritten };
    this.#memory = memory;
    this.#options = options;
    this.#request = signal === undefined ? {} : { signal };
  }

  async run(): Promise<Outcome> {
    try {
      return await this.#run();
    } catch (thrown) {
      const error = faultOf(thrown);
      if (error instanceof SpecError) return await this.#refuse(error);
      // What is to be done before it goes can't be done: it must not wait for ever.
      if (this.#isDeleting && isHopeless(error, this.#memory)) return await this.#release();
      if (error instanceof OutdatedCrdError) this.#options.record(this.#resource, error.note);
      throw error;
    }
  }

  async #run(): Promise<Outcome> {
    if (pauseOf(this.#resource) !== undefined) return this.#pause();
    const { kind, client, reader } = this.#options;
    const rival = reader.conflictOf(this.#resource);
    if (rival !== undefined) throw conflictError(this.#resource, rival);
    const before = this.#observe(this.#memory.failures);
    const decision = this.#decide(before);
    if (decision.waitForAnswers === true && !this.#isDeleting) return this.#rest(decision.requeueAt);
    const plan = this.#plan(before, decision);
    if (this.#isDeleting && decision.release === true && isAllGone(plan)) return this.#release();
    if (!this.#isDeleting) await this.#hold();
    if (isDestructive(plan) || decision.statusFirst === true) await this.#writeStatus(decision.status);
    const beside = { client, kind, resource: this.#resource, ...this.#request };
    if (decision.expire === true && !this.#isDeleting) return this.#expire(beside);
    if (plan.steps.length > 0) await this.#lookAgain();

    const failures = await runActions(decision, beside);
    const execution = await this.#step('execute', () =>
      execute(plan, {
        client,
        types: kind.childTypes,
        owner: this.#resource,
        isLabelled: (object) => isMadeFor(kind, this.#resource, object),
        log: reader,
        drift: this.#memory.drift,
        ...this.#request,
      }),
    );
    this.#writes += execution.writes;
    this.#refreshed = execution.refreshed;
    for (const failure of execution.failures) failures.push(failure);
    const isNew = this.#resource.status === undefined && execution.writes > 0;
    if (isNew) this.#memory.statusAt = this.#options.clock.now();
    const isAsBefore = !this.#hasChanged && failures.length === 0 && this.#memory.failures.length === 0;
    this.#memory.failures = failures;

    // Of what has changed meanwhile without us, the watch tells.
    const last = isAsBefore ? decision : this.#decide(this.#observe(failures));
    const statusAt = await this.#writeStatusInTime(last.status, failures.length > 0);
    this.#report(plan);
    // Where all was made, and nothing waits for it, the look that finds nothing to do is that of the status.
    const isMade = isNew && statusAt < Infinity && plan.waiting.length === 0;
    const nextPassAt = isMade ? Infinity : this.#nextPassAt(failures, execution);
    return {
      retry: execution.stale || failures.length > 0,
      requeueAt: Math.min(last.requeueAt ?? Infinity, statusAt, nextPassAt),
    };
  }

  get #hasChanged(): boolean {
    return this.#writes > 0 || this.#refreshed;
  }

  get #isDeleting(): boolean {
    return this.#resource.metadata.deletionTimestamp !== undefined;
  }

  #step<T>(name: string, work: () => T): T {
    return (this.#options.tracer ?? untraced).step(name, work);
  }

  /** Calls a function of the kind. */
  #call<T>(name: string, work: () => T): T {
    return this.#step(name, () => callKind(this.#resource, name, work, this.#memory, this.#options.watchdog));
  }

  #observe(failures: readonly Failure[]): Snapshot<R> {
    const { reader, answers } = this.#options;
    const resource = this.#resource;
    return this.#step('observe', () =>
      snapshotFrom({ resource, ...reader.around(resource), answers: answers.of(this.#key), failures }),
    );
  }

  #decide(snapshot: Snapshot<R>): Result<State, NonNullable<R['status']>> {
    const { kind, answers, clock } = this.#options;
    const decision = this.#call('decide', () => kind.reconcile(snapshot, clock.now()));
    answers.want(this.#key, decision.queries, this.#resource);
    this.#decided = decision.status;
    return decision;
  }

  #plan({ children, pods }: Snapshot<R>, { state, replace = [] }: Result<State, unknown>): Plan {
    const desired = this.#call('render', () => this.#options.renders.of(this.#resource, state));
    const ownerUid = this.#resource.metadata.uid;
    return this.#step('plan', () => {
      const observed = children.map((child) => this.#memory.drift.accept(child));
      return makePlan({ desired, observed, ownerUid, pods, replace, deleting: this.#isDeleting });
    });
  }

  /** A spec that can't work waits for its next generation; what runs goes on, unless the resource is being deleted. */
  async #refuse(error: SpecError): Promise<Outcome> {
    if (this.#isDeleting) return this.#release();
    const { kind, clock } = this.#options;
    const now = clock.now();
    const refuse = () => kind.refuse(this.#resource, error.message, now, this.#decided, error.refusal);
    const status = this.#call('refuse', refuse);
    const statusAt = await this.#writeStatusInTime(status, true);
    this.#memory.failures = [];
    return this.#rest(statusAt);
  }

  /** Nothing is left to do until something changes, or at a time. */
  #rest(requeueAt?: number): Outcome {
    this.#report();
    return requeueAt === undefined ? {} : { requeueAt };
  }

  /** Leaves the resource alone, and says so: whoever asked for it waits for that. */
  async #pause(): Promise<Outcome> {
    const { client, clock, kind } = this.#options;
    const status = pausedStatus(this.#resource, clock.now());
    if (!isWritten(this.#resource, status)) {
      await this.#writeResource(applyStatus(client, kind.type, this.#resource, status, this.#request));
    }
    this.#memory.failures = [];
    return this.#rest();
  }

  /** Sees that the resource doesn't go before we have done what its end needs. */
  async #hold(): Promise<void> {
    const { finalizer } = this.#options.kind;
    const { finalizers = [] } = this.#resource.metadata;
    if (finalizer !== undefined && !finalizers.includes(finalizer))
      await this.#setFinalizers([...finalizers, finalizer]);
  }

  /** Whatever was written in this pass was taken for the very resource that we know. */
  async #lookAgain(): Promise<void> {
    const { client, kind, reader } = this.#options;
    if (this.#writes === 0 && !(await isAsKnown(this.#resource, { client, type: kind.type, reader, ...this.#request })))
      throw new StaleError();
  }

  /** The garbage collector removes the children; the watch tells when the resource is gone. */
  async #expire(beside: Parameters<typeof expire>[0]): Promise<Outcome> {
    try {
      await expire(beside);
    } catch (error) {
      if (rejectionOf(error).type === 'stale') throw new StaleError();
      throw error;
    }
    this.#writes += 1;
    return this.#rest();
  }

  async #release(): Promise<Outcome> {
    const { finalizer } = this.#options.kind;
    await this.#setFinalizers((this.#resource.metadata.finalizers ?? []).filter((other) => other !== finalizer));
    this.released = true;
    return this.#rest();
  }

  async #setFinalizers(finalizers: readonly string[]): Promise<void> {
    const { client, kind } = this.#options;
    const { name, namespace, uid, resourceVersion } = this.#resource.metadata;
    const ref = { name, ...(namespace !== undefined && { namespace }) };
    const body = { metadata: { uid, resourceVersion, finalizers } };
    await this.#writeResource(client.patch(kind.type, ref, body, { fieldManager: FIELD_MANAGER, ...this.#request }));
  }

  /**
   * Writes the status, unless it was written a moment ago, or is the first one, and is about to change by what was just
   * made. Whoever has written what does not work waits for the words, and whoever waits until it is ready for these.
   *
   * @returns when it is due, in milliseconds since the epoch; Infinity where nothing is left to write
   */
  async #writeStatusInTime(status: NonNullable<R['status']>, isTrouble: boolean): Promise<number> {
    const { clock, statusIntervalMs = 500 } = this.#options;
    if (isWritten(this.#resource, finishStatus(this.#resource, status))) return Infinity;
    const dueAt = this.#memory.statusAt + statusIntervalMs;
    const isReady = conditionOf(status.conditions, 'Ready')?.status === 'True';
    const isUrgent = this.#resource.status === undefined && (isTrouble || isReady);
    if (clock.now() < dueAt && !isUrgent) return dueAt;
    await this.#writeStatus(status);
    return Infinity;
  }

  async #writeStatus(decided: NonNullable<R['status']>): Promise<void> {
    const { client, kind, clock, record, transition } = this.#options;
    const before = this.#resource;
    const status = finishStatus(this.#resource, decided);
    if (isWritten(this.#resource, status)) return;
    const answer = applyStatus(client, kind.type, this.#resource, status, this.#request);
    await this.#writeResource(answer).catch((error: unknown) => this.#goOnWithout(error, status));
    this.#memory.statusAt = clock.now();
    transition?.(before, status);
    const note = phaseEvent(before.status, status);
    if (note !== undefined) record(this.#resource, note);
  }

  /** One on its way out whose status can't be written would wait for ever: it goes on with what was to be written. */
  #goOnWithout(error: unknown, status: NonNullable<R['status']>): void {
    const isRefused = error instanceof OutdatedCrdError || error instanceof StatusRefusedError;
    if (!isRefused || !this.#isDeleting) throw error;
    if (this.#memory.unwritten === undefined) this.#options.record(this.#resource, error.note);
    this.#memory.unwritten = status;
    this.#resource = { ...this.#resource, status };
  }

  async #writeResource(answer: Promise<KubeObject>): Promise<void> {
    const { reader } = this.#options;
    const object = await answer.catch((error: unknown) => {
      if (isNotFound(error) || rejectionOf(error).type === 'stale') throw new StaleError();
      throw error;
    });
    this.#writes += 1;
    reader.wroteResource(object);
    this.#resource = reader.resource(this.#key) ?? this.#resource;
  }

  /** After a write at once, since the store tells nobody of our own; after a failure not before its backoff is over. */
  #nextPassAt(failures: readonly Failure[], { unreached, stale }: Execution): number {
    const now = this.#options.clock.now();
    if (unreached) return now + UNREACHED_RETRY_MS;
    if (this.#hasChanged && failures.length === 0) return now;
    return stale ? now + STALE_RETRY_MS : Infinity;
  }

  #report(plan?: Plan): void {
    this.#options.report?.({
      resource: this.#resource,
      writes: this.#writes,
      failures: this.#memory.failures,
      ...(plan !== undefined && { plan }),
    });
  }
}
