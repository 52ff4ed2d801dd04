import { isNotFound, type KubeClient, type ObjectRef, type ResourceType } from '../../operator/kube/index.ts';

/**
 * Deletes an object; what belongs to it goes after it.
 *
 * @returns whether it was there. The API server gives back only what something still holds up, so its answer does not tell.
 */
export async function removed(
  client: Pick<KubeClient, 'delete'>,
  type: ResourceType,
  ref: ObjectRef,
): Promise<boolean> {
  try {
    await client.delete(type, ref, { propagationPolicy: 'Background', mustExist: true });
    return true;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}
