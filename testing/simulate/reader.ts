import {
  groupKind,
  MANAGED_BY_LABEL,
  type Kind,
  type ObservedChild,
  type ObservedPod,
  type Resource,
  type Snapshot,
} from '../../operator/engine/api/index.ts';
import { typeName, type Reader } from '../../operator/engine/cache/index.ts';
import { isMadeFor, labelledRefs, observeChild, observePod } from '../../operator/engine/observe/index.ts';
import type { Observer } from '../../operator/engine/observe/index.ts';
import { apiVersionOf, keyFor, partsOf, TYPES } from '../../operator/kube/index.ts';
import type { KubeObject, ResourceType } from '../../operator/kube/index.ts';
import { frozen, type ApiServer } from './server/index.ts';

/** What is read, for which kind, and by whose rules. */
export interface View<R extends Resource> {
  readonly server: ApiServer;
  readonly kind: Kind<R>;
  readonly observer: Observer;
  /** A live object as the operator sees it. */
  readonly observe: (object: KubeObject) => ObservedChild;
}

/** Objects are never changed, but replaced: each is observed once. */
export function observeWith(observer: Observer): View<Resource>['observe'] {
  const known = new WeakMap<KubeObject, ObservedChild>();
  return (object) => {
    const observed = known.get(object) ?? frozen(observeChild(object, observer));
    known.set(object, observed);
    return observed;
  };
}

/** The caches of an operator whose watches are never behind: what it sees is what the API server has. */
export function readerOf<R extends Resource>(view: View<R>): Reader<R> {
  const { server, kind, observe } = view;
  return {
    resource: (key) => resourceAt(server, kind.type, partsOf(key)) as R | undefined,
    wroteResource: () => undefined,
    // Only one kind is run.
    conflictOf: () => undefined,
    around: (resource) => aroundOf(view, resource),
    wrote: observe,
    found: observe,
    wroteDelete: () => undefined,
  };
}

/** A resource as the cache has it. */
export function resourceAt(
  server: ApiServer,
  type: ResourceType,
  { namespace = '', name }: { readonly namespace?: string; readonly name: string },
): Resource | undefined {
  const object = server.find({ apiVersion: apiVersionOf(type), kind: type.kind, namespace, name });
  if (object === undefined) return undefined;
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata } as unknown as Resource;
}

/** The live children of a resource, and its pods, as objects. */
export function objectsAround<R extends Resource>(
  { server, kind, observer: { identity } }: View<R>,
  resource: Resource,
): { readonly children: readonly KubeObject[]; readonly pods: readonly KubeObject[] } {
  const types = new Set(kind.childTypes.map(typeName));
  const isSelected = ({ metadata: { labels = {} } }: KubeObject): boolean =>
    labels[MANAGED_BY_LABEL] === identity.managedBy;
  const children = server.objects.filter(
    (object) =>
      types.has(groupKind(object)) && isSelected(object) && isMadeFor(kind as Kind, resource, object, identity),
  );
  const key = keyFor(resource.metadata);
  const pods = server.objects.filter(
    (object) =>
      groupKind(object) === typeName(TYPES.pod) &&
      object.metadata.labels?.[identity.labels.operator] === identity.partOf &&
      labelledRefs([kind as Kind], object, identity).some((ref) => keyFor(ref) === key),
  );
  return { children, pods };
}

function aroundOf<R extends Resource>(view: View<R>, resource: R): Pick<Snapshot<R>, 'children' | 'pods' | 'related'> {
  const { server, kind, observer, observe } = view;
  const { children, pods } = objectsAround(view, resource);
  return {
    children: children.map(observe),
    pods: pods.map((object): ObservedPod => observePod(object, observer.identity)),
    related: Object.fromEntries(
      (kind.references?.(resource) ?? []).flatMap((reference) => {
        const related = relatedTo(server, kind, resource, reference);
        return related === undefined ? [] : [[reference, related] as const];
      }),
    ),
  };
}

/** The resource that a reference `Kind/name` means. */
function relatedTo<R extends Resource>(
  server: ApiServer,
  { refersTo = [] }: Kind<R>,
  { metadata: { namespace = '' } }: Resource,
  reference: string,
): Resource | undefined {
  const slash = reference.indexOf('/');
  const type = refersTo.find(({ kind }) => kind === reference.slice(0, slash));
  if (type === undefined) return undefined;
  const where = type.scope === 'Cluster' ? '' : namespace;
  return resourceAt(server, type, { namespace: where, name: reference.slice(slash + 1) });
}
