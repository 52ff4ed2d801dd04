import { conditionOf } from '../../operator/engine/api/index.ts';
import type { Condition, ObservedChild, Query, Resource } from '../../operator/engine/api/index.ts';
import type { EventNote, KubeObject } from '../../operator/kube/index.ts';
import type { Cause } from './controllers/index.ts';
import { millisecondsOf, type Duration } from './duration.ts';
import { SimulationError, listed } from './errors.ts';
import { makeFail, makeReady, makeStart } from './fates.ts';
import type { LiveObject } from './live-object.ts';
import { objectNamed, objectsNamed, type ObjectName } from './names.ts';
import type { Refusal } from './refusals.ts';
import { rollOut } from './roll-out.ts';
import { Run, type RunOptions, type Settled } from './run.ts';
import { namedOf } from './server/index.ts';
import { copied, storedSpec } from './spec.ts';
import { CONTROLLER, PERSON, type Change } from './world.ts';

/** A child, as an operator sees it. */
export interface SimulatedChild {
  readonly kind: string;
  readonly name: string;
  /** As the engine takes it: what comes after it may be made. */
  readonly ready: boolean;
  /** Present while a finalizer holds it, after it was deleted. */
  readonly deleting?: true;
}

/** An object for a test to make: without a namespace it is in that of the resource. */
export interface NewObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly [field: string]: unknown };
  readonly [field: string]: unknown;
}

/** The life of one resource and its operator, in memory. A test says what happens; the operator does what it does. */
export class Life<R extends Resource = Resource, Written = R['spec']> {
  readonly #run: Run<R>;

  /** @internal */
  constructor(options: RunOptions<R>) {
    this.#run = new Run(options);
  }

  // What there is.

  /** The resource; throws once it is gone. */
  get resource(): R {
    return this.#run.world.live as unknown as R;
  }

  /** Whether the resource was deleted, and nothing holds it any more. */
  get isGone(): boolean {
    return this.#run.world.resource === undefined;
  }

  /** The status of the resource: empty until the operator has written one. */
  get status(): NonNullable<R['status']> {
    return this.resource.status ?? {};
  }

  /** A condition of the resource; throws where it has none of the type. */
  condition(type: string): Condition {
    const { conditions = [] } = this.status;
    const condition = conditionOf(conditions, type);
    if (condition !== undefined) return condition;
    throw new SimulationError(
      `there is no condition ${type}; there are: ${listed(conditions.map((each) => each.type))}. They are written in a pass: call settle() first`,
    );
  }

  /** The children that there are, in the order in which they were made. */
  get children(): readonly SimulatedChild[] {
    return this.#run.world.children.map(childOf);
  }

  /**
   * A live object of any kind, of the operator or of others; throws where there is none, or more than one. One of
   * Kubernetes' own has its types; any other is an object of which nothing is known.
   */
  object<Name extends ObjectName>(name: Name): LiveObject<Name> {
    return this.#named(name) as LiveObject<Name>;
  }

  /**
   * All live objects of a kind, of the operator and of others, in the order in which they were made.
   *
   * @param name - `Pod`; left out for the objects of all kinds
   */
  objects(): readonly KubeObject[];
  objects<Name extends ObjectName>(name: Name): readonly LiveObject<Name>[];
  objects(name?: ObjectName): readonly object[] {
    const { objects } = this.#run.world.server;
    return name === undefined ? objects : objectsNamed(name, objects);
  }

  /** How often an object of a kind and name was made: more than once where it was deleted meanwhile. */
  timesMade(object: KubeObject): number {
    return this.#run.world.server.timesMade(namedOf(object));
  }

  /** What the operator has written, in its order: `create Deployment/web`, `status WebApp/web`. */
  get writes(): readonly string[] {
    return this.#run.writes;
  }

  /** The events that the operator has recorded, in their order. */
  get events(): readonly EventNote[] {
    return this.#run.events;
  }

  /** How many passes there were. */
  get passes(): number {
    return this.#run.passes;
  }

  /** What the last pass could not do, as `reconcile` sees it. */
  get failures(): readonly { readonly child?: string; readonly reason: string; readonly message: string }[] {
    return this.#run.failures;
  }

  /** What the last pass holds back, and for what: `Deployment web waits until job is ready`. */
  get waiting(): readonly string[] {
    return this.#run.waiting;
  }

  /** What the resource asks now, answered or not. */
  get queries(): readonly Query[] {
    return this.#run.queries;
  }

  /** Milliseconds since the epoch. */
  get now(): number {
    return this.#run.world.now;
  }

  /** When the operator looks again by itself, in milliseconds since the epoch: a `requeueAt`, a retry; undefined for never. */
  get dueAt(): number | undefined {
    const { dueAt } = this.#run;
    return dueAt === Infinity ? undefined : Math.max(dueAt, this.now);
  }

  // What the operator does.

  /**
   * Lets the operator work until nothing is left to do at this time. Retries and later times wait: see `advance`.
   *
   * @throws SimulationError where that does not end, and where a function of the kind throws
   */
  settle(): Promise<Settled> {
    return this.#run.settle();
  }

  /**
   * Lets time pass, and the operator work whenever something is due: a retry, a `requeueAt`.
   *
   * @param duration - `30s`, `10m`, `1h30m`, or milliseconds
   */
  advance(duration: Duration): Promise<Settled> {
    return this.#run.advance(millisecondsOf(duration));
  }

  /** Lets the operator work, and each child become ready once it is there, until all of them are, but for failed Jobs. */
  rollOut(): Promise<Settled> {
    return rollOut(this.#run);
  }

  /** Ends the process of the operator and starts another: what it had in memory is gone. */
  restart(): void {
    void this.#run.world;
    this.#run.restart();
  }

  // What users do.

  /** Changes the spec; what the CRD would refuse is an error. */
  edit(change: (spec: R['spec']) => R['spec'] | Written): void {
    const { world } = this.#run;
    const { live, named } = world;
    const copy = structuredClone(live['spec']) as R['spec'];
    const spec = storedSpec(world.kind, {
      ...named,
      spec: copied(change(copy) ?? copy, 'the spec'),
      old: live['spec'],
    });
    world.change(live, () => ({ ...live, spec }), PERSON);
  }

  /** Sets annotations of the resource; null removes one. */
  annotate(annotations: Readonly<Record<string, string | null>>): void {
    this.#run.world.change(this.#run.world.live, { metadata: { annotations } }, PERSON);
  }

  /** Sets labels of the resource; null removes one. */
  label(labels: Readonly<Record<string, string | null>>): void {
    this.#run.world.change(this.#run.world.live, { metadata: { labels } }, PERSON);
  }

  /** Deletes the resource: with a finalizer it stays until the operator lets it go. */
  delete(): void {
    this.#run.world.remove(this.#run.world.live);
  }

  /** Makes an object that is not the operator's: a Secret that the spec names, or one that has a child's name. */
  create(object: NewObject): void {
    const { namespace } = this.#run.world.named;
    const metadata = namespace === '' ? object.metadata : { namespace, ...object.metadata };
    this.#run.world.create({ ...object, metadata }, 'kubectl-create');
  }

  /** Edits an object by hand, by a merge patch or a function. */
  change(name: ObjectName, change: Change): void {
    this.#run.world.change(this.#named(name), change, PERSON);
  }

  /** Deletes an object by hand. */
  remove(name: ObjectName): void {
    this.#run.world.remove(this.#named(name));
  }

  // What the cluster does.

  /** A workload starts: its pods are there and run, and none of them is ready. */
  start(name: ObjectName): void {
    makeStart(this.#run.world, this.#named(name));
  }

  /** An object becomes ready: a workload with its pods, a Job is complete, a volume is bound, an address is given. */
  ready(name: ObjectName): void {
    makeReady(this.#run.world, this.#named(name));
  }

  /** A workload, a Job or a pod fails: the containers of its pods end, or crash where they are started again. */
  fail(name: ObjectName, cause: Cause = {}): void {
    makeFail(this.#run.world, this.#named(name), cause);
  }

  /** A controller changes an object, by a merge patch or a function: its status, mostly. */
  become(name: ObjectName, change: Change): void {
    this.#run.world.change(this.#named(name), change, CONTROLLER);
  }

  /** The API server refuses what the operator writes to these objects, until it is allowed. */
  refuse(name: ObjectName, refusal: Refusal = {}): void {
    this.#run.refusals.refuse(name, refusal);
  }

  /** The API server takes these writes again; the operator tries again when its retry is due. */
  allow(name: ObjectName): void {
    this.#run.refusals.allow(name);
  }

  /**
   * Answers what the resource asks under an id, from now on.
   *
   * @param value - what the function of the kind would give for an ask of that name, or a function that gives it for an
   * input; of the engine's own queries, all but the type and the time of the answer
   */
  answer(id: string, value: unknown): void {
    const given = typeof value === 'function' ? value : copied(value, `the answer to ${id}`);
    this.#run.give(id, { type: 'value', value: given });
  }

  /** What the resource asks under an id can't be found out, from now on. */
  answerError(id: string, message: string): void {
    this.#run.give(id, { type: 'error', message });
  }

  #named(name: ObjectName): KubeObject {
    return objectNamed(name, this.#run.world.server.objects);
  }
}

const childOf = ({ kind, name, ready, deleting }: ObservedChild): SimulatedChild => ({
  kind,
  name,
  ready,
  ...(deleting && { deleting }),
});
