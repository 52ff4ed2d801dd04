import { selects, type LabelSelector } from '../../../operator/engine/api/label-selector.ts';
import { isPolicy } from '../../../operator/engine/api/policy-types.ts';
import type { KubeClient } from '../../../operator/kube/client/client.ts';
import { frames } from '../../../operator/kube/cache/frames.ts';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';
import type { KubeObject, ResourceType } from '../../../operator/kube/client/types.ts';

interface Frame {
  readonly type: string;
  readonly object: KubeObject;
}

/** What pods and policies of a namespace go through, as the API server tells it. */
export interface Cover {
  /** Moments at which a pod that could run was covered by no policy: empty where all is well. */
  gaps(): readonly string[];
  /** How many pods there were in all. */
  readonly pods: number;
  /** What is seen once this has come true is in it. */
  stop(): void;
}

/**
 * Records when pods and NetworkPolicies come and go. One etcd counts the versions of all objects, so that what two
 * watches tell can be put into one order.
 */
export async function watchCover(admin: KubeClient, namespace: string): Promise<Cover> {
  const seen: Frame[] = [];
  const end = new AbortController();
  for (const type of [TYPES.pod, TYPES.networkPolicy]) await follow(admin, type, namespace, seen, end.signal);
  return {
    gaps: () => gapsIn(seen),
    get pods() {
      return new Set(seen.filter(({ object }) => object.kind === 'Pod').map(({ object }) => object.metadata.uid)).size;
    },
    stop: () => end.abort(),
  };
}

async function follow(
  admin: KubeClient,
  type: ResourceType,
  namespace: string,
  seen: Frame[],
  signal: AbortSignal,
): Promise<void> {
  const { metadata } = await admin.list(type, { namespace });
  const body = await admin.watch(type, namespace, { resourceVersion: metadata.resourceVersion ?? '' }, signal);
  const read = async (): Promise<void> => {
    for await (const frame of frames(body)) seen.push(frame as Frame);
  };
  void read().catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}

/** In the order of versions, the pods that can run and the policies that there are; and when a pod had none. */
function gapsIn(seen: readonly Frame[]): readonly string[] {
  const pods = new Map<string, KubeObject>();
  const policies = new Map<string, KubeObject>();
  const gaps: string[] = [];
  const inOrder = seen.toSorted((a, b) => versionOf(a.object) - versionOf(b.object));
  for (const { type, object } of inOrder) {
    const { uid, name } = object.metadata;
    const into = isPolicy(object) ? policies : pods;
    if (type === 'DELETED' || (into === pods && isOver(object))) into.delete(uid);
    else into.set(uid, object);
    for (const pod of pods.values()) {
      if (![...policies.values()].some((policy) => covers(policy, pod)))
        gaps.push(`${pod.metadata.name} at ${type} ${object.kind} ${name}`);
    }
  }
  return gaps;
}

const versionOf = ({ metadata }: KubeObject): number => Number(metadata.resourceVersion);

const isOver = ({ status }: KubeObject): boolean =>
  ['Succeeded', 'Failed'].includes((status as { readonly phase?: string } | undefined)?.phase ?? '');

const covers = ({ spec }: KubeObject, { metadata: { labels = {} } }: KubeObject): boolean =>
  selects((spec as { readonly podSelector: LabelSelector }).podSelector, labels);
