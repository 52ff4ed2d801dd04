import type { Json } from '../../constructs/schema/json.ts';
import { type KubeObject, TYPES } from '../../operator/kube/index.ts';
import { type ComparedType, objectsOf, type Region, typesOf } from './region.ts';
import { normalise, type State } from './state.ts';
import type { World } from './world.ts';

export type { State } from './state.ts';

/** All that is there, as it is, to find out why a scenario failed. */
export async function remainsOf(world: World, region: Region): Promise<readonly Json[]> {
  const kept = [...typesOf(region, world), TYPES.pod, TYPES.coreEvent];
  const lists = await Promise.all(kept.map((type) => objectsOf(world, region, type)));
  return lists.flat() as readonly unknown[] as readonly Json[];
}

/** The state of a world. Pods have random names, so they are counted. */
export async function stateOf(world: World, region: Region): Promise<State> {
  const types = typesOf(region, world);
  // The same in each run, whichever types have objects: so that an object has one title.
  const known = [...region.types, ...(region.others ?? [])];
  const named = await Promise.all(
    types.map(async (type) => {
      const objects = await objectsOf(world, region, type);
      return objects.map(
        (object) => [titleOf(type, known, object, world), comparable(type, object, world, region)] as const,
      );
    }),
  );
  const pods = (await objectsOf(world, region, TYPES.pod)).map(podTitle);
  return { ...byTitle(named.flat()), pods: Object.fromEntries(counts(pods)) };
}

/** Objects that a title does not tell apart are a list, in an order of their own. */
function byTitle(named: readonly (readonly [title: string, object: Json])[]): State {
  const groups = [...Map.groupBy(named, ([title]) => title)];
  return Object.fromEntries(
    groups.map(([title, all]) => {
      const objects = all.map(([, object]) => object);
      const [first, ...others] = objects;
      if (first !== undefined && others.length === 0) return [title, first];
      return [title, objects.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))];
    }),
  );
}

const counts = (names: readonly string[]): readonly (readonly [string, number])[] =>
  [...Map.groupBy(names, (name) => name)].map(([name, all]) => [name, all.length]);

/** Numbers that are times: those of CronJobs, and what others put into names. */
const LONG_NUMBER = /\d{8,}/g;

/** `Deployment/web`; with what else tells it apart, and without what two runs don't share. */
function titleOf(type: ComparedType, types: readonly ComparedType[], object: KubeObject, world: World): string {
  const { namespace } = object.metadata;
  const isAmbiguous = types.filter(({ kind }) => kind === type.kind).length > 1;
  const place = namespace === undefined || namespace === world.namespace ? '' : `${namespace}/`;
  return `${type.kind}${isAmbiguous ? `.${type.group}` : ''}/${place}${stableName(type, object)}`;
}

/** The name of a ReplicaSet is a hash of its template, in which a Secret's hash is salted: its number tells it. */
function stableName(type: ComparedType, { metadata }: KubeObject): string {
  const {
    name,
    annotations = {},
    ownerReferences = [],
    generateName,
  } = metadata as KubeObject['metadata'] & {
    readonly generateName?: string;
  };
  if (type.plural === TYPES.replicaSet.plural) {
    return `${ownerReferences[0]?.name ?? ''}#${annotations['deployment.kubernetes.io/revision']}`;
  }
  if (generateName !== undefined && name.startsWith(generateName)) return `${generateName}*`;
  return name.replace(LONG_NUMBER, '<number>');
}

/** Who made it, for what, and how it is. */
function podTitle({ metadata, status }: KubeObject): string {
  const { labels = {}, ownerReferences = [] } = metadata;
  const { phase = 'Unknown' } = (status ?? {}) as { readonly phase?: string };
  const part = labels['app.kubernetes.io/component'] ?? labels['app.kubernetes.io/name'] ?? labels['app'];
  return [ownerReferences[0]?.kind, part, phase].filter(Boolean).join(' ');
}

/** What an autoscaler thinks changes every 15 s, whatever the operator does. */
function comparable(type: ComparedType, { status, ...object }: KubeObject, world: World, region: Region): Json {
  const kept =
    type.plural === TYPES.horizontalPodAutoscaler.plural || status === undefined ? object : { ...object, status };
  const { plain = (text) => text } = region;
  return normalise(kept as unknown as Json, (text) => plain(text.replaceAll(world.namespace, '<namespace>')));
}
