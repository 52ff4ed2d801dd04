import { isNotFound, TransportError } from '../../kube/index.ts';
import type { KubeClient, ObjectBody, KubeObject, ResourceType } from '../../kube/index.ts';
import { groupKind, groupOf, nameOf, FIELD_MANAGER, HANDOVER_MANAGER, rejectionOf } from '../api/index.ts';
import type { Failure, Resource, ObservedChild, Rejection } from '../api/index.ts';
import type { WriteLog } from '../cache/index.ts';
import { fieldManagersOf, applyTo } from '../plan/index.ts';
import type { DesiredChild, Plan, Step, AdmissionDrift } from '../plan/index.ts';
import { isOurs, isProtected, letGoOf, controllerOf, observeChild, valueAt } from '../observe/index.ts';

export interface ExecuteContext {
  readonly client: Pick<KubeClient, 'apply' | 'delete' | 'find' | 'patch'>;
  /** The types that children may have. */
  readonly types: readonly ResourceType[];
  /** The resource that the children belong to. */
  readonly owner: Resource;
  /** Whether an object that nobody controls was made for the owner, by its labels. */
  readonly isLabelled: (object: KubeObject) => boolean;
  readonly log: WriteLog;
  readonly drift: AdmissionDrift;
  readonly signal?: AbortSignal;
}

/** How a plan was carried out. */
export interface Execution {
  readonly failures: readonly Failure[];
  /** Something was not as we knew it: look again. */
  readonly stale: boolean;
  /** No answer came: it is not this resource's fault. */
  readonly unreached: boolean;
  /** Writes that the API server took. */
  readonly writes: number;
  /** A child was otherwise than its watch had told: it was there already, or has changed. What is kept of it is new. */
  readonly learned: boolean;
}

/**
 * Carries a plan out, in order. A step that fails keeps back those that come after it, and no others. Each write either
 * has the effect that was planned, on the object that was seen, or none.
 *
 * @throws where the writes themselves were stopped: aborted, or refused for want of leadership
 */
export async function execute(plan: Plan, context: ExecuteContext): Promise<Execution> {
  const failures: Failure[] = plan.foreign.map(({ child }) => nameTaken(child));
  const executor = new Executor(context);
  const undone = new Set<string>();
  let stale = false;
  for (const step of plan.steps) {
    const child = 'child' in step ? step.child : undefined;
    if (child?.after.some((id) => undone.has(id)) === true) {
      undone.add(child.id);
      continue;
    }
    const rejection = await executor.attempt(step);
    if (rejection === undefined) continue;
    if (child !== undefined) undone.add(child.id);
    if (rejection.type === 'stale') stale = true;
    else failures.push(rejection.failure);
    if (rejection.type === 'away') break;
  }
  return { failures, stale, unreached: executor.unreached, writes: executor.writes, learned: executor.learned };
}

/** What is left of a rejection once a step has done all that it may about it. */
type StepRejection = Exclude<Rejection, { readonly type: 'immutable' }>;

class Executor {
  writes = 0;
  unreached = false;
  learned = false;
  readonly #context: ExecuteContext;

  constructor(context: ExecuteContext) {
    this.#context = context;
  }

  async attempt(step: Step): Promise<StepRejection | undefined> {
    const id = 'child' in step ? step.child.id : nameOf(step.live);
    try {
      return await this.#do(step);
    } catch (error) {
      const rejection = rejectionOf(error, id);
      this.unreached ||= error instanceof TransportError;
      if (rejection.type !== 'immutable') return rejection;
      if (step.action !== 'apply' || step.ifImmutable === 'tell') return { ...rejection, type: 'refused' };
      if (step.ifImmutable === 'replace')
        return this.attempt({ action: 'replace', child: step.child, live: step.live });
      return undefined;
    }
  }

  async #do(step: Step): Promise<StepRejection | undefined> {
    if (step.action === 'create') return this.#create(step.child);
    if (step.action === 'delete' && step.atOnce === true) return this.#deleteAtOnce(step.live);
    if (step.action !== 'apply') return this.#delete(step.live);
    await this.#apply(step);
    return undefined;
  }

  async #create(child: DesiredChild): Promise<StepRejection | undefined> {
    // No object is at version 1 any more, so the server makes it if there is none, and does nothing if there is one.
    try {
      await this.#write(child, { resourceVersion: '1' });
      return undefined;
    } catch (error) {
      if (rejectionOf(error).type !== 'stale') throw error;
      return this.#take(child);
    }
  }

  /** There is an object of that name already: ours (an answer was lost, a label was taken away) or not. */
  async #take(child: DesiredChild): Promise<StepRejection | undefined> {
    const { client, log, owner, signal } = this.#context;
    const object = await client.find(this.#typeOf(child.object), refOf(child), signalled(signal));
    if (object === undefined) return { type: 'stale' };
    const controller = controllerOf(object);
    const live = observeChild(object);
    if (controller === undefined ? !this.#context.isLabelled(object) : controller.uid !== owner.metadata.uid) {
      // Of an earlier resource of this name: the garbage collector is about to remove it.
      const isLeftOver = controller !== undefined && isNamesake(controller, owner);
      return isLeftOver ? { type: 'stale' } : { type: 'refused', failure: nameTaken(child, controller, live) };
    }
    if (!isOurs(live, owner.metadata.uid)) return { type: 'refused', failure: runElsewhere(child, object, owner) };
    if (live.deleting) return { type: 'stale' };
    if (live.digest !== child.digest) return this.attempt(applyTo(child, live));
    if (log.found(object) === undefined) return { type: 'stale' };
    this.learned = true;
    return undefined;
  }

  async #apply({ child, live, handOver }: Step & { action: 'apply' }): Promise<void> {
    for (const path of handOver) await this.#handOver(child, live, path);
    await this.#write(child, { uid: live.uid });
  }

  /**
   * Has another manager hold a field at its present value, so that it isn't reset when we let go of it. Not forced: where
   * somebody has just set it to another value, it is theirs already, and the next look will see so.
   */
  async #handOver(child: DesiredChild, live: ObservedChild, path: string): Promise<void> {
    const { client, signal } = this.#context;
    const { apiVersion, kind } = child.object;
    const type = this.#typeOf(child.object);
    const value = valueAt(await client.find(type, refOf(child), signalled(signal)), path);
    if (value === undefined) return;
    const metadata = { ...refOf(child), uid: live.uid };
    const body: ObjectBody = { ...nest(path.split('.'), value), apiVersion, kind, metadata };
    await client.apply(type, body, { fieldManager: HANDOVER_MANAGER, ...signalled(signal) });
    this.writes += 1;
  }

  async #write(
    child: DesiredChild,
    guard: { readonly uid: string } | { readonly resourceVersion: string },
  ): Promise<void> {
    const { client, log, drift, signal } = this.#context;
    const body = { ...child.manifest, metadata: { ...child.manifest.metadata, ...guard } };
    const options = { fieldManager: FIELD_MANAGER, force: true, ...signalled(signal) };
    const object = await client.apply(this.#typeOf(child.object), body, options);
    this.writes += 1;
    drift.note(child, log.wrote(object));
  }

  async #delete(live: ObservedChild): Promise<StepRejection | undefined> {
    const { client, log, signal } = this.#context;
    const { namespace, name, uid, resourceVersion } = live;
    try {
      const left = await client.delete(
        this.#typeOf(live),
        { namespace, name },
        { uid, resourceVersion, propagationPolicy: 'Background', mustExist: true, ...signalled(signal) },
      );
      this.writes += 1;
      if (left !== undefined && isHeld(left)) log.wrote(left);
      else log.wroteDelete(live);
      return undefined;
    } catch (error) {
      // That it is gone, the watch will tell: a server that is not well says so of anything.
      if (isNotFound(error)) return { type: 'stale' };
      if (rejectionOf(error).type === 'stale') await this.#learn(live);
      throw error;
    }
  }

  /** Deletes what would stay for the pods that it covers: what holds it for them is taken off first. */
  async #deleteAtOnce(live: ObservedChild): Promise<StepRejection | undefined> {
    const { client, log, signal } = this.#context;
    const type = this.#typeOf(live);
    const found = await client.find(type, { namespace: live.namespace, name: live.name }, signalled(signal));
    if (found?.metadata.uid !== live.uid) return { type: 'stale' };
    if (!isProtected(found)) return this.#delete(live);
    const left = await letGoOf(client, type, found, { fieldManager: FIELD_MANAGER, ...signalled(signal) });
    this.writes += 1;
    if (left.metadata.deletionTimestamp === undefined) return this.#delete(log.wrote(left));
    if (isHeld(left)) log.wrote(left);
    else log.wroteDelete(live);
    return undefined;
  }

  /** It has changed. A watch that has gone silent would tell of it only when that is noticed, which takes a minute or two. */
  async #learn(live: ObservedChild): Promise<void> {
    const { client, log, signal } = this.#context;
    const { namespace, name, resourceVersion } = live;
    const object = await client.find(this.#typeOf(live), { namespace, name }, signalled(signal));
    const known = object && log.found(object);
    if (known !== undefined && known.resourceVersion !== resourceVersion) this.learned = true;
  }

  #typeOf(object: { readonly apiVersion: string; readonly kind: string }): ResourceType {
    const type = this.#context.types.find(({ group, kind }) => `${group}/${kind}` === groupKind(object));
    if (type === undefined) throw new Error(`${groupKind(object)} is no childType of ${this.#context.owner.kind}`);
    return type;
  }
}

const refOf = ({
  object: { name, namespace },
}: DesiredChild): { readonly name: string; readonly namespace?: string } => ({
  name,
  ...(namespace !== '' && { namespace }),
});

/** Whether something keeps a deleted object. Of some kinds (Service) the server answers with the object that is gone. */
const isHeld = ({ metadata }: KubeObject): boolean =>
  metadata.deletionTimestamp !== undefined && (metadata.finalizers ?? []).length > 0;

const isNamesake = (controller: { apiVersion: string; kind: string; name: string }, owner: Resource): boolean =>
  groupOf(controller.apiVersion) === groupOf(owner.apiVersion) &&
  controller.kind === owner.kind &&
  controller.name === owner.metadata.name;

function nameTaken(
  child: DesiredChild,
  controller?: { readonly kind: string; readonly name: string },
  live?: ObservedChild,
): Failure {
  const whose =
    controller === undefined ? 'was not made by Trunnion for this resource' : `belongs to ${nameOf(controller)}`;
  const what =
    live?.staysFor === undefined
      ? 'It is left as it is: delete or rename it, or give this resource another name.'
      : 'It is being deleted, and goes once the pods that it covers have stopped: wait, or give this resource another name.';
  return { child: child.id, reason: 'NameTaken', message: `${nameOf(child.object)} exists and ${whose}. ${what}` };
}

/** Another host has made it for this very workload. */
function runElsewhere(child: DesiredChild, object: KubeObject, { kind, metadata }: Resource): Failure {
  const appliers = fieldManagersOf(object).map(({ manager = '' }) => manager);
  const by = appliers.length === 0 ? 'another host' : appliers.join(', ');
  return {
    child: child.id,
    reason: 'NameTaken',
    message: `${nameOf(child.object)} exists, made for this workload by ${by}. It is left as it is: to have the operator run it, without a restart, call trunnion adopt ${kind.toLowerCase()}/${metadata.name} -n ${metadata.namespace ?? ''}`,
  };
}

const signalled = (signal: AbortSignal | undefined): { readonly signal?: AbortSignal } =>
  signal === undefined ? {} : { signal };

/** `value` under a path: `{spec: {replicas: 3}}`. */
const nest = (path: readonly string[], value: unknown): Readonly<Record<string, unknown>> =>
  path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value) as Readonly<Record<string, unknown>>;
