import { isNotFound } from '../../operator/kube/index.ts';
import { TYPES } from '../../operator/kube/client/resource-types.ts';
import type { KubeClient } from '../../operator/kube/client/client.ts';
import { type KubeObject, pathOf, type ResourceType } from '../../operator/kube/client/types.ts';

/** With pods at once, and what they own in the background. */
const OPTIONS = { apiVersion: 'v1', kind: 'DeleteOptions', gracePeriodSeconds: 0, propagationPolicy: 'Background' };

/**
 * Deletes a namespace whose end somebody waits for, with its pods at once. The namespace controller begins after 5 s; where
 * it finds a pod then, it looks again only after half of that pod's grace period.
 */
export async function deleteNamespace(admin: KubeClient, name: string): Promise<void> {
  await admin.delete(TYPES.namespace, { name });
  await deleteObjects(admin, TYPES.pod, name);
}

/**
 * Deletes what a namespace has of some types, and keeps the namespace: to end one, its controller goes through all types
 * that are served, up to nine times.
 */
export async function emptyNamespace(
  admin: KubeClient,
  namespace: string,
  types: readonly ResourceType[],
): Promise<void> {
  for (const type of types) {
    if ((await objectsIn(admin, type, namespace)).length > 0) await deleteObjects(admin, type, namespace);
  }
}

/** None of a type that is not served. */
export async function objectsIn(
  admin: KubeClient,
  type: ResourceType,
  namespace: string,
): Promise<readonly KubeObject[]> {
  try {
    return (await admin.list(type, { namespace })).items;
  } catch (error) {
    if (isNotFound(error)) return [];
    throw error;
  }
}

/** A thousand objects take an API server longer than one call may: what is left is deleted by the next. */
const deleteObjects = (admin: KubeClient, type: ResourceType, namespace: string): Promise<unknown> =>
  admin.raw('DELETE', pathOf(type, namespace), {
    body: OPTIONS,
    largestBytes: 2 ** 28,
    repeatable: true,
    deadlineMs: 600_000,
  });
