import { setTimeout as sleep } from 'node:timers/promises';
import { kinds } from '../../compat/kinds/index.ts';
import { TYPES } from '../../operator/kube/client/resource-types.ts';
import type { ResourceType } from '../../operator/kube/client/types.ts';
import type { Exchange } from './proxy/exchange.ts';
import { isCarriedOut } from './proxy/proxy.ts';
import type { Json } from '../../constructs/schema/json.ts';
import { normalise, type State } from './state.ts';
import type { World } from './world.ts';

type Live = { readonly [key: string]: Json } & {
  readonly metadata: { readonly name: string; readonly annotations?: Readonly<Record<string, string>> };
};

/** What is compared whole: the resources of all kinds, their children, and what others make for these. */
const COMPARED: readonly ResourceType[] = [
  ...kinds.map(({ type }) => type),
  ...new Map(
    kinds
      .flatMap(({ childTypes }) => childTypes.filter(({ optional }) => optional !== true))
      .map((type) => [type.plural, type]),
  ).values(),
  TYPES.replicaSet,
];

async function list({ client, namespace }: World, type: ResourceType): Promise<readonly Live[]> {
  return (await client.list(type, { namespace })).items as readonly unknown[] as readonly Live[];
}

/** All that is there, as it is, to find out why a scenario failed. */
export async function remainsOf(world: World): Promise<readonly Json[]> {
  const kept = [...COMPARED, TYPES.pod, TYPES.coreEvent];
  const lists = await Promise.all(
    kept.map(async (type) => (await list(world, type)).map((object) => ({ kind: type.kind, ...object }))),
  );
  return lists.flat();
}

/** The state of the world's namespace. Pods have random names, so they are counted. */
export async function stateOf(world: World): Promise<State> {
  const lists = await Promise.all(
    COMPARED.map(async (type) =>
      (await list(world, type)).map(
        (object) => [`${type.kind}/${titleOf(type, object)}`, comparable(type, object)] as const,
      ),
    ),
  );
  const pods = (await list(world, TYPES.pod)).map(
    ({ metadata, status }) =>
      `${(metadata as { labels?: Record<string, string> }).labels?.['app.kubernetes.io/component'] ?? ''} ${(status as { phase: string }).phase}`,
  );
  const counts = Object.fromEntries([...Map.groupBy(pods, (pod) => pod)].map(([pod, all]) => [pod, all.length]));
  return { ...Object.fromEntries(lists.flat()), pods: counts };
}

/** The name of a ReplicaSet is a hash of its template, in which a Secret's hash is salted: its number tells it. */
const titleOf = (type: ResourceType, { metadata: { name, annotations } }: Live): string =>
  type === TYPES.replicaSet ? `#${annotations?.['deployment.kubernetes.io/revision']}` : name;

/** What an autoscaler thinks changes every 15 s, whatever the operator does. */
const comparable = (type: ResourceType, { status, ...object }: Live): Json =>
  normalise(
    type.plural === 'horizontalpodautoscalers' ? object : { ...object, ...(status !== undefined && { status }) },
  );

/** How often each object was created and deleted by the operator, as the server carried it out. Events aside. */
export function changesOf(world: World): Readonly<Record<string, number>> {
  const changes: Record<string, number> = {};
  for (const { exchange, status } of world.proxy.log.filter(isCarriedOut)) {
    if (exchange.resource === 'events') continue;
    const word = exchange.verb === 'delete' ? 'delete' : status === 201 ? 'create' : undefined;
    if (word === undefined) continue;
    const key = `${word} ${exchange.resource}/${nameOf(exchange)}`;
    changes[key] = (changes[key] ?? 0) + 1;
  }
  return changes;
}

/**
 * The writes among some requests that the server carried out. How often an event was told again is written a minute
 * after it was first told, whatever happens meanwhile.
 */
export const writesIn = (log: World['proxy']['log']): readonly string[] =>
  log
    .filter(isCarriedOut)
    .filter(({ exchange: { verb, resource } }) => !(resource === 'events' && verb === 'patch'))
    .map(({ exchange: { verb, path } }) => `${verb} ${path}`);

/** Pods of one template differ by chance. */
const nameOf = ({ resource, name = '' }: Exchange): string =>
  resource === 'pods' ? name.replace(/-[a-z0-9]{5}$/, '') : name;

/** More often in a second than this no request is repeated by an operator that backs off. */
const OFTEN = 20;

/** Requests that were sent again and again without a pause. Events aside: those of one object share a path. */
export function hotLoopsOf({ proxy }: World): readonly string[] {
  const requests = proxy.log.filter(
    ({ exchange: { resource, verb } }) => !(resource === 'events' && verb === 'create'),
  );
  const seconds = Map.groupBy(
    requests,
    ({ exchange, at }) => `${exchange.verb} ${exchange.path} ${Math.floor(at / 1000)}`,
  );
  return [...seconds]
    .filter(([, all]) => all.length > OFTEN)
    .map(([what, all]) => `${what}: ${all.length} times in a second`);
}

/** Writes that changed nothing: the server answered with the version that it had answered with before. */
export function vainWritesOf({ proxy }: World): readonly string[] {
  const versions = new Map<string, string>();
  return proxy.log.flatMap(({ exchange: { write, verb, resource, name, path }, version }) => {
    if (!write || verb === 'delete' || version === undefined) return [];
    const object = `${resource}/${name}`;
    const isVain = versions.get(object) === version;
    versions.set(object, version);
    return isVain ? [`${verb} ${path} changed nothing`] : [];
  });
}

/** Asks again until there is an answer. */
export async function until<T>(
  what: string,
  ask: () => Promise<T | undefined>,
  timeoutMs = 60_000,
  everyMs = 200,
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const answer = await ask().catch(() => undefined);
    if (answer !== undefined) return answer;
    if (Date.now() > deadline) throw new Error(`waited ${timeoutMs / 1000} s for ${what}`);
    await sleep(everyMs);
  }
}

/** Waits until the operator has written nothing for `quietMs`; not forever, since it may never be quiet. */
export async function quiet(world: World, quietMs: number, timeoutMs = 20_000): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  let writes = -1;
  while (writes !== world.proxy.writes && performance.now() < deadline) {
    writes = world.proxy.writes;
    await sleep(quietMs);
  }
}
