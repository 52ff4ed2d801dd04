import {
  ApiError,
  apiVersionOf,
  type KubeClient,
  type KubeObject,
  type ResourceType,
  TYPES,
} from '../../operator/kube/index.ts';
import type { World } from './world.ts';

/** A type whose objects are compared. */
export interface ComparedType extends ResourceType {
  /** @default true */
  readonly namespaced?: boolean;
}

/** What of a cluster is compared, and what a world may leave behind. */
export interface Region {
  /** What is compared whole. */
  readonly types: readonly ComparedType[];
  /** More, of which objects are compared where the operator has written some. */
  readonly others?: readonly ComparedType[];
  /**
   * All namespaces and the objects of the cluster as well, but for what was there before. Only one world at a time.
   *
   * @default false
   */
  readonly isWide?: boolean;
  /**
   * A namespace of the campaign itself, which is not compared.
   *
   * @default - none
   */
  readonly hidden?: string;
  /**
   * Takes out of each text what depends on when it was written.
   *
   * @default - only times and UIDs are taken out
   */
  readonly plain?: (text: string) => string;
}

/** What Kubernetes itself puts into every namespace. */
const MADE_BY_KUBERNETES: ReadonlySet<string> = new Set(['ServiceAccount/default', 'ConfigMap/kube-root-ca.crt']);

/** Namespaces of the control plane. */
const ITS_OWN: ReadonlySet<string | undefined> = new Set(['kube-system', 'kube-public', 'kube-node-lease']);

/** The types of a region, with those of which the operator has written objects. */
export function typesOf({ types, others = [] }: Region, { proxy }: World): readonly ComparedType[] {
  const written = new Set(
    proxy.log.flatMap(({ exchange: { write, group, resource } }) => (write ? `${group}/${resource}` : [])),
  );
  return [...types, ...others.filter(({ group, plural }) => written.has(`${group}/${plural}`))];
}

/** The objects of a type that a world has, as they are. */
export async function objectsOf(world: World, region: Region, type: ComparedType): Promise<readonly KubeObject[]> {
  const { client, namespace, baseline } = world;
  if (type.namespaced === false && region.isWide !== true) return [];
  const everywhere = region.isWide === true || type.namespaced === false;
  const items = await listed(client, type, everywhere ? undefined : namespace);
  return items
    .filter(({ metadata }) => !baseline.has(metadata.uid) && !ITS_OWN.has(metadata.namespace))
    .filter(({ metadata }) => metadata.namespace === undefined || metadata.namespace !== region.hidden)
    .filter(({ metadata: { name } }) => !MADE_BY_KUBERNETES.has(`${type.kind}/${name}`))
    .filter(({ metadata: { name } }) => type.plural !== TYPES.namespace.plural || name !== namespace)
    .map((object) => ({ ...object, apiVersion: apiVersionOf(type), kind: type.kind }));
}

/** A type that is no longer served has no objects. */
async function listed(client: KubeClient, type: ResourceType, namespace?: string): Promise<readonly KubeObject[]> {
  try {
    return (await client.list(type, namespace === undefined ? {} : { namespace })).items;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return [];
    throw error;
  }
}

const allTypes = ({ types, others = [] }: Region): readonly ComparedType[] => [...types, ...others, TYPES.pod];

/** The UIDs of all that is there before a world begins. */
export async function baselineOf(world: World, region: Region): Promise<ReadonlySet<string>> {
  const lists = await Promise.all(allTypes(region).map((type) => objectsOf(world, region, type)));
  return new Set(lists.flat().map(({ metadata }) => metadata.uid));
}

/** How often what is left over is deleted again: what owns something makes it again until it is gone. */
const SWEEPS = 20;
const SWEEP_MS = 500;

/** Removes what a world leaves behind outside of its namespace, by force. */
export async function sweep(world: World, region: Region): Promise<void> {
  const { client } = world;
  await client.delete(TYPES.namespace, { name: world.namespace });
  for (let round = 0; round < SWEEPS; round += 1) {
    const lists = await Promise.all(
      allTypes(region).map(async (type) => (await objectsOf(world, region, type)).map((object) => ({ type, object }))),
    );
    const left = lists.flat();
    if (left.length === 0) return;
    await Promise.all(left.map(({ type, object }) => removed(client, type, object).catch(() => undefined)));
    await new Promise((resolve) => setTimeout(resolve, SWEEP_MS));
  }
}

async function removed(client: KubeClient, type: ResourceType, { metadata }: KubeObject): Promise<void> {
  const { name, namespace, finalizers = [] } = metadata;
  const ref = { name, ...(namespace !== undefined && { namespace }) };
  await client.delete(type, ref, { propagationPolicy: 'Background' });
  // Namespaces have others, which are their controller's.
  if (finalizers.length > 0) await client.patch(type, ref, { metadata: { finalizers: null } });
}
