import { listAll, PODS } from '../../operator/engine/observe/index.ts';
import { allKinds, kinds } from '../kinds.ts';
import { ApiError, apiVersionOf, LEASES } from '../../operator/kube/index.ts';
import type { KubeClient, KubeObject, ResourceType } from '../../operator/kube/index.ts';
import { OPERATOR_NAME } from '../../operator/rbac.ts';
import { POLICY_TYPES } from '../../operator/engine/api/index.ts';
import { NODES } from '../nodes/list.ts';
import { SCHEMAS } from '../schemas.ts';
import type { Known, Observed, Right } from './types.ts';

const type = (group: string, version: string, kind: string, plural = `${kind.toLowerCase()}s`): ResourceType => ({
  group,
  version,
  kind,
  plural,
});

const TYPES = {
  crds: type('apiextensions.k8s.io', 'v1', 'CustomResourceDefinition'),
  deployments: type('apps', 'v1', 'Deployment'),
  gatewayClasses: type('gateway.networking.k8s.io', 'v1', 'GatewayClass', 'gatewayclasses'),
  ingressClasses: type('networking.k8s.io', 'v1', 'IngressClass', 'ingressclasses'),
  localQueues: type('kueue.x-k8s.io', 'v1beta1', 'LocalQueue'),
  quotas: type('', 'v1', 'ResourceQuota'),
  storageClasses: type('storage.k8s.io', 'v1', 'StorageClass', 'storageclasses'),
} as const;

/** Looks at a cluster with the caller's rights; what may not be looked at is told as such. */
export async function lookAtCluster(
  client: KubeClient,
  { namespace, operatorNamespace }: Pick<Observed, 'namespace' | 'operatorNamespace'>,
): Promise<Observed> {
  const { gitVersion } = (await client.raw('GET', '/version')) as { readonly gitVersion: string };
  const served = await servedVersions(client);
  const listed = (one: ResourceType, within?: string) =>
    answer(async () => (served.has(apiVersionOf(one)) ? listAll(client, one, within) : []));
  const operator = { namespace: operatorNamespace, name: OPERATOR_NAME };
  return {
    now: Date.now(),
    namespace,
    operatorNamespace,
    serverVersion: gitVersion,
    served,
    crds: await answer(() => crdsOf(client)),
    deployment: await answer(() => client.find(TYPES.deployments, operator)),
    lease: await answer(() => client.find(LEASES, operator)),
    nodes: await listed(NODES),
    storageClasses: await listed(TYPES.storageClasses),
    gatewayClasses: await listed(TYPES.gatewayClasses),
    ingressClasses: await listed(TYPES.ingressClasses),
    localQueues: await listed(TYPES.localQueues, namespace),
    quotas: await listed(TYPES.quotas, namespace),
    policies: await answer(() => policiesIn(client, served, namespace)),
    resources: await answer(() => resourcesIn(client, served, namespace)),
    rights: await answer(() => rightsIn(client, namespace)),
  };
}

async function answer<T>(ask: () => Promise<T>): Promise<Known<T>> {
  try {
    return { known: true, value: await ask() };
  } catch (error) {
    if (error instanceof ApiError) return { known: false, because: error.message };
    throw error;
  }
}

interface Versions {
  readonly versions: readonly { readonly groupVersion: string }[];
}

async function servedVersions(client: KubeClient): Promise<ReadonlySet<string>> {
  const { groups } = (await client.raw('GET', '/apis')) as { readonly groups: readonly Versions[] };
  return new Set(['v1', ...groups.flatMap(({ versions }) => versions.map(({ groupVersion }) => groupVersion))]);
}

async function crdsOf(client: KubeClient): Promise<readonly KubeObject[]> {
  const found = await Promise.all(
    SCHEMAS.map(({ plural, group }) => client.find(TYPES.crds, { name: `${plural}.${group}` })),
  );
  return found.filter((crd) => crd !== undefined);
}

async function resourcesIn(
  client: KubeClient,
  served: ReadonlySet<string>,
  namespace: string,
): Promise<readonly KubeObject[]> {
  const there = allKinds.filter((kind) => served.has(apiVersionOf(kind.type)));
  const lists = await Promise.all(
    there.map((kind) => listAll(client, kind.type, namespace).catch((error: unknown) => ifServed(error))),
  );
  return lists.flat();
}

/** A group may be served without each of its types. */
function ifServed(error: unknown): readonly KubeObject[] {
  if (error instanceof ApiError && error.status === 404) return [];
  throw error;
}

/** Whether the caller may do what a person does who uses Trunnion. */
async function rightsIn(client: KubeClient, namespace: string): Promise<readonly Right[]> {
  const asked = [
    ...kinds.flatMap(({ type: { group, plural } }) =>
      ['get', 'patch'].map((verb) => ({ verb, group, resource: plural })),
    ),
    { verb: 'list', group: PODS.group, resource: PODS.plural },
    { verb: 'get', group: PODS.group, resource: PODS.plural, subresource: 'log' },
    { verb: 'list', group: '', resource: 'events' },
  ];
  return Promise.all(asked.map((attributes) => mayI(client, namespace, attributes)));
}

async function mayI(
  client: KubeClient,
  namespace: string,
  attributes: {
    readonly verb: string;
    readonly group: string;
    readonly resource: string;
    readonly subresource?: string;
  },
): Promise<Right> {
  const kind = 'SelfSubjectAccessReview';
  const apiVersion = 'authorization.k8s.io/v1';
  const { status } = (await client.raw('POST', `/apis/${apiVersion}/selfsubjectaccessreviews`, {
    body: { apiVersion, kind, spec: { resourceAttributes: { namespace, ...attributes } } },
    repeatable: true,
  })) as { readonly status: { readonly allowed: boolean } };
  const { verb, resource, subresource } = attributes;
  return { words: `${verb} ${resource}${subresource === undefined ? '' : `/${subresource}`}`, allowed: status.allowed };
}

/** A cluster whose network plugin is not Cilium has only those of Kubernetes. */
async function policiesIn(
  client: KubeClient,
  served: ReadonlySet<string>,
  namespace: string,
): Promise<readonly KubeObject[]> {
  const types = POLICY_TYPES.filter((type) => served.has(apiVersionOf(type)));
  const lists = await Promise.all(types.map((type) => listAll(client, type, namespace).catch(ifServed)));
  return lists.flat();
}
