import type { Manifest } from '../constructs/workload.ts';
import { groupOf, type Kind, type Resource } from '../operator/engine/api/index.ts';
import { similarTo } from '../constructs/parts/values/index.ts';
import { GROUP } from '../constructs/schema/kind.ts';
import { kinds } from './kinds.ts';
import { apiVersionOf } from '../operator/kube/index.ts';
import { translationOf } from '../compat/convert/index.ts';
import { CliError } from './errors.ts';
import { SCHEMAS } from './schemas.ts';
import { moduleOf } from './user-kinds/known.ts';

/** A resource and what runs it. */
export interface KnownResource {
  readonly kind: Kind;
  /** As it was written. */
  readonly manifest: Manifest;
  /** As the operator would see it. */
  readonly resource: Resource;
}

interface Reading {
  /** Of resources that name none. */
  readonly namespace: string;
  /** What the input is called in errors. */
  readonly source: string;
  /** Is told what is passed over. */
  readonly log: (line: string) => void;
  /**
   * The kinds that are taken.
   *
   * @default - our own
   */
  readonly among?: readonly Kind[];
  /**
   * Whether other objects are printed as they are: then none is passed over, and all may be others.
   *
   * @default false
   */
  readonly keepsOthers?: boolean;
}

/**
 * Those objects that are resources of known kinds; a file may have others (a namespace, a Secret) beside them.
 *
 * @throws CliError where there is none and others are not kept, or where an object is of our group and of no kind that we know
 */
export function resourcesOf(manifests: readonly Manifest[], reading: Reading): KnownResource[] {
  const { namespace, source, log, among = kinds, keepsOthers = false } = reading;
  const known = manifests.flatMap((manifest) => {
    const kind = kindOf(manifest, among);
    if (kind === undefined) {
      if (!keepsOthers) log(`passed over ${manifest.kind} ${manifest.metadata.name}: ${whyPassedOver(manifest)}`);
      return [];
    }
    return [{ kind, manifest, resource: resourceOf(kind, manifest, namespace) }];
  });
  if (known.length === 0 && !keepsOthers)
    throw new CliError(`${source} has no resource; there are: ${kindNames(among)}`);
  return known;
}

function kindOf({ apiVersion, kind, metadata }: Manifest, among: readonly Kind[]): Kind | undefined {
  const found = among.find(({ type }) => apiVersionOf(type) === apiVersion && type.kind === kind);
  if (found !== undefined) return found;
  const group = groupOf(apiVersion);
  const others =
    group === GROUP ? kinds : among.filter((other) => moduleOf(other) !== undefined && other.type.group === group);
  if (others.length === 0) return undefined;
  throw new CliError(`${kind} ${metadata.name}: ${apiVersion} has no such kind; ${hintFor(kind, others)}`);
}

/** The kind that was probably meant; all of the group, where it is like none. */
function hintFor(kind: string, others: readonly Kind[]): string {
  const name = similarTo(
    kind,
    others.map(({ type }) => type.kind),
  );
  const meant = others.find(({ type }) => type.kind === name);
  if (meant === undefined) return `there are: ${kindNames(others)}`;
  return `did you mean kind: ${meant.type.kind} with apiVersion: ${apiVersionOf(meant.type)}?`;
}

function whyPassedOver({ apiVersion, kind }: Manifest): string {
  if (translationOf({ apiVersion, kind }) !== undefined)
    return 'no resource of ours; trunnion convert prints its equivalent';
  const isKnown = SCHEMAS.some((schema) => schema.kind === kind && apiVersion.startsWith(`${schema.group}/`));
  return isKnown ? 'it runs nothing by itself: others refer to it' : 'no resource of ours';
}

/** Kinds with their groups and versions, for words about them. */
export const kindNames = (among: readonly Kind[]): string =>
  among.map(({ type }) => `${type.kind} (${apiVersionOf(type)})`).join(', ');

/** A resource of the cluster lies in no namespace: what a file says of one is left out. */
function resourceOf({ type }: Kind, manifest: Manifest, namespace: string): Resource {
  const resource = toResource(manifest, namespace);
  if (type.scope !== 'Cluster') return resource;
  const { namespace: _, ...metadata } = resource.metadata;
  return { ...resource, metadata };
}

/** As the API server would have it, before it has seen it. */
export function toResource({ apiVersion, kind, metadata, ...rest }: Manifest, namespace: string): Resource {
  return {
    apiVersion,
    kind,
    metadata: { uid: '', resourceVersion: '', creationTimestamp: '', namespace, ...metadata },
    spec: rest['spec'],
  };
}
