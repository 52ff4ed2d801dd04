import type { KubeClient } from '../../../operator/kube/client/client.ts';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';

/** What workloads are made of. */
const CHILDREN = [
  TYPES.configMap,
  TYPES.deployment,
  TYPES.networkPolicy,
  TYPES.persistentVolumeClaim,
  TYPES.pod,
  TYPES.podDisruptionBudget,
  TYPES.replicaSet,
  TYPES.service,
  TYPES.serviceAccount,
];

/** An object that nobody has written to is the same in all of this. */
export interface Written {
  readonly uid: string;
  readonly generation: number | undefined;
  readonly resourceVersion: string;
}

/** The objects of all workloads of a namespace, by kind and name. */
export async function workloadsOf(client: KubeClient, namespace: string): Promise<Readonly<Record<string, Written>>> {
  const labelSelector = 'app.kubernetes.io/part-of=trunnion';
  const lists = await Promise.all(CHILDREN.map((type) => client.list(type, { namespace, labelSelector })));
  const entries = CHILDREN.flatMap(({ kind }, index) =>
    (lists[index]?.items ?? []).map(({ metadata }): readonly [string, Written] => {
      const { name, uid, generation, resourceVersion } = metadata;
      return [`${kind} ${name}`, { uid, generation, resourceVersion }];
    }),
  );
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
