import { Reflector, TYPES, keyFor } from '../../kube/index.ts';
import type { ReflectorEvent, Store, ObjectRef, KubeObject, ResourceType } from '../../kube/index.ts';
import {
  childStore,
  concerned,
  hasBecomeReady,
  isOptional,
  madeFor,
  parseReference,
  podStore,
  referencesOf,
  refOf,
  referrersOf,
  resourceStore,
  takeIn,
  takeInChild,
  takeInFound,
  typeName,
} from './cache-stores.ts';
import type { Made } from './cache-stores.ts';
import { groupKind } from '../api/index.ts';
import type { Kind, OptionalType, Resource, ObservedChild, ObservedPod } from '../api/index.ts';
import type { Reader } from './reader.ts';
import { isOlder, conflictingKinds } from './conflicting-kinds.ts';
import { StayingCaches } from './staying-caches.ts';
import { childSelector, observerOf, podSelector } from '../observe/index.ts';
import type { Observer, ResourceRef } from '../observe/index.ts';
import type { EnqueueReason, CacheOptions, WatchState } from './cache-options.ts';

/** What reflectors of all types have in common. */
type AnyReflector = Pick<Reflector<unknown>, 'start' | 'stop' | 'synced' | 'hasSynced' | 'state'> & {
  readonly store: { readonly size: number };
};

/** The caches of all types that the operator looks at: one for each type, whatever number of kinds ask for it. */
export class Cache {
  readonly #options: CacheOptions;
  readonly #resources = new Map<string, Reflector<Resource>>();
  readonly #children = new Map<string, Reflector<Made<ObservedChild>>>();
  readonly #pods: Reflector<Made<ObservedPod>>;
  readonly #observer: Observer;
  /** What is being deleted and stays for pods. */
  readonly staying: StayingCaches;
  #started = false;

  constructor(options: CacheOptions) {
    this.#options = options;
    const { identity, kinds } = options;
    this.#observer = observerOf(
      identity,
      kinds.flatMap(({ childTypes }) => childTypes),
    );
    for (const type of this.#resourceTypes(false)) this.#watchResources(type);
    for (const type of this.#childTypes(false)) this.#watchChildren(type);
    this.#pods = this.#reflector(TYPES.pod, podStore(kinds, identity), podSelector(identity));
    this.#pods.onChange((change, initial) => this.#changed(concerned(change), { initial, what: 'pod' }));
    this.staying = new StayingCaches({
      children: this.#children,
      pods: this.#pods,
      kinds: kinds.map(({ type }) => type.kind),
      enqueue: (refs) => this.#enqueueAll(refs.filter(this.#exists), { initial: false, what: 'ready' }),
    });
  }

  start(): void {
    this.#started = true;
    for (const [, reflector] of this.#all) reflector.start();
  }

  /**
   * Fulfilled once all caches are complete; rejected where they were stopped before. One of an optional type that has
   * gone in the meantime is not waited for.
   */
  async synced(): Promise<void> {
    const optional = new Set([...this.#childTypes(true), ...this.#resourceTypes(true)].map(typeName));
    await Promise.all(
      this.#all.map(([name, { synced }]) => (optional.has(name) ? synced.catch(() => undefined) : synced)),
    );
  }

  get hasSynced(): boolean {
    return this.#all.every(([, { hasSynced }]) => hasSynced);
  }

  get states(): readonly WatchState[] {
    return this.#all.map(([type, { state, store }]) => ({ type, ...state, objects: store.size }));
  }

  /**
   * Begins to watch the optional types that are served by now, and ceases with those that no longer are.
   *
   * @throws ApiError, TransportError where it can't be found out
   */
  async followOptional(): Promise<void> {
    for (const type of this.#childTypes(true)) {
      const served = await this.#options.isServed(type);
      const reflector = this.#children.get(typeName(type));
      if (served) this.#watchChildren(type);
      else if (reflector !== undefined) await this.#unwatchChildren(type, reflector);
    }
    const { isEnabled = this.#options.isServed } = this.#options;
    for (const type of this.#resourceTypes(true)) {
      if (await isEnabled(type)) this.#watchResources(type);
      else await this.#unwatchResources(type);
    }
  }

  async stop(): Promise<void> {
    await Promise.all(this.#all.map(([, reflector]) => reflector.stop()));
  }

  pod(namespace: string, name: string): ObservedPod | undefined {
    return this.#pods.store.get(keyFor({ namespace, name }))?.it;
  }

  /** All resources of a kind. */
  resources(kind: Kind): Iterable<Resource> {
    return this.#storeOf(kind.type)?.values() ?? [];
  }

  /** The caches as one kind sees them. */
  reader(kind: Kind): Reader<Resource> {
    return {
      resource: (key) => this.#storeOf(kind.type)?.get(key),
      wroteResource: (object) => {
        const resources = this.#storeOf(kind.type);
        if (resources !== undefined) takeIn(resources, object);
        this.#enqueueRelated(kind.type, object.metadata, false);
      },
      conflictOf: (resource) => this.#conflictingWith(kind, resource),
      around: (resource) => {
        const ref = refOf(kind.type, resource);
        return {
          children: [...this.#children.values()].flatMap(({ store }) => madeFor(store, ref)),
          pods: madeFor(this.#pods.store, ref),
          related: this.#related(kind, resource),
        };
      },
      wrote: (object) => this.#takeIn(object, (store, child) => takeInChild(store, child, this.#observer)),
      found: (object) => this.#takeIn(object, takeInFound),
      wroteDelete: (child) => this.#reportStaying(this.staying.wroteDelete(child)),
    };
  }

  /** With the names of their types; of a kind whose resources are children, too, there are two. */
  get #all(): readonly (readonly [string, AnyReflector])[] {
    const children = [...this.#children].map(
      ([name, reflector]) => [this.#resources.has(name) ? `${name} as a child` : name, reflector] as const,
    );
    return [...this.#resources, ...children, [typeName(TYPES.pod), this.#pods]];
  }

  #childTypes(optional: boolean): readonly OptionalType[] {
    return this.#options.kinds.flatMap(({ childTypes }) => childTypes).filter(isOptional(optional));
  }

  #resourceTypes(optional: boolean): readonly OptionalType[] {
    return this.#options.kinds.flatMap(({ type, refersTo = [] }) => [type, ...refersTo]).filter(isOptional(optional));
  }

  /** Undefined where it is optional, and not watched just now. */
  #storeOf(type: ResourceType): Store<Resource> | undefined {
    return this.#resources.get(typeName(type))?.store;
  }

  /** The resources of the same name that are made of the same objects. */
  #conflicts(type: ResourceType, ref: ResourceRef): readonly ResourceRef[] {
    return conflictingKinds(this.#options.kinds, type)
      .map((kind) => ({ ...ref, kind: kind.type.kind }))
      .filter((older) => this.#exists(older));
  }

  #conflictingWith({ type }: Kind, { metadata }: Resource): Resource | undefined {
    const key = keyFor(metadata);
    const found = conflictingKinds(this.#options.kinds, type).flatMap(
      (kind) => this.#storeOf(kind.type)?.get(key) ?? [],
    );
    return found.find((other) => isOlder(other.metadata, metadata));
  }

  #exists = (ref: ResourceRef): boolean => {
    const type = this.#options.kinds.find((each) => each.type.kind === ref.kind)?.type;
    return type !== undefined && this.#storeOf(type)?.get(keyFor(ref)) !== undefined;
  };

  #related(kind: Kind, resource: Resource): Readonly<Record<string, Resource>> {
    const found = referencesOf(kind, resource).flatMap((reference) => {
      const ref = parseReference(reference, resource);
      const type = kind.refersTo?.find((candidate) => candidate.kind === ref.kind);
      const related = type && this.#storeOf(type)?.get(keyFor(ref));
      return related === undefined ? [] : [[reference, related] as const];
    });
    return Object.fromEntries(found);
  }

  #watchResources(type: ResourceType): void {
    if (this.#resources.has(typeName(type))) return;
    const kind = this.#options.kinds.find((candidate) => typeName(candidate.type) === typeName(type));
    const reflector = this.#reflector(type, resourceStore(kind));
    this.#resources.set(typeName(type), reflector);
    reflector.onChange((change, initial) => {
      const ref = refOf(type, change.type === 'deleted' ? change.before : change.value);
      if (kind !== undefined) this.#enqueueAll([ref], { initial, what: 'resource' });
      this.#enqueueRelated(type, ref, initial);
    });
    if (this.#started) reflector.start();
  }

  /** The type is gone, and all its objects with it. */
  async #unwatchResources(type: ResourceType): Promise<void> {
    const reflector = this.#resources.get(typeName(type));
    if (reflector === undefined) return;
    const refs = [...reflector.store.values()].map((resource) => refOf(type, resource));
    this.#resources.delete(typeName(type));
    await reflector.stop();
    const around = refs.flatMap((ref) => [ref, ...this.#relatedTo(type, ref)]);
    this.#enqueueAll(around, { initial: false, what: 'resource' });
  }

  #watchChildren(type: ResourceType): void {
    if (this.#children.has(typeName(type))) return;
    const { identity, kinds } = this.#options;
    const reflector = this.#reflector(type, childStore(kinds, this.#observer), childSelector(identity));
    this.#children.set(typeName(type), reflector);
    reflector.onChange((change, initial) => {
      if (change.type !== 'deleted') this.#reportStaying([change.value.it]);
      this.#changed(concerned(change), { initial, what: hasBecomeReady(change) ? 'ready' : 'child' });
    });
    if (this.#started) reflector.start();
  }

  /** The type is gone, and all its objects with it. */
  async #unwatchChildren(type: ResourceType, reflector: Reflector<Made<ObservedChild>>): Promise<void> {
    this.#children.delete(typeName(type));
    await reflector.stop();
    const owners = [...reflector.store.values()].flatMap(({ of }) => of);
    this.#enqueueAll(owners, { initial: false, what: 'child' });
  }

  #relatedTo = (type: ResourceType, ref: ResourceRef): readonly ResourceRef[] => [
    ...this.#referrers(type, ref),
    ...this.#conflicts(type, ref),
  ];

  #referrers(type: ResourceType, ref: ResourceRef): readonly ResourceRef[] {
    const kinds = this.#options.kinds.filter(({ refersTo = [] }) =>
      refersTo.some((to) => typeName(to) === typeName(type)),
    );
    return kinds.flatMap((kind) => this.#referrersIn(kind, ref).map((resource) => refOf(kind.type, resource)));
  }

  #referrersIn(kind: Kind, ref: ResourceRef): readonly Resource[] {
    const store = this.#storeOf(kind.type);
    return store === undefined ? [] : referrersOf(store, ref);
  }

  /** Takes in what the server says of a child, of which the stream then tells nothing new. */
  #takeIn<T>(object: KubeObject, takeIn: (store: Store<Made<ObservedChild>> | undefined, object: KubeObject) => T): T {
    const taken = takeIn(this.#children.get(groupKind(object))?.store, object);
    this.#reportStaying(this.staying.beside(object));
    return taken;
  }

  /** Something that was made for resources has changed: it may be what another of their children stays for. */
  #changed(refs: readonly ResourceRef[], why: EnqueueReason): void {
    this.#enqueueOwners(refs, why);
    this.#reportStaying(this.staying.of(refs));
  }

  #reportStaying(children: readonly ObservedChild[]): void {
    for (const child of children) if (child.staysFor !== undefined) this.#options.stays?.(child);
  }

  /** Labels name a resource of each kind that has them: of those that are optional there are mostly none. */
  #enqueueOwners(refs: readonly ResourceRef[], why: EnqueueReason): void {
    const optional = new Set(this.#resourceTypes(true).map(({ kind }) => kind));
    this.#enqueueAll(
      refs.filter((ref) => !optional.has(ref.kind) || this.#exists(ref)),
      why,
    );
  }

  /** Of our own writes the stream tells nothing new. */
  #enqueueRelated(type: ResourceType, { name, namespace = '' }: ObjectRef, initial: boolean): void {
    this.#enqueueAll(this.#relatedTo(type, { kind: type.kind, namespace, name }), { initial, what: 'related' });
  }

  #enqueueAll(refs: readonly ResourceRef[], why: EnqueueReason): void {
    for (const ref of refs) this.#options.enqueue(ref, why);
  }

  #reflector<T>(type: ResourceType, store: Store<T>, labelSelector?: string): Reflector<T> {
    const { client, namespace, report } = this.#options;
    return new Reflector<T>({
      client,
      type,
      store,
      ...(namespace !== undefined && { namespace }),
      ...(labelSelector !== undefined && { labelSelector }),
      ...(report !== undefined && { report: (event: ReflectorEvent) => report(type, event) }),
    });
  }
}
