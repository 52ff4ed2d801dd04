import type { Manifest, RenderedChild } from '../../../constructs/workload.ts';
import { digestOf } from '../../kube/index.ts';
import type { OwnerReference } from '../../kube/index.ts';
import { namedBy, MANAGED_BY_LABEL } from '../api/index.ts';
import type { Identity, Kind, Resource } from '../api/index.ts';
import { isToOutlivePods, protectedManifest } from '../observe/index.ts';
import { withPodLabels } from './pod-labels.ts';
import type { DesiredChild } from './plan.ts';

type Owner = Pick<Resource, 'apiVersion' | 'kind' | 'metadata'>;
type Labels = Readonly<Record<string, string>>;

/**
 * Adds to a rendered child what only the operator adds: the labels by which it finds its children and their pods again,
 * and the owner reference by which the garbage collector does. What is retained has no owner, or it would go with the
 * resource. A policy gets a finalizer, by which it outlives the pods that it covers: see staying.ts.
 */
export function decorate(
  child: RenderedChild,
  owner: Owner,
  kind: Pick<Kind, 'label'>,
  identity: Identity,
): DesiredChild {
  const { metadata } = child.manifest;
  const isElsewhere = liesElsewhere(metadata.namespace, owner);
  const found = { ...labelsFor(kind, owner, identity), ...(isElsewhere && placeOf(owner, identity)) };
  const whose = isElsewhere && !child.retain ? { [identity.labels.uid]: owner.metadata.uid } : {};
  const manifest: Manifest = {
    ...withPodLabels(child.manifest, found),
    metadata: {
      ...metadata,
      labels: { ...found, ...metadata.labels, ...whose, [MANAGED_BY_LABEL]: identity.managedBy },
      ...(!child.retain && !isElsewhere && { ownerReferences: [ownerReference(owner)] }),
    },
  };
  const whole = isToOutlivePods(manifest) ? protectedManifest(manifest, identity) : manifest;
  return { ...child, object: namedBy(whole), manifest: whole, digest: digestOf(whole) };
}

/** By which a child, and a pod of it, is found to be of a resource. */
export const labelsFor = (
  { label }: Pick<Kind, 'label'>,
  { metadata }: Owner,
  { labels, partOf }: Identity,
): Labels => ({
  [labels.operator]: partOf,
  [labels.kind]: label,
  [labels.name]: metadata.name,
});

/** Where the resource lies: nothing is told of one of the cluster. */
const placeOf = ({ metadata: { namespace } }: Owner, { labels }: Identity): Labels =>
  namespace === undefined ? {} : { [labels.namespace]: namespace };

/**
 * Whether a child can't have its resource as its owner, since it lies in another namespace, or in none while the resource
 * lies in one: the garbage collector would take the owner for gone, and delete it.
 */
export const liesElsewhere = (namespace: string | undefined, { metadata }: Pick<Resource, 'metadata'>): boolean =>
  metadata.namespace !== undefined && namespace !== metadata.namespace;

/** The reference by which the garbage collector finds what belongs to a resource. */
export function ownerReference({ apiVersion, kind, metadata }: Owner): OwnerReference {
  return { apiVersion, kind, name: metadata.name, uid: metadata.uid, controller: true, blockOwnerDeletion: true };
}
