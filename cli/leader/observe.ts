import { TRUNNION } from '../../operator/name.ts';
import { ApiError, TYPES } from '../../operator/kube/index.ts';
import type { KubeClient } from '../../operator/kube/index.ts';
import { span } from '../layout.ts';
import { leaseStateOf, secondsAway } from './lease.ts';

/**
 * That no operator is at work, as a note for people; undefined where one is, where none holds a Lease, and where the caller
 * may not read it.
 */
export async function operatorAbsence(
  client: Pick<KubeClient, 'find'>,
  { operatorNamespace, now }: { readonly operatorNamespace: string; readonly now: number },
): Promise<string | undefined> {
  try {
    const lease = await client.find(TYPES.lease, { namespace: operatorNamespace, name: TRUNNION.name });
    const seconds = lease && secondsAway(leaseStateOf(lease, now));
    if (seconds === undefined) return undefined;
    return `No operator has been at work for ${span(seconds)}: what conditions say may be out of date. To see why: trunnion doctor`;
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}
