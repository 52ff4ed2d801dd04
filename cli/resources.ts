import type { Manifest } from '../constructs/workload.ts';
import type { Kind, Resource } from '../operator/engine/kind.ts';
import { kinds } from '../operator/kinds/index.ts';
import { apiVersionOf, type KubeClient } from '../operator/kube/index.ts';
import { translationOf } from './convert/existing.ts';
import { CliError, UsageError } from './errors.ts';

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
  readonly say: (line: string) => void;
}

/**
 * Those objects that are custom resources of ours; a file may have others (a namespace, a Secret) beside them.
 *
 * @throws CliError where there is none, or where an object is of our group and of no kind that we know
 */
export function resourcesOf(manifests: readonly Manifest[], { namespace, source, say }: Reading): KnownResource[] {
  const known = manifests.flatMap((manifest) => {
    const kind = kindOf(manifest);
    if (kind === undefined) {
      const hint = translationOf(manifest) === undefined ? '' : '; trunnion convert prints its equal';
      say(`passed over ${manifest.kind} ${manifest.metadata.name}: no resource of ours${hint}`);
      return [];
    }
    return [{ kind, manifest, resource: toResource(manifest, namespace) }];
  });
  if (known.length === 0) throw new CliError(`${source} has no resource; there are: ${kindNames()}`);
  return known;
}

/**
 * A resource that is there.
 *
 * @param reference - its kind, in the singular or plural, and its name: `modelserving/llama`
 * @throws CliError where there is none
 */
export async function liveResource(
  client: KubeClient,
  reference: string,
  namespace: string,
): Promise<Pick<KnownResource, 'kind' | 'resource'>> {
  const [word = '', name = '', ...rest] = reference.split('/');
  const kind = kinds.find(({ type }) => [type.kind.toLowerCase(), type.plural].includes(word.toLowerCase()));
  if (kind === undefined || name === '' || rest.length > 0) {
    throw new UsageError(`${reference} must be KIND/NAME, as in modelserving/llama; there are: ${kindNames()}`);
  }
  const resource = await client.find(kind.type, { namespace, name });
  if (resource === undefined) throw new CliError(`there is no ${kind.type.kind} ${namespace}/${name}`);
  return { kind, resource: resource as unknown as Resource };
}

function kindOf({ apiVersion, kind, metadata }: Manifest): Kind | undefined {
  const found = kinds.find(({ type }) => apiVersionOf(type) === apiVersion && type.kind === kind);
  const ours = kinds.some(({ type }) => apiVersion.startsWith(`${type.group}/`));
  if (found === undefined && ours) {
    throw new CliError(`${kind} ${metadata.name}: ${apiVersion} has no such kind; there are: ${kindNames()}`);
  }
  return found;
}

function kindNames(): string {
  return kinds.map(({ type }) => `${type.kind} (${apiVersionOf(type)})`).join(', ');
}

/** As the API server would have it, before it has seen it. */
function toResource({ apiVersion, kind, metadata, ...rest }: Manifest, namespace: string): Resource {
  return {
    apiVersion,
    kind,
    metadata: { uid: '', resourceVersion: '', creationTimestamp: '', namespace, ...metadata },
    spec: rest['spec'],
  };
}
