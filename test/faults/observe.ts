import { setTimeout as sleep } from 'node:timers/promises';
import { type Json, normalise, type State } from './state.ts';
import type { World } from './world.ts';

type Live = { readonly [key: string]: Json } & { readonly metadata: { readonly name: string } };

/** Collections whose objects are compared whole. */
const COLLECTIONS: readonly (readonly [kind: string, root: string, plural: string])[] = [
  ['ModelServing', '/apis/trunnion.dev/v1alpha1', 'modelservings'],
  ['DistributedTraining', '/apis/trunnion.dev/v1alpha1', 'distributedtrainings'],
  ['ServiceAccount', '/api/v1', 'serviceaccounts'],
  ['ConfigMap', '/api/v1', 'configmaps'],
  ['PersistentVolumeClaim', '/api/v1', 'persistentvolumeclaims'],
  ['Service', '/api/v1', 'services'],
  ['Job', '/apis/batch/v1', 'jobs'],
  ['Deployment', '/apis/apps/v1', 'deployments'],
  ['ReplicaSet', '/apis/apps/v1', 'replicasets'],
  ['PodDisruptionBudget', '/apis/policy/v1', 'poddisruptionbudgets'],
  ['NetworkPolicy', '/apis/networking.k8s.io/v1', 'networkpolicies'],
  ['Ingress', '/apis/networking.k8s.io/v1', 'ingresses'],
  ['HorizontalPodAutoscaler', '/apis/autoscaling/v2', 'horizontalpodautoscalers'],
];

async function list(world: World, root: string, plural: string): Promise<readonly Live[]> {
  return ((await world.api.get(`${root}/namespaces/${world.namespace}/${plural}`)) as { items: Live[] }).items;
}

/** The state of the world's namespace. Pods have random names, so they are counted. */
export async function stateOf(world: World): Promise<State> {
  const lists = await Promise.all(
    COLLECTIONS.map(async ([kind, root, plural]) =>
      (await list(world, root, plural)).map(
        (object) => [`${kind}/${object.metadata.name}`, normalise(object)] as const,
      ),
    ),
  );
  const pods = (await list(world, '/api/v1', 'pods')).map(
    ({ metadata, status }) =>
      `${(metadata as { labels?: Record<string, string> }).labels?.['app.kubernetes.io/component'] ?? ''} ${(status as { phase: string }).phase}`,
  );
  const counts = Object.fromEntries([...Map.groupBy(pods, (pod) => pod)].map(([pod, all]) => [pod, all.length]));
  return { ...Object.fromEntries(lists.flat()), pods: counts };
}

/** How often each object was created and deleted by the operator, as the server carried it out. Events aside. */
export function changesOf(world: World): Readonly<Record<string, number>> {
  const changes: Record<string, number> = {};
  for (const { exchange, status } of world.proxy.log) {
    if (!exchange.write || exchange.resource === 'events' || status === undefined || status >= 300) continue;
    const word = exchange.verb === 'delete' ? 'delete' : status === 201 ? 'create' : undefined;
    if (word === undefined) continue;
    const key = `${word} ${exchange.resource}/${exchange.name ?? ''}`;
    changes[key] = (changes[key] ?? 0) + 1;
  }
  return changes;
}

/** Asks again until there is an answer. */
export async function until<T>(
  what: string,
  ask: () => Promise<T | undefined>,
  timeoutMs = 60_000,
  everyMs = 60,
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const answer = await ask().catch(() => undefined);
    if (answer !== undefined) return answer;
    if (Date.now() > deadline) throw new Error(`waited ${timeoutMs / 1000} s for ${what}`);
    await sleep(everyMs);
  }
}

/** Waits until the operator has written nothing for `quietMs`. */
export async function quiet(world: World, quietMs: number): Promise<void> {
  let writes = -1;
  while (writes !== world.proxy.writes) {
    writes = world.proxy.writes;
    await sleep(quietMs);
  }
}
