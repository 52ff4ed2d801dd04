import { TRUNNION } from '../../../operator/trunnion.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { OPERATOR_NAMESPACE } from '../../../cli/options.ts';
import type { KubeClient } from '../../../operator/kube/client/client.ts';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';
import type { KubeObject } from '../../../operator/kube/client/types.ts';

const LEASE = { namespace: OPERATOR_NAMESPACE, name: TRUNNION.name };

/** Between two looks, in milliseconds. */
const PAUSE = 100;

/** Who leads: a pod's name and something random; nobody where it is empty. */
export async function leaderOf(client: KubeClient): Promise<string> {
  const lease = (await client.get(TYPES.lease, LEASE)) as KubeObject & { readonly spec?: { holderIdentity?: string } };
  return lease.spec?.holderIdentity ?? '';
}

/** The pod of a leader. */
export const podOf = (leader: string): string => leader.replace(/-[0-9a-f]{8}$/, '');

/** Those who have led, one after the other. */
export interface Succession {
  readonly leaders: readonly string[];
  /** The longest time for which nobody did, in seconds: the Lease was given up, and not yet taken. */
  readonly gap: number;
}

/** Looks at the Lease until it is told to stop. */
export function watchLeadership(client: KubeClient): () => Promise<Succession> {
  const stop = new AbortController();
  const watched = (async () => {
    const leaders: string[] = [];
    let gap = 0;
    for (let since = Date.now(); !stop.signal.aborted; await sleep(PAUSE)) {
      const leader = await leaderOf(client);
      if (leader !== '' && leader !== leaders.at(-1)) leaders.push(leader);
      if (leader === '') gap = Math.max(gap, Date.now() - since);
      else since = Date.now();
    }
    return { leaders, gap: gap / 1_000 };
  })();
  return () => {
    stop.abort();
    return watched;
  };
}
