import { isOlder, newerOf } from './version.ts';
import type { KubeObject } from '../client/index.ts';

/** What happened to an object, as the cache sees it. */
export type Change<T> =
  | { readonly type: 'added'; readonly key: string; readonly value: T }
  | { readonly type: 'updated'; readonly key: string; readonly value: T; readonly before: T }
  | { readonly type: 'deleted'; readonly key: string; readonly before: T };

/** Gives the values under which an object is found with `byIndex`. */
export type Indexer<T> = (value: T) => readonly string[];

export interface StoreOptions<T> {
  /**
   * What is kept of an object. It must not keep the object itself where only a part of it is wanted. Of one that is known
   * in another version, it gets what is kept of that.
   */
  readonly transform: (object: KubeObject, known?: T) => T;
  /** @default - none */
  readonly indexers?: Readonly<Record<string, Indexer<T>>>;
}

interface Entry<T> {
  readonly uid: string;
  readonly version: string;
  readonly value: T;
}

/** The key of an object: `namespace/name`, or `name` for objects of the cluster. */
export const keyOf = ({ metadata }: { readonly metadata: Parameters<typeof keyFor>[0] }): string => keyFor(metadata);

/** The same for what names an object. The namespace of objects of the cluster is absent, or ''. */
export const keyFor = ({ namespace = '', name }: { readonly namespace?: string; readonly name: string }): string =>
  namespace === '' ? name : `${namespace}/${name}`;

/** What a key names; the namespace of objects of the cluster is ''. */
export function partsOf(key: string): { readonly namespace: string; readonly name: string } {
  const slash = key.indexOf('/');
  return { namespace: key.slice(0, Math.max(0, slash)), name: key.slice(slash + 1) };
}

/**
 * The cache of one type. It never goes back in time, and it is at least as new as our own writes: `wrote` puts in the
 * answer of a write at once, and what the watch still has to say about earlier versions changes nothing.
 */
export class Store<T> {
  readonly #transform: StoreOptions<T>['transform'];
  readonly #indexes: ReadonlyMap<string, { readonly namesOf: Indexer<T>; readonly keys: StoreIndex }>;
  readonly #entries = new Map<string, Entry<T>>();
  /** Version, by UID, of objects that we deleted and whose end the server has yet to tell. */
  readonly #ended = new Map<string, string>();
  /** The newest version at which the server has told that something is gone: what is older, and not here, is gone too. */
  #goneAt = '';

  constructor(options: StoreOptions<T>) {
    this.#transform = options.transform;
    const indexers = Object.entries(options.indexers ?? {});
    this.#indexes = new Map(indexers.map(([name, namesOf]) => [name, { namesOf, keys: new StoreIndex() }]));
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): T | undefined {
    return this.#entries.get(key)?.value;
  }

  /** All values, in no order that means anything. */
  *values(): IterableIterator<T> {
    for (const { value } of this.#entries.values()) yield value;
  }

  /** The values that the indexer `index` put under `name`. */
  byIndex(index: string, name: string): readonly T[] {
    const keys = this.#indexes.get(index)?.keys;
    if (keys === undefined) throw new Error(`no index "${index}"; there are: ${[...this.#indexes.keys()].join(', ')}`);
    return keys.get(name).flatMap((key) => this.#entries.get(key)?.value ?? []);
  }

  /** Takes in an object as the server told it. What is known in the same or a newer version stays as it is. */
  put(object: KubeObject): readonly Change<T>[] {
    const { uid, resourceVersion: version } = object.metadata;
    const key = keyOf(object);
    const known = this.#entries.get(key);
    if (this.#ended.has(uid)) return [];
    if (known !== undefined && (known.version === version || isOlder(version, known.version))) return [];
    const before = known?.uid === uid ? known.value : undefined;
    const entry: Entry<T> = { uid, version, value: this.#transform(object, before) };
    this.#set(key, entry, known);
    if (known === undefined) return [{ type: 'added', key, value: entry.value }];
    if (known.uid === uid) return [{ type: 'updated', key, value: entry.value, before: known.value }];
    return [
      { type: 'deleted', key, before: known.value },
      { type: 'added', key, value: entry.value },
    ];
  }

  /** Takes in that an object is gone. A namesake that is there instead stays. */
  remove(object: KubeObject): readonly Change<T>[] {
    this.#ended.delete(object.metadata.uid);
    this.#goneAt = newerOf(this.#goneAt, object.metadata.resourceVersion);
    const key = keyOf(object);
    const known = this.#entries.get(key);
    if (known === undefined) return [];
    if (known.uid !== object.metadata.uid && isOlder(object.metadata.resourceVersion, known.version)) return [];
    return this.#drop(key, known);
  }

  /**
   * Ends a list: what it did not name is gone, but for what is newer than the list.
   *
   * @param listed - the keys of the objects that the list named; each has been `put` before
   * @param version - the version of the list
   */
  retain(listed: ReadonlySet<string>, version: string): readonly Change<T>[] {
    for (const [uid, ended] of this.#ended) if (!isOlder(version, ended)) this.#ended.delete(uid);
    this.#goneAt = newerOf(this.#goneAt, version);
    return [...this.#entries].flatMap(([key, entry]) =>
      listed.has(key) || isOlder(version, entry.version) ? [] : this.#drop(key, entry),
    );
  }

  /** Forgets all versions: the server's history was put back (a restored backup), so lower ones are the newer ones. */
  distrustVersions(): void {
    for (const [key, entry] of this.#entries) this.#entries.set(key, { ...entry, version: '' });
    this.#ended.clear();
    this.#goneAt = '';
  }

  /**
   * Takes in the answer of our own write. The writer knows of it, so no handler is told. An answer may come later than
   * the news that the object is gone, which nobody would tell again.
   */
  wrote(object: KubeObject): void {
    if (!this.#entries.has(keyOf(object)) && isOlder(object.metadata.resourceVersion, this.#goneAt)) return;
    this.put(object);
  }

  /** Takes in that our own delete has removed the object with this UID. */
  wroteDelete(key: string, uid: string): void {
    const known = this.#entries.get(key);
    if (known === undefined || known.uid !== uid) return;
    this.#ended.set(uid, known.version);
    this.#drop(key, known);
  }

  #set(key: string, entry: Entry<T>, known: Entry<T> | undefined): void {
    if (known !== undefined) this.#unindex(key, known.value);
    this.#entries.set(key, entry);
    for (const { namesOf, keys } of this.#indexes.values()) {
      for (const name of namesOf(entry.value)) keys.add(name, key);
    }
  }

  #drop(key: string, entry: Entry<T>): readonly Change<T>[] {
    this.#entries.delete(key);
    this.#unindex(key, entry.value);
    return [{ type: 'deleted', key, before: entry.value }];
  }

  #unindex(key: string, value: T): void {
    for (const { namesOf, keys } of this.#indexes.values()) {
      for (const name of namesOf(value)) keys.delete(name, key);
    }
  }
}

/**
 * The keys that are found under a name. Most names have one key, and a Set for each of ten thousand would take more
 * memory than the key: only names with several have a Set.
 */
export class StoreIndex {
  readonly #keys = new Map<string, string | Set<string>>();

  get(name: string): readonly string[] {
    const keys = this.#keys.get(name);
    if (keys === undefined) return [];
    return typeof keys === 'string' ? [keys] : [...keys];
  }

  add(name: string, key: string): void {
    const keys = this.#keys.get(name);
    if (keys === undefined) this.#keys.set(name, key);
    else if (typeof keys !== 'string') keys.add(key);
    else if (keys !== key) this.#keys.set(name, new Set([keys, key]));
  }

  delete(name: string, key: string): void {
    const keys = this.#keys.get(name);
    if (keys === key) this.#keys.delete(name);
    if (typeof keys !== 'object') return;
    keys.delete(key);
    if (keys.size > 1) return;
    for (const last of keys) this.#keys.set(name, last);
  }
}
