import { TYPES } from '../../operator/kube/client/resource-types.ts';
import type { KubeClient } from '../../operator/kube/client/client.ts';

/**
 * Deletes a namespace whose end somebody waits for, with its pods at once. The namespace controller begins after 5 s; where
 * it finds a pod then, it looks again only after half of that pod's grace period.
 */
export async function deleteNamespace(admin: KubeClient, name: string): Promise<void> {
  await admin.delete(TYPES.namespace, { name });
  const body = { apiVersion: 'v1', kind: 'DeleteOptions', gracePeriodSeconds: 0 };
  await admin.raw('DELETE', `/api/v1/namespaces/${name}/pods`, { body, largestBytes: 2 ** 28 });
}
