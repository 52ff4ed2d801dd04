import { GROUP } from '../../constructs/schema/kind.ts';
import { groupKind, groupOf, typeAmong } from '../../operator/engine/api/index.ts';
import type { Kind } from '../../operator/engine/api/index.ts';
import { apiVersionOf, isNotFound, type KubeClient, type ResourceType } from '../../operator/kube/index.ts';
import { CliError } from '../errors.ts';
import { moduleOf, moduleOfGroup } from '../user-kinds/known.ts';

/** A type as discovery tells it. */
export interface ServedType extends ResourceType {
  readonly namespaced: boolean;
}

interface ResourceList {
  readonly resources: readonly { readonly name: string; readonly kind: string; readonly namespaced: boolean }[];
}

/**
 * The type of an object, as the API server serves it.
 *
 * @throws CliError where it doesn't
 */
export async function servedType(
  client: Pick<KubeClient, 'raw'>,
  { apiVersion, kind }: { readonly apiVersion: string; readonly kind: string },
): Promise<ServedType> {
  const { resources } = await resourceList(client, apiVersion);
  const resource = resources.find((candidate) => candidate.kind === kind && !candidate.name.includes('/'));
  if (resource === undefined) throw new CliError(absentWords(kind, apiVersion));
  const [group = '', version = ''] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
  return { group, version, kind, plural: resource.name, namespaced: resource.namespaced };
}

/** The type of a child of a kind. */
export function childTypeOf(
  { childTypes, type: { kind: parent } }: Pick<Kind, 'childTypes' | 'type'>,
  object: { readonly apiVersion: string; readonly kind: string },
): ResourceType {
  const type = typeAmong(childTypes, object);
  if (type === undefined) throw new CliError(`${groupKind(object)} is no type of child of ${parent}`);
  return type;
}

/** What to say where a cluster serves none of these kinds. */
export function notServed(kinds: readonly Pick<Kind, 'type'>[]): string {
  const [first, ...more] = kinds;
  if (first !== undefined && more.length === 0) return absentWords(first.type.kind, apiVersionOf(first.type));
  const theirs = kinds.filter((kind) => moduleOf(kind) !== undefined);
  if (theirs.length > 0) return theirs.map(({ type }) => absentWords(type.kind, apiVersionOf(type))).join('; ');
  const ours = kinds.filter(({ type }) => type.group === GROUP).map(({ type }) => type.kind);
  return `the cluster has no ${ours.join(', no ')} of ${GROUP}: install the CRDs first, with trunnion install`;
}

const absentWords = (kind: string, apiVersion: string): string =>
  `the cluster has no ${kind} of ${apiVersion}${hintFor(apiVersion)}`;

/** How a type of ours, or of a module of the user's, comes to be served. */
function hintFor(apiVersion: string): string {
  const module = moduleOfGroup(groupOf(apiVersion));
  if (module !== undefined) return `: apply its CRD first, trunnion kind crd ${module} | kubectl apply -f -`;
  return apiVersion.startsWith(`${GROUP}/`) ? ': install the CRDs first, with trunnion install' : '';
}

async function resourceList(client: Pick<KubeClient, 'raw'>, apiVersion: string): Promise<ResourceList> {
  try {
    const path = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    return (await client.raw('GET', path)) as ResourceList;
  } catch (error) {
    if (isNotFound(error)) return { resources: [] };
    throw error;
  }
}
