import type { KubeClient } from '../../../operator/kube/client/client.ts';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';
import { eventually } from './eventually.ts';

/**
 * Lets no pod start until some have been told what to do: see cluster/manifests/pod-step.jq.
 *
 * @param pods - how many there will be
 */
export async function held(
  admin: KubeClient,
  { namespace, labelSelector, pods }: { namespace: string; labelSelector: string; pods: number },
  annotations: Readonly<Record<string, string>>,
  act: () => Promise<unknown>,
): Promise<void> {
  const cordon = async (unschedulable: boolean): Promise<void> => {
    const { items } = await admin.list(TYPES.node);
    for (const { metadata } of items) await admin.patch(TYPES.node, metadata, { spec: { unschedulable } });
  };
  await cordon(true);
  try {
    await act();
    const all = await eventually(async () => {
      const { items } = await admin.list(TYPES.pod, { namespace, labelSelector });
      // One that is about to go is told nothing: another one comes instead.
      const staying = items.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
      if (staying.length !== pods) throw new Error(`there are ${staying.length} pods`);
      return staying;
    });
    for (const { metadata } of all) await admin.patch(TYPES.pod, metadata, { metadata: { annotations } });
  } finally {
    await cordon(false);
  }
}
