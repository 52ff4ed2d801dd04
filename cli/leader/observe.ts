import { TRUNNION } from '../../operator/trunnion.ts';
import type { Identity } from '../../operator/engine/api/index.ts';
import { ApiError, TYPES } from '../../operator/kube/index.ts';
import type { KubeClient } from '../../operator/kube/index.ts';
import { span } from '../layout.ts';
import { leaseStateOf, secondsAway } from './lease.ts';

/** What is looked for. */
interface Look {
  /** @default - ours */
  readonly operator?: Identity;
  readonly operatorNamespace: string;
  readonly now: number;
}

/**
 * That no operator is at work, as a note for people; undefined where one is, where none holds a Lease, and where the caller
 * may not read it.
 */
export async function operatorAbsence(
  client: Pick<KubeClient, 'find'>,
  { operator = TRUNNION, operatorNamespace, now }: Look,
): Promise<string | undefined> {
  try {
    const lease = await client.find(TYPES.lease, { namespace: operatorNamespace, name: operator.name });
    const seconds = lease && secondsAway(leaseStateOf(lease, now));
    if (seconds === undefined) return undefined;
    return `No operator has been at work for ${span(seconds)}: what conditions say may be out of date. ${operator === TRUNNION ? 'To see why: trunnion doctor' : `To see why: kubectl logs -n ${operatorNamespace} deploy/${operator.name}`}`;
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}
