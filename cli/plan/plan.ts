import { identityOf, nameOf, rejectionOf } from '../../operator/engine/api/index.ts';
import type { Kind, Resource, ObservedChild } from '../../operator/engine/api/index.ts';
import { applyTo, type DesiredChild, identityOfDesired } from '../../operator/engine/plan/index.ts';
import { ApiError, type KubeClient, type KubeObject, type ResourceType } from '../../operator/kube/index.ts';
import { refusedInWords } from '../annotations.ts';
import { titleOf } from '../handover/objects.ts';
import { AllowedReader } from '../kube/allowed.ts';
import { notShown } from '../kube/denied.ts';
import { childTypeOf, servedType } from '../kube/types.ts';
import type { KnownResource } from '../resources.ts';
import { changedFields } from './fields.ts';
import { type Future, futureOf } from './future.ts';
import { endOf, idleOf, notesOf } from './notes.ts';
import { isOfTemplate, livePodsOf } from './pods.ts';
import { raisableOf } from './raisable.ts';
import type { ObjectChange, Obstacle, ResourcePlan } from './types.ts';
import { operatorOfKind } from '../user-kinds/known.ts';

/**
 * What applying a resource would do on the live cluster. Nothing is written: changes are asked for as dry runs.
 *
 * @param fieldManager - who would apply it
 * @throws ApiError where the API server refuses the resource
 */
export async function planResource(
  client: KubeClient,
  { kind, manifest, resource: { metadata } }: KnownResource,
  fieldManager: string,
): Promise<ResourcePlan> {
  await servedType(client, manifest);
  const { namespace = '', name } = metadata;
  const body = { ...manifest, metadata: { ...manifest.metadata, namespace } };
  // As the API server would store it: with defaults, and with what others have set.
  const stored = await client.apply(kind.type, body, { fieldManager, force: true, dryRun: true });
  const resource = stored as unknown as Resource;
  const subject = titleOf({ kind: kind.type.kind, metadata });
  const idle = idleOf(resource, operatorOfKind(kind));
  if (idle !== undefined) return { resource: subject, now: [], later: [], restarts: [], obstacles: [], notes: [idle] };
  const reader = new AllowedReader(client);
  const isNew = (await reader.find(kind.type, { namespace, name })) === undefined && reader.denied.length === 0;
  const future = await futureOf(client, kind, resource, reader);
  const planner = new Planner({ client, reader, kind, future, isNew });
  const now = await planner.now();
  const later = await planner.later();
  const object = `${kind.type.kind} ${name}`;
  const obstacles = [...refusedInWords(resource).map((message) => ({ object, message })), ...planner.obstacles];
  const { status: after, snapshot } = future;
  const raisable = endOf(after) === undefined ? [] : await raisableOf(client, kind, snapshot);
  const reasons = notesOf({ before: snapshot.resource.status, after, raisable });
  const notes = [...(reasons.length > 0 ? reasons : planner.notes), ...lacking(reader, isNew)];
  return {
    resource: subject,
    now,
    later,
    restarts: [...planner.restarts].sort(),
    obstacles,
    notes,
    ...(reader.denied.length > 0 && { isPartial: true as const }),
  };
}

/** What of a plan the caller may not see. Of a new resource nothing is there but what has taken one of its names. */
const lacking = ({ denied }: AllowedReader, isNew: boolean): readonly string[] =>
  isNew
    ? notShown(
        denied.filter(({ verb }) => verb !== 'list'),
        'whether their names are taken is not known',
      )
    : notShown(denied, 'what happens to them is not shown');

interface PlannerInput {
  readonly client: KubeClient;
  readonly reader: AllowedReader;
  readonly kind: Kind;
  readonly future: Future;
  /** Whether there is no such resource yet, and so nothing that was made for it. */
  readonly isNew: boolean;
}

/** Tells a plan in words, asking the API server what each apply would change. */
class Planner {
  readonly restarts = new Set<string>();
  readonly obstacles: Obstacle[] = [];
  readonly notes: string[] = [];
  readonly #client: KubeClient;
  readonly #reader: AllowedReader;
  readonly #kind: Kind;
  readonly #future: Future;
  readonly #isNew: boolean;

  constructor({ client, reader, kind, future, isNew }: PlannerInput) {
    this.#client = client;
    this.#reader = reader;
    this.#kind = kind;
    this.#future = future;
    this.#isNew = isNew;
  }

  async now(): Promise<ObjectChange[]> {
    const { steps, foreign } = this.#future.plan;
    for (const { child } of foreign) this.#nameTaken(child);
    let changes: ObjectChange[] = [];
    for (const step of steps) {
      if (!this.#isKnown('child' in step ? step.child.manifest : step.live)) continue;
      if (step.action === 'create') changes = changes.concat(await this.#create(step.child));
      else if (step.action === 'apply') changes = changes.concat(await this.#change(step.child, step.live));
      else {
        await this.#stops(step.live);
        changes.push({ action: step.action, object: nameOf(step.live) });
      }
    }
    return changes;
  }

  /** What is still to do to come to the end, when all that is done at once has been done. */
  async later(): Promise<ObjectChange[]> {
    const { plan, desired, snapshot } = this.#future;
    const live = new Map(snapshot.children.map((child) => [identityOf(child), child]));
    const done = new Set(
      plan.steps.map((step) => ('child' in step ? identityOfDesired(step.child) : identityOf(step.live))),
    );
    let changes: ObjectChange[] = [];
    for (const child of desired) {
      if (!this.#isKnown(child.manifest)) continue;
      const identity = identityOfDesired(child);
      const observed = live.get(identity);
      if (observed === undefined && !done.has(identity)) changes = changes.concat(await this.#create(child));
      const isAsItIs = observed?.digest === child.digest || child.createOnly === true;
      if (observed !== undefined && !done.has(identity) && !isAsItIs) {
        changes = changes.concat(await this.#change(child, observed));
      }
      live.delete(identity);
    }
    for (const [identity, child] of live) {
      if (done.has(identity) || child.ownerUid !== snapshot.resource.metadata.uid) continue;
      await this.#stops(child);
      changes.push({ action: 'delete', object: nameOf(child) });
    }
    return changes;
  }

  /** An object that none of our labels is on is not seen until its name is asked for. */
  async #create(child: DesiredChild): Promise<ObjectChange[]> {
    const { manifest } = child;
    if ((await this.#reader.find(this.#typeOf(manifest), manifest.metadata)) === undefined) {
      return [{ action: 'create', object: nameOfDesired(child) }];
    }
    this.#nameTaken(child);
    return [];
  }

  async #change(child: DesiredChild, live: ObservedChild): Promise<ObjectChange[]> {
    const object = nameOfDesired(child);
    const type = this.#typeOf(child.manifest);
    const before = await this.#reader.find(type, child.manifest.metadata);
    if (before === undefined) return [{ action: 'change', object }];
    const body = { ...child.manifest, metadata: { ...child.manifest.metadata, uid: live.uid } };
    try {
      const after = await this.#client.apply(type, body, {
        fieldManager: operatorOfKind(this.#kind).fieldManager,
        force: true,
        dryRun: true,
      });
      // What it yields keeps its value: the operator hands it over before it leaves it out.
      const fields = changedFields(before, after).filter(({ path }) => !child.unmanagedFields.includes(path));
      if (fields.some(isOfTemplate)) this.#restart(before);
      return fields.length === 0 ? [] : [{ action: 'change', object, fields }];
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // The operator may change it, and the caller may not.
      if (this.#reader.isDenied(error)) return [{ action: 'change', object }];
      if (rejectionOf(error).type === 'immutable') return this.#instead(child, live, { object: before, error });
      this.obstacles.push({ object, message: error.message });
      return [{ action: 'change', object }];
    }
  }

  /** What the operator does with what can't be changed. */
  #instead(child: DesiredChild, live: ObservedChild, found: { object: KubeObject; error: ApiError }): ObjectChange[] {
    const object = nameOfDesired(child);
    switch (applyTo(child, live).ifImmutable) {
      case 'leave':
        this.notes.push(`${object} stays as it is: it can't be changed, and is not created again.`);
        return [];
      case 'replace':
        this.#restart(found.object);
        return [{ action: 'replace', object }];
      case 'report':
        this.obstacles.push({ object, message: found.error.message });
        return [];
    }
  }

  /** A workload that goes takes its pods with it. */
  async #stops(child: ObservedChild): Promise<void> {
    const object = await this.#reader.find(this.#typeOf(child), child);
    if (object !== undefined) this.#restart(object);
  }

  #restart(object: KubeObject): void {
    for (const name of livePodsOf(object, this.#future.snapshot.pods)) this.restarts.add(name);
  }

  /** Whether anything can be said of an object: of a new resource there is none yet, and of others only what may be seen. */
  #isKnown(object: { readonly apiVersion: string; readonly kind: string }): boolean {
    return this.#isNew || this.#reader.mayList(this.#typeOf(object));
  }

  #nameTaken(child: DesiredChild): void {
    const message = 'exists and was not made for this resource: delete or rename it, or rename the resource';
    this.obstacles.push({ object: nameOfDesired(child), message });
  }

  #typeOf(object: { readonly apiVersion: string; readonly kind: string }): ResourceType {
    return childTypeOf(this.#kind, object);
  }
}

const nameOfDesired = ({ manifest: { kind, metadata } }: DesiredChild): string => nameOf({ kind, name: metadata.name });
