import { crds } from '../../../stacks/operator/crds.ts';
import { kinds } from '../../../operator/kinds/index.ts';
import type { KubeClient } from '../../../operator/kube/client.ts';
import { Discovery } from '../../../operator/kube/discovery.ts';
import { eventually } from '../../cluster/support/eventually.ts';
import { types } from '../../cluster/support/types.ts';

/** Takes away all CRDs that a test has left, with their resources, for which no operator runs any more. */
export async function reset(admin: KubeClient): Promise<void> {
  const discovery = new Discovery(admin);
  for (const { type } of kinds) {
    if (!(await discovery.isServed(type))) continue;
    for (const { metadata } of (await admin.list(type)).items) {
      const held = await admin.delete(type, metadata);
      if (held !== undefined) await admin.patch(type, metadata, { metadata: { finalizers: null } });
    }
  }
  for (const { metadata } of crds()) await admin.delete(types.customResourceDefinition, metadata);
  await eventually(
    async () => {
      for (const { metadata } of crds()) {
        if ((await admin.find(types.customResourceDefinition, metadata)) !== undefined) {
          throw new Error(`${metadata.name} is still there`);
        }
      }
    },
    { timeout: 60_000 },
  );
}
