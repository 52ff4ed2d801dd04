import { TRUNNION } from '../../operator/trunnion.ts';
import { listAll, canAnyRun, isProtected, letGoOf, staysFor } from '../../operator/engine/observe/index.ts';
import { POLICY_TYPES } from '../../operator/engine/api/index.ts';
import {
  Discovery,
  isNotFound,
  type KubeClient,
  type KubeObject,
  type ResourceType,
} from '../../operator/kube/index.ts';
import { untilUnchanged } from '../handover/unchanged.ts';
import { FIELD_MANAGER } from '../kube/client.ts';

/** What an operator that is gone would hold forever. */
export interface Unprotected {
  /** How many policies no longer wait for it. */
  readonly freed: number;
  /** Those that are being deleted and cover pods that still run: `NetworkPolicy models/llama`. */
  readonly waiting: readonly string[];
}

/**
 * Takes the operator's finalizer off the policies of pods, once no operator runs. Those that are being deleted keep it for as
 * long as a pod that they cover can run: they would be gone at once. Not so those whose CRD is being deleted, and would wait.
 *
 * @param namespace - undefined for all of them
 */
export async function unprotect(client: KubeClient, namespace: string | undefined): Promise<Unprotected> {
  const discovery = new Discovery(client);
  const waiting: string[] = [];
  let freed = 0;
  for (const type of POLICY_TYPES) {
    if (!(await discovery.isServed(type))) continue;
    const isLeaving = await discovery.isLeaving(type);
    const found = await listAll(client, type, namespace);
    for (const { metadata } of found.filter((object) => isProtected(object, TRUNNION))) {
      if (await untilUnchanged(() => free(client, type, metadata, isLeaving))) freed += 1;
      else waiting.push(`${type.kind} ${metadata.namespace}/${metadata.name}`);
    }
  }
  return { freed, waiting };
}

/** @returns whether it is free */
async function free(
  client: KubeClient,
  type: ResourceType,
  { namespace = '', name }: KubeObject['metadata'],
  anyway: boolean,
): Promise<boolean> {
  const live = await client.find(type, { namespace, name });
  if (live === undefined || !isProtected(live, TRUNNION)) return true;
  const selector = anyway ? undefined : staysFor(live, TRUNNION);
  if (selector !== undefined && (await canAnyRun(client, namespace, selector))) return false;
  try {
    await letGoOf(client, type, live, TRUNNION, { fieldManager: FIELD_MANAGER });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
  return true;
}
