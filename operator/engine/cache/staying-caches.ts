import { keyFor, keyOf } from '../../kube/index.ts';
import type { Store, KubeObject } from '../../kube/index.ts';
import { madeFor, stayingFor } from './cache-stores.ts';
import type { Made } from './cache-stores.ts';
import { groupKind } from '../api/index.ts';
import type { ObservedChild, ObservedPod } from '../api/index.ts';
import type { ResourceRef } from '../observe/index.ts';
import { hasToStay } from '../observe/index.ts';

/** Where the caches of children and pods are. */
export interface StayingSources {
  /** By group and kind, those that are watched just now. */
  readonly children: ReadonlyMap<string, { readonly store: Store<Made<ObservedChild>> }>;
  readonly pods: { readonly store: Store<Made<ObservedPod>> };
  /** The kinds of resources, of which those of the policy's name may want it. */
  readonly kinds: readonly string[];
  /** Has resources looked at again. */
  readonly enqueue: (refs: readonly ResourceRef[]) => void;
}

/** The caches, as far as they are about objects that are being deleted and stay for pods. */
export class StayingCaches {
  readonly #sources: StayingSources;

  constructor(sources: StayingSources) {
    this.#sources = sources;
  }

  /** All of them. */
  *all(): IterableIterator<ObservedChild> {
    for (const store of this.#stores) for (const { it } of store.values()) if (it.staysFor !== undefined) yield it;
  }

  /** One as it is now; undefined where it is gone, or stays for nothing. */
  get(namespace: string, type: string, name: string): Made<ObservedChild> | undefined {
    const made = this.#sources.children.get(type)?.store.get(keyFor({ namespace, name }));
    return made?.it.staysFor === undefined ? undefined : made;
  }

  /** Those of resources. */
  of(refs: readonly ResourceRef[]): readonly ObservedChild[] {
    return refs.flatMap((ref) => this.#stores.flatMap((store) => stayingFor(store, ref)));
  }

  /** Whether one has something to cover, as far as the caches tell. */
  hasToStay({ it, of }: Made<ObservedChild>): boolean {
    const children = of.flatMap((ref) => this.#stores.flatMap((store) => madeFor(store, ref)));
    const pods = of.flatMap((ref) => madeFor(this.#sources.pods.store, ref));
    return hasToStay(it, children, pods);
  }

  /** Takes in what the server says of one. */
  learned(object: KubeObject): void {
    this.#sources.children.get(groupKind(object))?.store.wrote(object);
  }

  /** Those of the resource that a live object was made for: they may stay for it, or are it. */
  beside(object: KubeObject): readonly ObservedChild[] {
    return this.of(this.#sources.children.get(groupKind(object))?.store.get(keyOf(object))?.of ?? []);
  }

  /**
   * Takes in that our own delete has removed a child: of that the stream tells nothing new.
   *
   * @returns those that may have stayed for it
   */
  wroteDelete(child: ObservedChild): readonly ObservedChild[] {
    const store = this.#sources.children.get(groupKind(child))?.store;
    const { of = [] } = store?.get(keyFor(child)) ?? {};
    store?.wroteDelete(keyFor(child), child.uid);
    return this.of(of);
  }

  /** Takes in that we let go of one, so that it is gone: anyone who wants it creates it again, at once. */
  released({ it, of }: Made<ObservedChild>): void {
    this.#sources.children.get(groupKind(it))?.store.wroteDelete(keyFor(it), it.uid);
    const { namespace, name } = it;
    this.#sources.enqueue([...of, ...this.#sources.kinds.map((kind) => ({ kind, namespace, name }))]);
  }

  get #stores(): readonly Store<Made<ObservedChild>>[] {
    return Array.from(this.#sources.children.values(), ({ store }) => store);
  }
}
