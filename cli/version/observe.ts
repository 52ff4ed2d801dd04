import type { V1Deployment } from '@kubernetes/client-node';
import { ApiError, type KubeClient, type KubeObject, TYPES } from '../../operator/kube/index.ts';
import { OPERATOR_NAME } from '../../operator/name.ts';
import { SCHEMAS } from '../schemas.ts';
import type { Asked, ClusterVersions, Operator, ServedKinds } from './types.ts';

/** How long a person who asks for versions waits for each answer. */
const CALL = { deadlineMs: 10_000, retry: false } as const;

/** The groups of our CRDs, and of those of earlier operators. */
const GROUPS = [...new Set(SCHEMAS.map(({ group }) => group))];

/**
 * What a cluster has, with the rights of the user.
 *
 * @throws where the API server does not answer
 */
export async function clusterVersions(client: KubeClient, operatorNamespace: string): Promise<ClusterVersions> {
  const { gitVersion } = (await client.raw('GET', '/version', CALL)) as { readonly gitVersion: string };
  const [kinds, operator] = await Promise.all([servedKinds(client), operatorIn(client, operatorNamespace)]);
  return { kubernetes: gitVersion, crds: kinds, operator };
}

interface Groups {
  readonly groups: readonly {
    readonly name: string;
    readonly versions: readonly { readonly groupVersion: string }[];
  }[];
}

interface Resources {
  readonly resources: readonly { readonly name: string; readonly kind: string }[];
}

/** Discovery tells everybody who has logged in what is served. */
async function servedKinds(client: KubeClient): Promise<readonly ServedKinds[]> {
  const { groups } = (await client.raw('GET', '/apis', CALL)) as Groups;
  const ours = GROUPS.flatMap((name) => groups.filter((group) => group.name === name));
  const served = ours.flatMap(({ versions }) => versions.map(({ groupVersion }) => groupVersion));
  return Promise.all(
    served.map(async (groupVersion) => {
      const { resources } = (await client.raw('GET', `/apis/${groupVersion}`, CALL)) as Resources;
      const kinds = resources.filter(({ name }) => !name.includes('/')).map(({ kind }) => kind);
      return { groupVersion, kinds: kinds.toSorted((a, b) => a.localeCompare(b, 'en')) };
    }),
  );
}

async function operatorIn(client: KubeClient, namespace: string): Promise<Asked<Operator | undefined>> {
  try {
    const deployment = await client.find(TYPES.deployment, { namespace, name: OPERATOR_NAME }, CALL);
    return { known: true, value: deployment && operatorOf(deployment) };
  } catch (error) {
    if (error instanceof ApiError) return { known: false, because: error.message };
    throw error;
  }
}

/** What a Deployment of the operator says of it. */
export function operatorOf(deployment: KubeObject): Operator {
  const { spec, status } = deployment as KubeObject & Pick<V1Deployment, 'spec' | 'status'>;
  const image = spec?.template.spec?.containers.find(({ name }) => name === 'operator')?.image ?? '';
  const version = versionOf(image);
  return {
    namespace: deployment.metadata.namespace ?? '',
    image,
    ...(version !== undefined && { version }),
    ready: status?.readyReplicas ?? 0,
    replicas: spec?.replicas ?? 1,
  };
}

/** The tag of an image, which is the version of a release; an image that is named by its digest alone tells none. */
function versionOf(image: string): string | undefined {
  const [named = ''] = image.split('@');
  const tag = named.slice(named.lastIndexOf('/') + 1).split(':')[1];
  return tag !== undefined && /^v?\d+\.\d+\.\d+/.test(tag) ? tag : undefined;
}
