import { crds } from '../../../stacks/operator/crds.ts';
import { kinds } from '../../../compat/kinds/index.ts';
import type { KubeClient } from '../../../operator/kube/client/client.ts';
import { Discovery } from '../../../operator/kube/discovery.ts';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';
import { cluster } from '../../cluster/support/cluster.ts';
import { eventually } from '../../cluster/support/eventually.ts';
import { trunnion } from '../../support/trunnion.ts';

/** Removes what an earlier test has left: the operator, and the CRDs with resources for which none runs any more. */
export async function reset(admin: KubeClient): Promise<void> {
  await trunnion(['uninstall', '--kubeconfig', cluster().kubeconfig]);
  const discovery = new Discovery(admin);
  for (const { type } of kinds) {
    if (!(await discovery.isServed(type))) continue;
    for (const { metadata } of (await admin.list(type)).items) {
      const held = await admin.delete(type, metadata);
      if (held !== undefined) await admin.patch(type, metadata, { metadata: { finalizers: null } });
    }
  }
  for (const { metadata } of crds()) await admin.delete(TYPES.customResourceDefinition, metadata);
  await eventually(
    async () => {
      for (const { metadata } of crds()) {
        if ((await admin.find(TYPES.customResourceDefinition, metadata)) !== undefined) {
          throw new Error(`${metadata.name} is still there`);
        }
      }
    },
    { timeout: 60_000 },
  );
}
