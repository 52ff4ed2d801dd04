import { TYPES } from '../../kube/index.ts';
import type { KubeClient, CallOptions, WriteOptions, KubeObject, ResourceType } from '../../kube/index.ts';
import { selectorQuery } from '../api/index.ts';
import type { Identity, LabelSelector } from '../api/index.ts';
import { OVER } from './staying.ts';

const NOT_OVER = OVER.map((phase) => `status.phase!=${phase}`).join();

/** Whether a live object has the finalizer by which it outlives the pods that it covers. */
export const isProtected = ({ metadata: { finalizers = [] } }: KubeObject, { podProtection }: Identity): boolean =>
  finalizers.includes(podProtection);

/**
 * Asks the server whether a pod that a policy selects can run. No cache tells for sure: it may be behind, and it has only
 * pods with our label, while a tenant's own may bear the labels of ours.
 */
export async function canAnyRun(
  client: Pick<KubeClient, 'list'>,
  namespace: string,
  selector: LabelSelector,
  call: CallOptions = {},
): Promise<boolean> {
  const labelSelector = selectorQuery(selector);
  const labelled = labelSelector === '' ? {} : { labelSelector };
  const query = { namespace, ...labelled, fieldSelector: NOT_OVER, limit: 1, ...call };
  return (await client.list(TYPES.pod, query)).items.length > 0;
}

/**
 * Takes the finalizer off an object, as it was seen and no other.
 *
 * @returns what is left of it; one that is being deleted, and that no other finalizer holds, is gone
 * @throws ApiError 409 where it has changed since
 */
export function letGoOf(
  client: Pick<KubeClient, 'patch'>,
  type: ResourceType,
  { metadata }: KubeObject,
  { podProtection }: Identity,
  options: WriteOptions,
): Promise<KubeObject> {
  const { name, namespace = '', uid, resourceVersion, finalizers = [] } = metadata;
  const body = { metadata: { uid, resourceVersion, finalizers: finalizers.filter((one) => one !== podProtection) } };
  return client.patch(type, { namespace, name }, body, options);
}
