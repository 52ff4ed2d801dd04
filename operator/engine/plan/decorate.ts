import type { Manifest, RenderedChild } from '../../../constructs/workload.ts';
import { digestOf } from '../../kube/index.ts';
import type { OwnerReference } from '../../kube/index.ts';
import { namedBy, MANAGED_BY, MANAGED_BY_LABEL } from '../api/index.ts';
import type { Resource } from '../api/index.ts';
import type { DesiredChild } from './plan.ts';
import { isToOutlivePods, protectedManifest } from '../observe/index.ts';

/**
 * Adds to a rendered child what only the operator adds: the label by which it finds its children again, and the owner
 * reference by which the garbage collector does. What is retained has no owner, or it would go with the resource. A
 * policy gets a finalizer, by which it outlives the pods that it covers: see staying.ts.
 */
export function decorate(
  child: RenderedChild,
  owner: Pick<Resource, 'apiVersion' | 'kind' | 'metadata'>,
): DesiredChild {
  const { metadata } = child.manifest;
  const manifest: Manifest = {
    ...child.manifest,
    metadata: {
      ...metadata,
      labels: { ...metadata.labels, [MANAGED_BY_LABEL]: MANAGED_BY },
      ...(!child.retain && { ownerReferences: [ownerReference(owner)] }),
    },
  };
  const whole = isToOutlivePods(manifest) ? protectedManifest(manifest) : manifest;
  return { ...child, object: namedBy(whole), manifest: whole, digest: digestOf(whole) };
}

/** The reference by which the garbage collector finds what belongs to a resource. */
export function ownerReference({
  apiVersion,
  kind,
  metadata,
}: Pick<Resource, 'apiVersion' | 'kind' | 'metadata'>): OwnerReference {
  return { apiVersion, kind, name: metadata.name, uid: metadata.uid, controller: true, blockOwnerDeletion: true };
}
