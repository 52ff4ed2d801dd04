import {
  groupKind,
  type Kind,
  type ObservedPod,
  type Resource,
  type Snapshot,
} from '../../operator/engine/api/index.ts';
import type { Reader } from '../../operator/engine/cache/index.ts';
import {
  CHILD_SELECTOR,
  isMadeFor,
  labelledRefs,
  observeChild,
  observePod,
} from '../../operator/engine/observe/index.ts';
import { apiVersionOf, keyFor, partsOf, TYPES } from '../../operator/kube/index.ts';
import type { KubeObject, ResourceType } from '../../operator/kube/index.ts';
import type { ApiServer } from './server/index.ts';

/** The caches of an operator whose watches are never behind: what it sees is what the API server has. */
export function readerOf<R extends Resource>(server: ApiServer, kind: Kind<R>): Reader<R> {
  return {
    resource: (key) => resourceAt(server, kind.type, partsOf(key)) as R | undefined,
    wroteResource: () => undefined,
    // Only one kind is run.
    conflictOf: () => undefined,
    around: (resource) => aroundOf(server, kind, resource),
    wrote: (object) => observeChild(object),
    found: (object) => observeChild(object),
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
  server: ApiServer,
  kind: Kind<R>,
  resource: Resource,
): { readonly children: readonly KubeObject[]; readonly pods: readonly KubeObject[] } {
  const types = new Set(kind.childTypes.map(typeOf));
  const children = server.objects.filter(
    (object) => types.has(groupKind(object)) && isSelected(object) && isMadeFor(kind as Kind, resource, object),
  );
  const key = keyFor(resource.metadata);
  const pods = server.objects.filter(
    (object) =>
      groupKind(object) === typeOf(TYPES.pod) &&
      labelledRefs([kind as Kind], object).some((ref) => keyFor(ref) === key),
  );
  return { children, pods };
}

function aroundOf<R extends Resource>(
  server: ApiServer,
  kind: Kind<R>,
  resource: R,
): Pick<Snapshot<R>, 'children' | 'pods' | 'related'> {
  const { children, pods } = objectsAround(server, kind, resource);
  return {
    children: children.map((object) => observeChild(object)),
    pods: pods.map((object): ObservedPod => observePod(object)),
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

const typeOf = ({ group, kind }: ResourceType): string => `${group}/${kind}`;

const [CHILD_LABEL = '', CHILD_VALUE] = CHILD_SELECTOR.split('=');

/** Whether the watches of children are told of it. */
const isSelected = ({ metadata: { labels = {} } }: KubeObject): boolean => labels[CHILD_LABEL] === CHILD_VALUE;
