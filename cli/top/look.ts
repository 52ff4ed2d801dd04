import type { ConnectionSource, KubeClient } from '../../operator/kube/index.ts';
import { allKinds } from '../kinds.ts';
import { portForward } from '../kube/port-forward.ts';
import type { Dial } from './engines.ts';
import { observe } from './observe.ts';
import { tableOf } from './table.ts';
import type { Table } from './types.ts';

/** What resources ask of GPUs, and how much they do with them now. Engines are asked by a port-forward. */
export async function look(
  client: KubeClient,
  connection: ConnectionSource,
  namespace: string | undefined,
  signal: AbortSignal,
): Promise<Table> {
  const current = await connection.current();
  const dial: Dial = (pod, port, inTime) => portForward(current, pod, port, inTime);
  return tableOf(await observe({ client, dial, kinds: allKinds, namespace, signal }));
}
