import { TYPES } from '../../kube/index.ts';
import type { KubeClient, KubeObject, ResourceType } from '../../kube/index.ts';
import { groupOf, MANAGED_BY_LABEL } from '../api/index.ts';
import type { Answer, Identity, Kind, Failure, Resource, Snapshot, ObservedChild, ObservedPod } from '../api/index.ts';
import { listAll } from './lists.ts';
import { controllerOf, observeChild, observePod } from './observe.ts';
import { observerOf } from './observer.ts';

/** Selects the children that an operator has made. */
export const childSelector = ({ managedBy }: Identity): string => `${MANAGED_BY_LABEL}=${managedBy}`;
/** Selects the pods of its workloads. */
export const podSelector = ({ labels, partOf }: Identity): string => `${labels.operator}=${partOf}`;
/** Selects the pods of one resource. */
export const podsOf = (identity: Identity, { label }: Pick<Kind, 'label'>, name: string): string =>
  `${podSelector(identity)},${identity.labels.kind}=${label},${identity.labels.name}=${name}`;

/** What tells a kind from others. */
export type KindId = Pick<Kind, 'type' | 'label'>;

/** Names a resource of any kind. */
export interface ResourceRef {
  readonly kind: string;
  /** '' where it is one of the cluster. */
  readonly namespace: string;
  readonly name: string;
}

/** The resource, by the labels that constructs put on all objects and pods: of each kind that has them. */
export function labelledRefs(
  kinds: readonly KindId[],
  object: Pick<KubeObject, 'metadata'>,
  { labels: keys }: Identity,
): readonly ResourceRef[] {
  const { labels = {}, namespace: own = '' } = object.metadata;
  const name = labels[keys.name];
  if (name === undefined) return [];
  const namespace = labels[keys.namespace] ?? own;
  return kinds.filter(({ label }) => label === labels[keys.kind]).map(({ type }) => refIn(type, namespace, name));
}

/** The resource that a child was made for: its controller, or, where it has none, those that its labels may name. */
export function ownerRefs(kinds: readonly KindId[], object: KubeObject, identity: Identity): readonly ResourceRef[] {
  const controller = controllerOf(object);
  if (controller === undefined) return labelledRefs(kinds, object, identity);
  const group = groupOf(controller.apiVersion);
  const kind = kinds.find(({ type }) => type.group === group && type.kind === controller.kind);
  return kind === undefined ? [] : [refIn(kind.type, object.metadata.namespace ?? '', controller.name)];
}

/** The resource of a type that something in a namespace was made for: one of the cluster lies in none. */
const refIn = ({ kind, scope }: KindId['type'], namespace: string, name: string): ResourceRef => ({
  kind,
  namespace: scope === 'Cluster' ? '' : namespace,
  name,
});

/** Whether an object was made for the resource, as far as owner and labels tell. */
export function isMadeFor(
  kind: KindId,
  { metadata }: Pick<Resource, 'metadata'>,
  object: KubeObject,
  identity: Identity,
): boolean {
  const [ref] = ownerRefs([kind], object, identity);
  return ref?.name === metadata.name && ref.namespace === (metadata.namespace ?? '');
}

/** All that reconcile may look at, from its parts. */
export function snapshotFrom<R extends Resource>(parts: {
  readonly resource: R;
  readonly children: readonly ObservedChild[];
  readonly pods: readonly ObservedPod[];
  readonly related?: Readonly<Record<string, Resource>>;
  readonly answers?: Readonly<Record<string, Answer>>;
  readonly failures?: readonly Failure[];
  readonly desired?: NonNullable<Snapshot['desired']>;
}): Snapshot<R> {
  const children = parts.children.filter((child) => isOurs(child, parts.resource.metadata.uid));
  return { related: {}, answers: {}, failures: [], ...parts, children };
}

/** What of a kind is served, and may be asked for. */
export type IsServed = (type: ResourceType) => Promise<boolean>;

/**
 * The snapshot of one resource by live reads, for those who keep no cache: `trunnion plan`. Facts that only time brings
 * are absent, as they are on the engine's first look.
 *
 * @param resource - as it is, or as it would be; with the UID of the live one, where there is one
 */
export async function snapshotOf<R extends Resource>(
  client: Pick<KubeClient, 'list' | 'find'>,
  kind: Kind<R>,
  resource: R,
  { identity, isServed }: { readonly identity: Identity; readonly isServed: IsServed },
): Promise<Snapshot<R>> {
  const observer = observerOf(identity, kind.childTypes);
  const namespace = resource.metadata.namespace ?? '';
  const types = await Promise.all(
    kind.childTypes.map(async (type) => (type.optional === true && !(await isServed(type)) ? [] : [type])),
  );
  const children = await Promise.all(
    types.flat().map(async (type) => {
      const objects = await listAll(client, type, namespace, childSelector(identity));
      const made = objects.filter((object) => isMadeFor(kind, resource, object, identity));
      return made.map((object) => observeChild(object, observer));
    }),
  );
  const pods = await listAll(client, TYPES.pod, namespace, podsOf(identity, kind, resource.metadata.name));
  const related = await Promise.all(
    (kind.references?.(resource) ?? []).map(async (reference) => {
      const object = await findRelated(client, kind, namespace, reference);
      return object === undefined ? [] : [[reference, object] as const];
    }),
  );
  return snapshotFrom({
    resource,
    children: children.flat(),
    pods: pods.map((pod) => observePod(pod, identity)),
    related: Object.fromEntries(related.flat()),
  });
}

async function findRelated(
  client: Pick<KubeClient, 'find'>,
  kind: Pick<Kind, 'refersTo'>,
  namespace: string,
  reference: string,
): Promise<Resource | undefined> {
  const slash = reference.indexOf('/');
  const type = kind.refersTo?.find((candidate) => candidate.kind === reference.slice(0, slash));
  if (type === undefined) return undefined;
  return (await client.find(type, { namespace, name: reference.slice(slash + 1) })) as Resource | undefined;
}

/**
 * Whether a live object belongs to the resource: it controls it, or nobody does and our field manager made it (a
 * retained volume; an object whose owner reference somebody removed), or it stays for the pods of an earlier resource.
 * The caller has seen by its owner or its labels that it was made for a resource of this kind and name.
 */
export const isOurs = ({ ownerUid: owner, digest, staysFor }: ObservedChild, ownerUid: string): boolean =>
  owner === ownerUid || (digest !== '' && (owner === undefined || staysFor !== undefined));
