import type { Kind, Resource } from '../operator/engine/api/index.ts';
import { listAll } from '../operator/engine/observe/index.ts';
import { ApiError, Discovery, type KubeClient, TYPES } from '../operator/kube/index.ts';
import { CliError, UsageError } from './errors.ts';
import { AllowedReader } from './kube/allowed.ts';
import { type Denied, deniedSentence, deniedWords } from './kube/denied.ts';
import { notServed } from './kube/types.ts';
import { kinds } from './kinds.ts';
import { kindNames, type KnownResource } from './resources.ts';
import { isCalled } from './schemas.ts';
import { schemaOf } from './user-kinds/known.ts';

/** A resource that is there. */
export type LiveResource = Pick<KnownResource, 'kind' | 'resource'>;

/** What it takes to look for resources. */
type Client = Pick<KubeClient, 'find' | 'list' | 'raw'>;

/** There is no resource of that name. */
export class NoResourceError extends CliError {
  /** The kinds that it was looked for in. */
  readonly kinds: readonly Kind[];
  readonly resourceName: string;

  constructor(message: string, kinds: readonly Kind[], resourceName: string) {
    super(message);
    this.kinds = kinds;
    this.resourceName = resourceName;
  }
}

/**
 * A resource that is there. Only the kinds that the cluster serves are asked for.
 *
 * @param reference - its name, after its kind where names alone don't tell: `llama`, `modelserving/llama`
 * @param among - the kinds that it may be of
 * @param log - is told where a resource of another kind may have the name as well
 * @throws NoResourceError where there is none
 */
export async function liveResource(
  client: Client,
  reference: string,
  namespace: string,
  among: readonly Kind[] = kinds,
  log: (line: string) => void = () => undefined,
): Promise<LiveResource> {
  const { candidates, name } = parseReference(reference, among);
  const served = await servedOf(client, candidates);
  if (served.length === 0) throw new NoResourceError(notServed(candidates), candidates, name);
  const reader = new AllowedReader(client);
  const found = await Promise.all(
    served.map(async (kind) => {
      const resource = await reader.find(kind.type, { namespace: isOfCluster(kind) ? '' : namespace, name });
      return resource === undefined ? [] : [{ kind, resource: resource as unknown as Resource }];
    }),
  );
  const [only, ...more] = found.flat();
  const { denied } = reader;
  if (only === undefined) throw await noResource(client, { candidates, served, denied, namespace, name });
  const kindName = (kind: Kind) => `${kind.type.kind.toLowerCase()}/${name}`;
  if (more.length > 0) {
    const names = [only, ...more].map(({ kind }) => kindName(kind));
    throw new UsageError(`${reference} names ${names.length} resources; say which: ${names.join(' or ')}`);
  }
  if (denied.length > 0) {
    log(
      `You may not ${deniedWords(denied)}: one of these may be called ${name} as well. This is ${kindName(only.kind)}.`,
    );
  }
  return only;
}

interface Search {
  readonly candidates: readonly Kind[];
  /** Those of them that the cluster serves. */
  readonly served: readonly Kind[];
  readonly denied: readonly Denied[];
  readonly namespace: string;
  readonly name: string;
}

async function noResource(client: Client, { candidates, served, denied, namespace, name }: Search): Promise<CliError> {
  if (denied.length === served.length) return new CliError(deniedSentence(denied));
  if (denied.length === 0 && (await isNamespaceMissing(client, namespace))) {
    return new NoResourceError(noNamespace(namespace), candidates, name);
  }
  const [only, ...more] = candidates;
  const what = only === undefined || more.length > 0 ? 'resource' : only.type.kind;
  if (denied.length === 0) return new NoResourceError(`there is no ${what} ${namespace}/${name}`, candidates, name);
  const asked = served.filter(({ type }) => !denied.some(({ resource }) => resource === type.plural));
  return new CliError(
    `there is no ${asked.map(({ type }) => type.kind).join(' or ')} ${namespace}/${name}; of others nothing is known, since ${deniedSentence(denied)}`,
  );
}

/** Resources that are there, as far as the caller may see them. */
export interface LiveResources {
  readonly resources: readonly LiveResource[];
  /** What the caller may not list. */
  readonly denied: readonly Denied[];
}

/**
 * All resources that are there, of the kinds that the API server serves.
 *
 * @param namespace - undefined for all of them
 * @throws CliError where none of the kinds is served or may be listed, and where there is no such namespace
 */
export async function liveResources(
  client: Client,
  among: readonly Kind[],
  namespace: string | undefined,
): Promise<LiveResources> {
  const served = await servedOf(client, among);
  if (served.length === 0) throw new CliError(notServed(among));
  const reader = new AllowedReader(client);
  const lists = await Promise.all(
    served.map(async (kind) =>
      (await listAll(reader, kind.type, isOfCluster(kind) ? undefined : namespace)).map((object) => ({
        kind,
        resource: object as unknown as Resource,
      })),
    ),
  );
  const [resources, { denied }] = [lists.flat(), reader];
  if (denied.length === served.length) throw new CliError(deniedSentence(denied));
  if (resources.length === 0 && namespace !== undefined && (await isNamespaceMissing(client, namespace))) {
    throw new CliError(noNamespace(namespace));
  }
  return { resources, denied };
}

const isOfCluster = ({ type }: Kind): boolean => type.scope === 'Cluster';

/** A cluster that does not tell what it serves is asked for all. */
async function servedOf(client: Pick<KubeClient, 'raw'>, among: readonly Kind[]): Promise<readonly Kind[]> {
  const discovery = new Discovery(client);
  const served = await Promise.all(
    among.map(async (kind) => {
      try {
        return await discovery.isServed(kind.type);
      } catch (error) {
        if (error instanceof ApiError) return true;
        throw error;
      }
    }),
  );
  return among.filter((_, index) => served[index]);
}

/** Whether it is certain that there is no such namespace: members of one may not look at it. */
async function isNamespaceMissing(client: Pick<KubeClient, 'find' | 'list'>, name: string): Promise<boolean> {
  const reader = new AllowedReader(client);
  return (await reader.find(TYPES.namespace, { name })) === undefined && reader.denied.length === 0;
}

/** What is said where nothing was found. */
export const noResources = (namespace: string | undefined): string =>
  `There is no resource ${namespace === undefined ? 'in any namespace' : `in ${namespace}`}.`;

const noNamespace = (name: string): string =>
  `there is no namespace ${name}: kubectl get namespaces lists those that there are`;

/** The kinds that a reference may mean, and the name in it. */
function parseReference(
  reference: string,
  among: readonly Kind[],
): { readonly candidates: readonly Kind[]; readonly name: string } {
  const parts = reference.split('/');
  const name = parts.at(-1) ?? '';
  const [word] = parts.length > 1 ? parts : [];
  const candidates = word === undefined ? among : among.filter((kind) => isKindCalled(kind, word));
  if (name === '' || parts.length > 2 || candidates.length === 0) {
    throw new UsageError(
      `${reference} must be NAME or KIND/NAME, as in modelserving/llama; there are: ${kindNames(among)}`,
    );
  }
  return { candidates, name };
}

function isKindCalled(kind: Kind, word: string): boolean {
  const schema = schemaOf(kind);
  return schema !== undefined && isCalled(schema, word);
}
