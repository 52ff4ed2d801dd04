import { onTestFinished } from 'vitest';
import { frames } from '../../../operator/kube/cache/frames.ts';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';
import type { KubeClient, KubeObject, ResourceType } from '../../../operator/kube/index.ts';
import { testNamespace } from '../../cluster/support/namespace.ts';
import { emptyNamespace } from '../../support/namespace.ts';
import { DISAGGREGATED_SET } from './types.ts';

/** A namespace for this test alone, in which nothing makes pods any more when the test ends. */
export async function lwsNamespace(admin: KubeClient): Promise<string> {
  const namespace = await testNamespace(admin);
  onTestFinished(() => emptyNamespace(admin, namespace, [DISAGGREGATED_SET, TYPES.leaderWorkerSet, TYPES.statefulSet]));
  return namespace;
}

export const labelOf = (object: KubeObject, label: string): string | undefined =>
  object.metadata.labels?.[`leaderworkerset.sigs.k8s.io/${label}`];

/** Whether a pod is ready, and stays. */
export function isReady({ metadata, status }: KubeObject): boolean {
  const { conditions = [] } = status as { readonly conditions?: readonly { type: string; status: string }[] };
  const ready = conditions.some((condition) => condition.type === 'Ready' && condition.status === 'True');
  return ready && metadata.deletionTimestamp === undefined;
}

/** The pods of a LeaderWorkerSet, by name. */
export async function podsOf(
  admin: KubeClient,
  { namespace, name }: { readonly namespace: string; readonly name: string },
): Promise<readonly KubeObject[]> {
  const { items } = await admin.list(TYPES.pod, {
    namespace,
    labelSelector: `leaderworkerset.sigs.k8s.io/name=${name}`,
  });
  return items.toSorted((a, b) => a.metadata.name.localeCompare(b.metadata.name));
}

/** What happens to the pods of a namespace, from the beginning on. */
export interface Watched {
  /**
   * The fewest groups of `size` ready pods that there were at any time since the first `desired` were ready.
   *
   * @param role - of a DisaggregatedSet, in all its revisions
   */
  fewestReady(desired: number, size: number, role?: string): number;
  /** The UIDs of all pods that had a name. */
  uids(name: string): readonly string[];
  /**
   * The images that pods of this name were made with, in their order. One that was made twice in a row is there once: kwok deletes
   * a pod by its name, sometimes twice, and then the second time hits the pod that has just replaced it.
   */
  images(name: string): readonly string[];
}

/** An event of a watch. */
export interface Frame {
  readonly type: string;
  readonly object: KubeObject;
}

/** Collects what happens to the objects of a type in a namespace, until the test ends. Those that are there come first. */
export async function follow(admin: KubeClient, type: ResourceType, namespace: string): Promise<readonly Frame[]> {
  const end = new AbortController();
  onTestFinished(() => end.abort());
  const { metadata, items } = await admin.list(type, { namespace });
  const seen: Frame[] = items.map((object) => ({ type: 'ADDED', object }));
  const body = await admin.watch(type, namespace, { resourceVersion: metadata.resourceVersion ?? '' }, end.signal);
  const read = async (): Promise<void> => {
    for await (const frame of frames(body)) seen.push(frame as Frame);
  };
  void read().catch((error: unknown) => {
    if (!end.signal.aborted) throw error;
  });
  return seen;
}

/** Watches the pods of a namespace until the test ends. */
export async function watchPods(admin: KubeClient, namespace: string): Promise<Watched> {
  const seen = await follow(admin, TYPES.pod, namespace);
  const made = (name: string) => seen.filter(({ type, object }) => type === 'ADDED' && object.metadata.name === name);
  return {
    fewestReady: (desired, size, role) =>
      fewest(
        seen.filter(({ object }) => object.metadata.labels?.['disaggregatedset.x-k8s.io/role'] === role),
        desired,
        size,
      ),
    uids: (name) => made(name).map(({ object }) => object.metadata.uid),
    images: (name) =>
      made(name)
        .map(({ object }) => imageOf(object))
        .filter((image, index, all) => image !== all[index - 1]),
  };
}

export const imageOf = ({ spec }: KubeObject): string =>
  (spec as { readonly containers: readonly { readonly image: string }[] }).containers[0]?.image ?? '';

function fewest(seen: readonly Frame[], desired: number, size: number): number {
  const pods = new Map<string, KubeObject>();
  let least = Infinity;
  for (const { type, object } of seen) {
    if (type === 'DELETED') pods.delete(object.metadata.uid);
    else pods.set(object.metadata.uid, object);
    const groups = Map.groupBy([...pods.values()].filter(isReady), (pod) => labelOf(pod, 'group-key'));
    const ready = [...groups.values()].filter((group) => group.length === size).length;
    if (ready >= desired || least < Infinity) least = Math.min(least, ready);
  }
  return least;
}
