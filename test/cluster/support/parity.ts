import type { Manifest } from '../../../constructs/index.ts';
import type { Kind } from '../../../operator/engine/api/kind.ts';
import type { KubeClient } from '../../../operator/kube/client/client.ts';
import { extract } from '../../../operator/kube/apply/owned-fields.ts';
import { apiVersionOf, type KubeObject, type ResourceType } from '../../../operator/kube/client/types.ts';

const MANAGED = 'app.kubernetes.io/managed-by';

/** What the operator applied: the fields that its manager owns, with what names the object; without what only the operator adds. */
function applied(live: KubeObject): Manifest {
  const owned = extract(live, 'trunnion') as {
    metadata?: { labels?: Record<string, string>; ownerReferences?: unknown; finalizers?: unknown };
  };
  const { labels = {}, ownerReferences: _, finalizers: __, ...metadata } = owned.metadata ?? {};
  const { [MANAGED]: ___, ...others } = labels;
  const {
    apiVersion,
    kind,
    metadata: { name, namespace = '' },
  } = live;
  return { ...owned, apiVersion, kind, metadata: { ...metadata, name, namespace, labels: others } };
}

/** The server doesn't keep what is empty: to it, no list or map and an empty one are the same. */
function withoutEmpty<T>(value: T): T {
  if (Array.isArray(value)) return value.map(withoutEmpty) as T;
  if (typeof value !== 'object' || value === null) return value;
  const inner = Object.entries(value).map(([key, one]) => [key, withoutEmpty(one)] as const);
  return Object.fromEntries(inner.filter(([, one]) => !isEmpty(one))) as T;
}

const isEmpty = (value: unknown): boolean =>
  value === null || (typeof value === 'object' && Object.keys(value).length === 0);

const identity = ({ kind, metadata }: Pick<Manifest, 'kind' | 'metadata'>): string => `${kind}/${metadata.name}`;
/** Manifests by kind and name, without what is empty. */
export const byIdentity = (manifests: readonly Manifest[]): Readonly<Record<string, Manifest>> =>
  Object.fromEntries(manifests.map((manifest) => [identity(manifest), withoutEmpty(manifest)]));

/** What the operator has applied for a resource, by kind and name: without what only the operator adds. */
export async function appliedFor(
  admin: KubeClient,
  kind: Pick<Kind, 'childTypes' | 'label'>,
  { namespace, name }: { readonly namespace: string; readonly name: string },
): Promise<Readonly<Record<string, Manifest>>> {
  const labelSelector = `${MANAGED}=trunnion,app.kubernetes.io/name=${kind.label},app.kubernetes.io/instance=${name}`;
  const lists = await Promise.all(
    kind.childTypes.map(async (type) =>
      (await admin.list(type, { namespace, labelSelector })).items.map((item) => typed(item, type)),
    ),
  );
  return appliedOf(lists.flat());
}

/** What the operator has applied of live objects, by kind and name: without what only the operator adds. */
export const appliedOf = (objects: readonly KubeObject[]): Readonly<Record<string, Manifest>> =>
  byIdentity(objects.map(applied));

/** An item of a list, which does not say of what type it is. */
export const typed = (item: KubeObject, type: ResourceType): KubeObject => ({
  ...item,
  apiVersion: apiVersionOf(type),
  kind: type.kind,
});
