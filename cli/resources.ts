import type { Manifest } from '../constructs/workload.ts';
import type { Kind, Resource } from '../operator/engine/api/index.ts';
import { listAll } from '../operator/engine/observe/index.ts';
import { GROUP } from '../constructs/schema/kind.ts';
import { kinds } from './kinds.ts';
import { apiVersionOf, Discovery, type KubeClient } from '../operator/kube/index.ts';
import { translationOf } from '../compat/convert/index.ts';
import { CliError, UsageError } from './errors.ts';
import { isCalled, SCHEMAS } from './schemas.ts';

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
}

/**
 * Those objects that are resources of known kinds; a file may have others (a namespace, a Secret) beside them.
 *
 * @throws CliError where there is none, or where an object is of our group and of no kind that we know
 */
export function resourcesOf(manifests: readonly Manifest[], reading: Reading): KnownResource[] {
  const { namespace, source, log, among = kinds } = reading;
  const known = manifests.flatMap((manifest) => {
    const kind = kindOf(manifest, among);
    if (kind === undefined) {
      log(`passed over ${manifest.kind} ${manifest.metadata.name}: ${whyPassedOver(manifest)}`);
      return [];
    }
    return [{ kind, manifest, resource: toResource(manifest, namespace) }];
  });
  if (known.length === 0) throw new CliError(`${source} has no resource; there are: ${kindNames(among)}`);
  return known;
}

/** There is no resource of that name. */
export class NoResourceError extends CliError {
  /** The kinds that it was looked for in. */
  readonly kinds: readonly Kind[];
  readonly resourceName: string;

  constructor(kinds: readonly Kind[], namespace: string, resourceName: string) {
    const [only, ...more] = kinds;
    super(
      `there is no ${only === undefined || more.length > 0 ? 'resource' : only.type.kind} ${namespace}/${resourceName}`,
    );
    this.kinds = kinds;
    this.resourceName = resourceName;
  }
}

/**
 * A resource that is there.
 *
 * @param reference - its name, after its kind where names alone don't tell: `llama`, `modelserving/llama`
 * @param among - the kinds that it may be of
 * @throws NoResourceError where there is none
 */
export async function liveResource(
  client: Pick<KubeClient, 'find'>,
  reference: string,
  namespace: string,
  among: readonly Kind[] = kinds,
): Promise<Pick<KnownResource, 'kind' | 'resource'>> {
  const { candidates, name } = parseReference(reference, among);
  const found = await Promise.all(
    candidates.map(async (kind) => {
      const resource = await client.find(kind.type, { namespace, name });
      return resource === undefined ? [] : [{ kind, resource: resource as unknown as Resource }];
    }),
  );
  const [only, ...more] = found.flat();
  if (only === undefined) throw new NoResourceError(candidates, namespace, name);
  if (more.length > 0) {
    const names = [only, ...more].map(({ kind }) => `${kind.type.kind.toLowerCase()}/${name}`);
    throw new UsageError(`${reference} names ${names.length} resources; say which: ${names.join(' or ')}`);
  }
  return only;
}

/**
 * All resources that are there, of the kinds that the API server serves.
 *
 * @param namespace - undefined for all of them
 */
export async function liveResources(
  client: KubeClient,
  among: readonly Kind[],
  namespace: string | undefined,
): Promise<readonly Pick<KnownResource, 'kind' | 'resource'>[]> {
  const discovery = new Discovery(client);
  const lists = await Promise.all(
    among.map(async (kind) => {
      const objects = (await discovery.isServed(kind.type)) ? await listAll(client, kind.type, namespace) : [];
      return objects.map((object) => ({ kind, resource: object as unknown as Resource }));
    }),
  );
  return lists.flat();
}

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

const isKindCalled = ({ type }: Kind, word: string): boolean =>
  SCHEMAS.some((schema) => schema.group === type.group && schema.kind === type.kind && isCalled(schema, word));

function kindOf({ apiVersion, kind, metadata }: Manifest, among: readonly Kind[]): Kind | undefined {
  const found = among.find(({ type }) => apiVersionOf(type) === apiVersion && type.kind === kind);
  if (found === undefined && apiVersion.startsWith(`${GROUP}/`)) {
    throw new CliError(`${kind} ${metadata.name}: ${apiVersion} has no such kind; there are: ${kindNames(kinds)}`);
  }
  return found;
}

function whyPassedOver({ apiVersion, kind }: Manifest): string {
  if (translationOf({ apiVersion, kind }) !== undefined)
    return 'no resource of ours; trunnion convert prints its equivalent';
  const isKnown = SCHEMAS.some((schema) => schema.kind === kind && apiVersion.startsWith(`${schema.group}/`));
  return isKnown ? 'it runs nothing by itself: others refer to it' : 'no resource of ours';
}

const kindNames = (among: readonly Kind[]): string =>
  among.map(({ type }) => `${type.kind} (${apiVersionOf(type)})`).join(', ');

/** As the API server would have it, before it has seen it. */
export function toResource({ apiVersion, kind, metadata, ...rest }: Manifest, namespace: string): Resource {
  return {
    apiVersion,
    kind,
    metadata: { uid: '', resourceVersion: '', creationTimestamp: '', namespace, ...metadata },
    spec: rest['spec'],
  };
}
