import { TRUNNION } from '../../operator/trunnion.ts';
import type { Kind, Resource, ObservedPod } from '../../operator/engine/api/index.ts';
import { observePod, podsOf } from '../../operator/engine/observe/index.ts';
import { Reflector, Store, TYPES } from '../../operator/kube/index.ts';
import type { KubeClient, ReflectorEvent } from '../../operator/kube/index.ts';

/** Selects the pods of a resource. */
export const selectorOf = (kind: Pick<Kind, 'label'>, { metadata }: Pick<Resource, 'metadata'>): string =>
  podsOf(TRUNNION, kind, metadata.name);

/** Rank 10 comes after rank 9, and earlier attempts before later ones. */
export const inOrder = (pods: readonly ObservedPod[]): readonly ObservedPod[] =>
  pods.toSorted((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }));

/** Follows the pods of a resource. */
export function podReflector(
  client: KubeClient,
  kind: Pick<Kind, 'label'>,
  resource: Pick<Resource, 'metadata'>,
  report: (event: ReflectorEvent) => void,
): Reflector<ObservedPod> {
  const { namespace = '' } = resource.metadata;
  const store = new Store({ transform: (object) => observePod(object, TRUNNION) });
  const labelSelector = selectorOf(kind, resource);
  return new Reflector({ client, type: TYPES.pod, namespace, labelSelector, store, report });
}
