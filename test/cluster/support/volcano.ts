import type { KubeClient } from '../../../operator/kube/client/client.ts';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';
import { eventually } from './eventually.ts';

/** What is rendered of Volcano's PodGroup, with its own types and default: its CRD is in no package registry. */
const SPEC = {
  type: 'object',
  properties: {
    minMember: { type: 'integer', format: 'int32' },
    queue: { type: 'string', default: 'default' },
    priorityClassName: { type: 'string' },
  },
};

const POD_GROUPS = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${TYPES.podGroup.plural}.${TYPES.podGroup.group}` },
  spec: {
    group: TYPES.podGroup.group,
    scope: 'Namespaced',
    names: { kind: TYPES.podGroup.kind, plural: TYPES.podGroup.plural },
    versions: [
      {
        name: TYPES.podGroup.version,
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', properties: { spec: SPEC } } },
      },
    ],
  },
};

/**
 * Has the API server take PodGroups.
 *
 * @returns a function that takes them away
 */
export async function installPodGroups(admin: KubeClient): Promise<() => Promise<void>> {
  await admin.create(TYPES.customResourceDefinition, POD_GROUPS);
  await eventually(() => admin.list(TYPES.podGroup, { namespace: 'default' }));
  return async () => {
    await admin.delete(TYPES.customResourceDefinition, POD_GROUPS.metadata);
  };
}
