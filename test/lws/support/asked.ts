import { TYPES } from '../../../operator/kube/client/resource-types.ts';
import type { KubeClient, KubeObject } from '../../../operator/kube/index.ts';
import { eventually } from '../../cluster/support/eventually.ts';
import { disaggregatedSet, leaderWorkerSet, pod } from './manifests.ts';
import { DISAGGREGATED_SET } from './types.ts';

const where = { namespace: 'default', name: 'asked' };
const DRY_RUN = { dryRun: true };

/**
 * Waits until the API server asks all webhooks: it learns of them a moment after they are applied, and what is made before
 * then has no defaults, on which the controller counts.
 */
export async function untilAsked(client: KubeClient): Promise<void> {
  await eventually(async () => {
    const { spec } = await client.create(TYPES.leaderWorkerSet, leaderWorkerSet(where), DRY_RUN);
    if ((spec as { readonly networkConfig?: object }).networkConfig === undefined) throw new Error('it has no default');
  });
  const rollingUpdateConfiguration = { partition: 1 };
  const partitioned = disaggregatedSet(where, { rolloutStrategy: { rollingUpdateConfiguration } });
  await refused('partition is not supported', () => client.create(DISAGGREGATED_SET, partitioned, DRY_RUN));
  const ofNoSize = pod({ ...where, labels: { 'leaderworkerset.sigs.k8s.io/name': 'asked' } });
  await refused('size annotation is unexpectedly missing', () => client.create(TYPES.pod, ofNoSize, DRY_RUN));
}

const refused = (words: string, create: () => Promise<KubeObject>): Promise<void> =>
  eventually(async () => {
    const answer = await create().then(
      () => 'it is accepted',
      (error: unknown) => String(error),
    );
    if (!answer.includes(words)) throw new Error(`nobody refuses for "${words}": ${answer}`);
  });
