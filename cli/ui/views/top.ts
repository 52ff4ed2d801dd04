import type { ConnectionSource } from '../../../operator/kube/index.ts';
import { allKinds } from '../../kinds.ts';
import { portForward } from '../../kube/port-forward.ts';
import type { Dial } from '../../top/engines.ts';
import { observe } from '../../top/observe.ts';
import { tableOf } from '../../top/table.ts';
import type { Top } from '../api.ts';
import type { Cluster } from './overview.ts';

/** What resources ask of GPUs, and how much they do with them. */
export async function topOf(
  { client }: Cluster,
  connection: ConnectionSource,
  namespace: string | undefined,
  signal: AbortSignal,
): Promise<Top> {
  const current = await connection.current();
  const dial: Dial = (pod, port, inTime) => portForward(current, pod, port, inTime);
  return tableOf(await observe({ client, dial, kinds: allKinds, namespace, signal }));
}
