import { isDeepStrictEqual } from 'node:util';
import { keyOf, Store } from '../../kube/index.ts';
import type { Change, StoreOptions, KubeObject, ResourceType } from '../../kube/index.ts';
import type { Identity, Kind, OptionalType, Resource, ObservedChild, ObservedPod } from '../api/index.ts';
import { observeChild, observePod, labelledRefs, ownerRefs } from '../observe/index.ts';
import type { KindId, Observer, ResourceRef } from '../observe/index.ts';
import { StringInterner } from './string-interner.ts';

/** Something that was made for a resource, and for which: labels alone may name one of several kinds. */
export interface Made<T> {
  readonly it: T;
  readonly of: readonly ResourceRef[];
}

const BY_RESOURCE = 'resource';
const BY_REFERENCE = 'reference';
const STAYING = 'staying';

const refKey = ({ kind, namespace, name }: ResourceRef): string => `${kind}/${namespace}/${name}`;

/** A type by its group and kind. */
export const typeName = ({ group, kind }: ResourceType): string => `${group}/${kind}`;

/** Whether a type is one that a cluster may not have, or one that it must have. */
export const isOptional =
  (wanted: boolean) =>
  ({ optional = false }: OptionalType): boolean =>
    optional === wanted;

/** Resources are kept whole, but for their managed fields: a quarter of their bytes, which nobody reads. */
export function resourceStore(kind: Kind | undefined): Store<Resource> {
  const strings = new StringInterner();
  return new Store({
    transform: (object) => strings.in(withoutManagedFields(object)),
    indexers: { [BY_REFERENCE]: (resource) => (kind === undefined ? [] : referenceKeys(kind, resource)) },
  });
}

function withoutManagedFields(object: KubeObject): Resource {
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata } as KubeObject & Pick<Resource, 'spec'>;
}

export const childStore = (kinds: readonly KindId[], observer: Observer): Store<Made<ObservedChild>> =>
  madeStore(
    (object, known) => ({
      it: observeChild(object, observer, known?.it),
      of: ownerRefs(kinds, object, observer.identity),
    }),
    { [STAYING]: ({ it, of }) => (it.staysFor === undefined ? [] : of.map(refKey)) },
  );

export const podStore = (kinds: readonly KindId[], identity: Identity): Store<Made<ObservedPod>> =>
  madeStore((object) => ({ it: observePod(object, identity), of: labelledRefs(kinds, object, identity) }));

function madeStore<T>(
  transform: StoreOptions<Made<T>>['transform'],
  indexers: StoreOptions<Made<T>>['indexers'] = {},
): Store<Made<T>> {
  const strings = new StringInterner();
  return new Store({
    transform: (object, known) => strings.in(transform(object, known)),
    indexers: { ...indexers, [BY_RESOURCE]: ({ of }) => of.map(refKey) },
  });
}

/** What was made for a resource. */
export const madeFor = <T>(store: Store<Made<T>>, ref: ResourceRef): readonly T[] =>
  store.byIndex(BY_RESOURCE, refKey(ref)).map(({ it }) => it);

/** Of the children of a resource, those that are being deleted and stay for pods: see staying.ts. */
export const stayingFor = (store: Store<Made<ObservedChild>>, ref: ResourceRef): readonly ObservedChild[] =>
  store.byIndex(STAYING, refKey(ref)).map(({ it }) => it);

/** The resources that refer to one. */
export const referrersOf = (store: Store<Resource>, ref: ResourceRef): readonly Resource[] =>
  store.byIndex(BY_REFERENCE, refKey(ref));

/** Which resource it is. */
export const refOf = ({ kind }: ResourceType, { metadata }: Resource): ResourceRef => ({
  kind,
  namespace: metadata.namespace ?? '',
  name: metadata.name,
});

/** The resource that a reference `Kind/name` means, in the namespace of anyone who refers to it. */
export function parseReference(reference: string, { metadata }: Resource): ResourceRef {
  const slash = reference.indexOf('/');
  const namespace = metadata.namespace ?? '';
  return { kind: reference.slice(0, slash), namespace, name: reference.slice(slash + 1) };
}

/** `Kind/name` of what a resource refers to. */
export function referencesOf(kind: Kind, resource: Resource): readonly string[] {
  try {
    return kind.references?.(resource) ?? [];
  } catch {
    // Stored under an older schema, so that it can't be read any more; its pass says what is wrong with it.
    return [];
  }
}

const referenceKeys = (kind: Kind, resource: Resource): readonly string[] =>
  referencesOf(kind, resource).map((reference) => refKey(parseReference(reference, resource)));

/** Takes in the answer of our own write to a resource: one without the last thing that held it up is gone. */
export function takeIn(store: Store<Resource>, object: KubeObject): void {
  const { metadata } = object;
  const isGone = metadata.deletionTimestamp !== undefined && (metadata.finalizers ?? []).length === 0;
  if (isGone) store.wroteDelete(keyOf(object), metadata.uid);
  else store.wrote(object);
}

/**
 * Takes in the answer of our own write to a child. To observe it is dear, and the watch may have told of it before.
 *
 * @param store - absent where children of its type are not watched any more
 */
export function takeInChild(
  store: Store<Made<ObservedChild>> | undefined,
  object: KubeObject,
  observer: Observer,
): ObservedChild {
  store?.wrote(object);
  const known = store?.get(keyOf(object))?.it;
  return known?.resourceVersion === object.metadata.resourceVersion ? known : observeChild(object, observer);
}

/** Takes in a child that was found. @returns what is known of it now: nothing where its watch has told that it is gone since */
export function takeInFound(
  store: Store<Made<ObservedChild>> | undefined,
  object: KubeObject,
): ObservedChild | undefined {
  store?.wrote(object);
  const known = store?.get(keyOf(object))?.it;
  return known?.uid === object.metadata.uid ? known : undefined;
}

/**
 * The resources that a change concerns: those that the object was, or is, made for. A change of nothing that is kept
 * (a version, a manager's time) concerns nobody.
 */
export function concerned<T extends object>(change: Change<Made<T>>): readonly ResourceRef[] {
  const before = change.type === 'added' ? undefined : change.before;
  const after = change.type === 'deleted' ? undefined : change.value;
  if (before !== undefined && after !== undefined && isSame(before, after)) return [];
  const refs = [...(before?.of ?? []), ...(after?.of ?? [])];
  return [...new Map(refs.map((ref) => [refKey(ref), ref])).values()];
}

/** Whether a child has become ready: what waits for it can continue. */
export const hasBecomeReady = (change: Change<Made<ObservedChild>>): boolean =>
  change.type === 'updated' && change.value.it.ready && !change.before.it.ready;

const isSame = <T extends object>(before: Made<T>, after: Made<T>): boolean =>
  isDeepStrictEqual(withoutVersion(before), withoutVersion(after));

const withoutVersion = <T extends object>({ it, of }: Made<T>): object => ({
  it: { ...it, resourceVersion: '', stamp: '' },
  of,
});
