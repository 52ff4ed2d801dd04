import { nameOf } from '../../operator/engine/api/index.ts';
import type { Failure, Identity, Kind, Query, Resource } from '../../operator/engine/api/index.ts';
import type { Plan } from '../../operator/engine/plan/index.ts';
import { ReconcileError, type PassReport } from '../../operator/engine/reconcile/index.ts';
import { ApiError, keyFor, type EventNote, type ResourceType } from '../../operator/kube/index.ts';
import { WriteJournal } from './busy.ts';
import { clientOf, type Request } from './client.ts';
import { SimulationError } from './errors.ts';
import { titleOf } from './names.ts';
import { OperatorProcess } from './operator-process.ts';
import { held } from './pure.ts';
import { finderOf, type Given } from './questions.ts';
import { Refusals } from './refusals.ts';
import { refusal, type Body } from './server/index.ts';
import { statusProblem } from './spec.ts';
import { World, type Subject } from './world.ts';

export interface RunOptions<R extends Resource, State = unknown> {
  readonly kind: Kind<R, State>;
  readonly identity: Identity;
  readonly subject: Subject;
  /** The resource as it is created. */
  readonly resource: Body;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Kinds that the cluster does not serve. */
  readonly notServed: readonly string[];
  /**
   * Whether the operator is killed after a write, which are counted from 1.
   *
   * @default - never
   */
  readonly isKilledAfter?: (write: number) => boolean;
}

/** What the operator did meanwhile. */
export interface Settled {
  readonly passes: number;
  /** `create Deployment/web` */
  readonly writes: readonly string[];
}

/** So many passes in a row, with no time between them, are a loop without an end. A large resource takes some ten. */
const MOST_PASSES = 200;

/** So many times in one advance the operator may be due. */
const MOST_TIMES = 5_000;

/** Ends what a killed process is about: it gets no answer any more. */
const KILLED = new Error('the operator was killed');

/** An operator at work on one resource in a world: its passes, when they are due, and its end. */
export class Run<R extends Resource> {
  readonly refusals = new Refusals();
  readonly events: EventNote[] = [];
  passes = 0;
  failures: readonly Failure[] = [];
  waiting: readonly string[] = [];
  readonly #options: RunOptions<R>;
  readonly #world: World<R>;
  readonly #given = new Map<string, Given>();
  readonly #journal = new WriteJournal();
  #process: OperatorProcess<R, unknown>;
  #isKilled = false;
  #isRefused = false;
  /** What is wrong with a status that the operator wanted to write. */
  #problem: string | undefined;
  #isWorking = false;

  constructor(options: RunOptions<R>) {
    const { kind, identity, subject, resource, now } = options;
    this.#options = { ...options, kind: held(kind) };
    this.#world = new World(kind, identity, subject, now);
    this.#world.create(resource, 'kubectl-create');
    this.#process = this.#start();
    this.#world.changed = () => this.#process.wake();
  }

  /** @throws SimulationError while the operator works: the test did not wait for it */
  get world(): World<R> {
    if (!this.#isWorking) return this.#world;
    throw new SimulationError('the operator is still at work: write await before settle, advance and rollOut');
  }

  get writes(): readonly string[] {
    return this.#journal.lines;
  }

  get queries(): readonly Query[] {
    return this.#process.answers.wanted;
  }

  /** When the next pass is due, in milliseconds since the epoch; Infinity where only a change matters. */
  get dueAt(): number {
    return this.#process.dueAt;
  }

  give(id: string, given: Given): void {
    this.#given.set(id, given);
    this.#process.wake();
  }

  settle(): Promise<Settled> {
    return this.#working(() => this.#settle());
  }

  advance(ms: number): Promise<Settled> {
    return this.#working(async () => {
      const until = this.#world.now + ms;
      await this.#settle();
      for (let times = 0; this.#process.dueAt <= until; times += 1) {
        if (times === MOST_TIMES) throw this.#error(`it wants to be called ${MOST_TIMES} times within ${ms / 1_000} s`);
        this.#world.now = Math.max(this.#world.now, this.#process.dueAt);
        await this.#settle();
      }
      this.#world.now = until;
    });
  }

  /** Does something with the operator, and says what it did meanwhile. */
  async counted(work: () => Promise<void>): Promise<Settled> {
    const before = { passes: this.passes, writes: this.writes.length };
    await work();
    return { passes: this.passes - before.passes, writes: this.writes.slice(before.writes) };
  }

  restart(): void {
    this.#process = this.#start();
  }

  async #working(work: () => Promise<void>): Promise<Settled> {
    void this.world;
    this.#isWorking = true;
    try {
      return await this.counted(work);
    } finally {
      this.#isWorking = false;
    }
  }

  async #settle(): Promise<void> {
    let halfway = 0;
    for (let passes = 0; ; passes += 1) {
      await this.#world.tidy();
      if (await this.#process.answers.lookUp()) this.#process.wake();
      if (this.#process.dueAt > this.#world.now) return;
      if (passes === MOST_PASSES / 2) halfway = this.writes.length;
      if (passes === MOST_PASSES) {
        const busy = this.#journal.repeatedSince(halfway);
        throw this.#error(`it does not come to rest: after ${MOST_PASSES} passes another one is due. ${busy}`);
      }
      await this.#pass();
    }
  }

  async #pass(): Promise<void> {
    this.passes += 1;
    this.#isRefused = false;
    this.#problem = undefined;
    const error = await this.#process.pass();
    if (this.#isKilled) return this.restart();
    const problem = this.#problem as string | undefined;
    if (problem !== undefined) throw this.#error(`the CRD does not allow its status: ${problem}`);
    if (error instanceof ReconcileError) throw this.#error(error.message, error.cause);
    if (error !== undefined && !(this.#isRefused && isOfServer(error)))
      throw this.#error(`a pass failed: ${wordsOf(error)}`, error);
  }

  /** A new process: it knows what the API server has, and nothing else. */
  #start(): OperatorProcess<R, unknown> {
    this.#isKilled = false;
    const { kind, notServed } = this.#options;
    const world = this.#world;
    const client = clientOf(world.server, { before: this.#before, written: this.#written });
    const now = () => world.now;
    const isServed = (type: ResourceType): boolean => !notServed.includes(type.kind);
    return new OperatorProcess({
      kind,
      view: world,
      client,
      key: keyFor(world.named),
      now,
      find: finderOf({ kind, client, given: this.#given, isServed, now }),
      record: (note) => this.events.push(note),
      report: (report) => this.#report(report),
    });
  }

  #before = (request: Request): void => {
    if (this.#isKilled) throw KILLED;
    const { kind, notServed } = this.#options;
    if (notServed.includes(request.object.kind))
      throw new ApiError(404, { message: 'the server could not find the requested resource' });
    try {
      this.refusals.check(request);
    } catch (error) {
      this.#isRefused = true;
      throw error;
    }
    if (request.verb !== 'status') return;
    const problem = statusProblem(kind, (request.body as Body)['status']);
    if (problem === undefined) return;
    // Next the engine writes that this one was refused, which says less.
    this.#problem ??= problem;
    throw refusal(this.#world.live, problem);
  };

  #written = (request: Request): void => {
    this.#journal.add(request);
    if (this.#options.isKilledAfter?.(this.writes.length) !== true) return;
    this.#isKilled = true;
    throw KILLED;
  };

  #report({ failures, plan }: PassReport): void {
    this.failures = failures;
    this.waiting = plan === undefined ? [] : plan.waiting.map(waitingText);
  }

  #error(message: string, cause?: unknown): SimulationError {
    const about = titleOf(this.#world.named);
    return new SimulationError(`${about}: ${message}`, ...(cause === undefined ? [] : [{ cause }]));
  }
}

const wordsOf = (error: unknown): string => (error instanceof Error ? `${error.name}: ${error.message}` : 'unknown');

/** Whether it is, or comes from, an answer of the API server. */
const isOfServer = (error: unknown): boolean =>
  error instanceof ApiError || (error instanceof Error && error.cause instanceof ApiError);

function waitingText(waiting: Plan['waiting'][number]): string {
  switch (waiting.for) {
    case 'ready':
      return `${nameOf(waiting.child.object)} waits until ready: ${waiting.ids.join(', ')}`;
    case 'gone':
      return `${nameOf(waiting.live)} is being deleted`;
    case 'unused':
      return `${nameOf(waiting.live)} stays until rolled out: ${waiting.ids.join(', ')}`;
  }
}
