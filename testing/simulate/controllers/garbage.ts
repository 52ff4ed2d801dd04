import type { KubeObject } from '../../../operator/kube/index.ts';

/** What the garbage collector deletes next: objects all of whose owners are gone, and that are not being deleted yet. */
export function garbageIn(objects: readonly KubeObject[]): readonly KubeObject[] {
  const living = new Set(objects.map(({ metadata }) => metadata.uid));
  return objects.filter(({ metadata: { ownerReferences = [], deletionTimestamp } }) => {
    const isOrphaned = ownerReferences.length > 0 && ownerReferences.every(({ uid }) => !living.has(uid));
    return isOrphaned && deletionTimestamp === undefined;
  });
}
