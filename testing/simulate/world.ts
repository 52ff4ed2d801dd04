import { typeAmong } from '../../operator/engine/api/index.ts';
import type { Identity, Kind, Named, ObservedChild, Resource } from '../../operator/engine/api/index.ts';
import {
  hasToStay,
  isProtected,
  letGoOf,
  observePod,
  observerOf,
  type Observer,
} from '../../operator/engine/observe/index.ts';
import { apiVersionOf } from '../../operator/kube/index.ts';
import type { KubeObject } from '../../operator/kube/index.ts';
import { clientOf } from './client.ts';
import { garbageIn } from './controllers/index.ts';
import { SimulationError } from './errors.ts';
import { titleOf } from './names.ts';
import { objectsAround, observeWith, resourceAt, type View } from './reader.ts';
import { ApiServer, mergePatched, namedOf, type Body } from './server/index.ts';

/** Field managers of those who write beside the operator, as a cluster has them. */
export const CONTROLLER = 'kube-controller-manager';
export const PERSON = 'kubectl-edit';

/** A change of an object: a JSON merge patch, or a function that gives the changed object, or changes the copy it gets. */
export type Change = Readonly<Record<string, unknown>> | Edit;

/** Gives the changed object, or changes the copy that it gets. */
export type Edit = (object: Record<string, unknown>) => unknown;

const isEdit = (change: Change): change is Edit => typeof change === 'function';

/** Which resource a life is about. */
export interface Subject {
  readonly name: string;
  /** '' where it is one of the cluster. */
  readonly namespace: string;
}

/** The cluster around one resource, without its operator: objects, time, and what happens to them by itself. */
export class World<R extends Resource> implements View<R> {
  readonly server: ApiServer;
  readonly kind: Kind<R>;
  readonly observer: Observer;
  readonly observe: View<R>['observe'];
  readonly named: Named;
  /** Milliseconds since the epoch. */
  now: number;
  /** Called after each change that the operator's watches report. */
  changed: () => void = () => undefined;
  /** The resource as it last was: what it has left behind is found by it. */
  #last: Resource | undefined;

  constructor(kind: Kind<R>, identity: Identity, { name, namespace }: Subject, now: number) {
    const { type } = kind;
    this.kind = kind;
    this.observer = observerOf(identity, kind.childTypes);
    this.observe = observeWith(this.observer);
    this.now = now;
    this.server = new ApiServer(() => this.now);
    this.named = { apiVersion: apiVersionOf(type), kind: type.kind, namespace, name };
  }

  /** The resource as the API server has it; undefined once it is gone. */
  get resource(): R | undefined {
    const resource = resourceAt(this.server, this.kind.type, this.named) as R | undefined;
    this.#last = resource ?? this.#last;
    return resource;
  }

  /** @throws SimulationError where it is gone */
  get live(): KubeObject {
    const object = this.server.find(this.named);
    if (object !== undefined) return object;
    throw new SimulationError(`${titleOf(this.named)} is gone: it was deleted`);
  }

  /** What was made for the resource, or for the one that is gone. */
  get around(): { readonly children: readonly KubeObject[]; readonly pods: readonly KubeObject[] } {
    const resource = this.resource ?? this.#last;
    return resource === undefined ? { children: [], pods: [] } : objectsAround(this, resource);
  }

  get children(): readonly ObservedChild[] {
    return this.around.children.map(this.observe);
  }

  create(body: Body, manager: string): KubeObject {
    const object = this.server.create(body, manager);
    this.changed();
    return object;
  }

  /** Changes an object as somebody does who is not the operator. */
  change(object: KubeObject, change: Change, manager: string): KubeObject {
    const next = isEdit(change) ? called(change, object) : mergePatched(object, change);
    const before = object.metadata.resourceVersion;
    const after = this.server.update(object, next as KubeObject, manager);
    if (after.metadata.resourceVersion !== before) this.changed();
    return after;
  }

  /** The whole status that a controller reports. */
  report(object: KubeObject, status: object): void {
    this.change(object, () => ({ ...object, status }), CONTROLLER);
  }

  remove(object: KubeObject): void {
    this.server.delete(namedOf(object));
    this.changed();
  }

  /** What a cluster does by itself: garbage is collected, and policies that were kept for pods go once there are none. */
  async tidy(): Promise<void> {
    for (;;) {
      const garbage = garbageIn(this.server.objects);
      for (const object of garbage) this.remove(object);
      if (garbage.length === 0 && !(await this.#letGo())) return;
    }
  }

  /** @returns whether something went */
  async #letGo(): Promise<boolean> {
    const { children, pods } = this.around;
    const { identity } = this.observer;
    const observed = children.map(this.observe);
    const seen = pods.map((pod) => observePod(pod, identity));
    const free = children.find(
      (object, index) =>
        object.metadata.deletionTimestamp !== undefined &&
        isProtected(object, identity) &&
        !hasToStay(observed[index] as ObservedChild, observed, seen),
    );
    if (free === undefined) return false;
    const type = typeAmong(this.kind.childTypes, free);
    if (type === undefined) return false;
    const quiet = { before: () => undefined, written: () => undefined };
    await letGoOf(clientOf(this.server, quiet), type, free, identity, { fieldManager: CONTROLLER });
    this.changed();
    return true;
  }
}

/** A function may change the copy that it gets, or give another object. */
function called(change: Edit, object: KubeObject): unknown {
  const copy = structuredClone(object) as unknown as Record<string, unknown>;
  return change(copy) ?? copy;
}
