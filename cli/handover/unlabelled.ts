import { MANAGED_BY_LABEL } from '../../operator/engine/api/index.ts';
import type { Kind, ObservedPod, Resource, Snapshot } from '../../operator/engine/api/index.ts';
import { listAll, observePod } from '../../operator/engine/observe/index.ts';
import { type DesiredChild, markOf } from '../../operator/engine/plan/index.ts';
import { type KubeClient, type KubeObject, TYPES } from '../../operator/kube/index.ts';
import { childTypeOf } from '../kube/types.ts';
import { moduleOf, operatorOfKind } from '../user-kinds/known.ts';
import type { Owner } from './ownership.ts';

/**
 * What other hosts have made for a kind of the user's. Our constructs put the labels that tell it on all objects and pods;
 * those of a user's kind come from its operator, so in other hosts there are none.
 */

/**
 * Objects with the names that the construct gives.
 *
 * @param known - those that bear the labels
 */
export async function namesakes(
  client: KubeClient,
  kind: Kind,
  resource: Resource,
  known: readonly KubeObject[],
): Promise<readonly KubeObject[]> {
  if (moduleOf(kind) === undefined) return [];
  const uids = new Set(known.map(({ metadata }) => metadata.uid));
  const found: KubeObject[] = [];
  for (const { manifest } of kind.render(resource, {})) {
    const { apiVersion, kind: type, metadata } = manifest;
    const live = await client.find(childTypeOf(kind, manifest), metadata);
    if (live !== undefined && !uids.has(live.metadata.uid)) found.push({ ...live, apiVersion, kind: type });
  }
  return found;
}

/** The pods that may restart. Those of others' objects bear no label of an operator yet. */
export async function podsBeside(
  client: KubeClient,
  kind: Kind,
  { resource, pods }: Snapshot,
): Promise<readonly ObservedPod[]> {
  if (moduleOf(kind) === undefined) return pods;
  const all = await listAll(client, TYPES.pod, resource.metadata.namespace);
  return all.map((pod) => observePod(pod, operatorOfKind(kind)));
}

/** The labels that the construct puts on a child, without those of the operator. */
function ownLabels(kind: Kind, { manifest }: DesiredChild): readonly (readonly [string, string])[] {
  const marks = new Set([MANAGED_BY_LABEL, ...Object.values<string>({ ...operatorOfKind(kind).labels })]);
  return Object.entries(manifest.metadata.labels ?? {}).filter(([key]) => !marks.has(key));
}

/** Whether an object has all labels that the construct puts on it in every host. */
export function isAlike(kind: Kind, live: KubeObject, child: DesiredChild): boolean {
  if (moduleOf(kind) === undefined) return false;
  const own = ownLabels(kind, child);
  return own.length > 0 && own.every(([key, value]) => live.metadata.labels?.[key] === value);
}

/** Who gets a child, and by which labels those are known who have applied it. */
export function ownerOf(kind: Kind, child: DesiredChild): Owner {
  const operator = operatorOfKind(kind);
  if (moduleOf(kind) === undefined) return { operator };
  const own = ownLabels(kind, child).map(([key]) => ['metadata', 'labels', key]);
  return { operator, marks: [markOf(operator), ...own] };
}
