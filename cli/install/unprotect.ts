import { listAll } from '../../operator/engine/lists.ts';
import { canAnyRun, isProtected, letGoOf } from '../../operator/engine/letting-go.ts';
import { staysFor } from '../../operator/engine/staying.ts';
import { isNotFound, type KubeClient, type KubeObject, type ResourceType } from '../../operator/kube/index.ts';
import { untilUnchanged } from '../handover/unchanged.ts';
import { FIELD_MANAGER } from '../kube/client.ts';

/** The type of what outlives the pods that it covers. */
export const NETWORK_POLICIES: ResourceType = {
  group: 'networking.k8s.io',
  version: 'v1',
  kind: 'NetworkPolicy',
  plural: 'networkpolicies',
};

/** What an operator that is gone would hold for ever. */
export interface Unprotected {
  /** How many policies no longer wait for it. */
  readonly freed: number;
  /** Those that are being deleted and cover pods that still run: `models/llama`. */
  readonly waiting: readonly string[];
}

/**
 * Takes the operator's finalizer off NetworkPolicies, once no operator runs. Those that are being deleted keep it for as
 * long as a pod that they cover can run: they would be gone at once.
 *
 * @param namespace - undefined for all of them
 */
export async function unprotect(client: KubeClient, namespace: string | undefined): Promise<Unprotected> {
  const policies = (await listAll(client, NETWORK_POLICIES, namespace)).filter(isProtected);
  const waiting: string[] = [];
  for (const { metadata } of policies) {
    if (!(await untilUnchanged(() => free(client, metadata)))) waiting.push(`${metadata.namespace}/${metadata.name}`);
  }
  return { freed: policies.length - waiting.length, waiting };
}

/** @returns whether it is free */
async function free(client: KubeClient, { namespace = '', name }: KubeObject['metadata']): Promise<boolean> {
  const live = await client.find(NETWORK_POLICIES, { namespace, name });
  if (live === undefined || !isProtected(live)) return true;
  const selector = staysFor(live);
  if (selector !== undefined && (await canAnyRun(client, namespace, selector))) return false;
  try {
    await letGoOf(client, NETWORK_POLICIES, live, { fieldManager: FIELD_MANAGER });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
  return true;
}
