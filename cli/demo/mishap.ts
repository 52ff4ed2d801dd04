import type { KubeClient } from '../../operator/kube/index.ts';
import { TYPES } from '../../operator/kube/index.ts';

/** Has the simulated pod of a rank fail, as programs do. */
export async function failRank(
  client: KubeClient,
  { namespace, name, rank }: { readonly namespace: string; readonly name: string; readonly rank: number },
): Promise<void> {
  const labelSelector = `app.kubernetes.io/instance=${name},batch.kubernetes.io/job-completion-index=${rank}`;
  const { items } = await client.list(TYPES.pod, { namespace, labelSelector });
  const annotations = { 'sim.trunnion.dev/fail': '1', 'sim.trunnion.dev/message': 'loss is NaN' };
  for (const { metadata } of items) await client.patch(TYPES.pod, metadata, { metadata: { annotations } });
}
