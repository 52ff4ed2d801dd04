import { listAll } from '../../operator/engine/observe/index.ts';
import { allKinds, kinds } from '../kinds.ts';
import { ApiError, apiVersionOf, TYPES } from '../../operator/kube/index.ts';
import type { KubeClient, KubeObject, ResourceType } from '../../operator/kube/index.ts';
import { OPERATOR_NAME } from '../../operator/name.ts';
import { TRUNNION } from '../../operator/trunnion.ts';
import { POLICY_TYPES } from '../../operator/engine/api/index.ts';
import { SCHEMAS } from '../schemas.ts';
import { AllowedReader } from '../kube/allowed.ts';
import { deniedIn, notShown } from '../kube/denied.ts';
import type { Known, Observed, Right } from './types.ts';

/** Looks at a cluster with the caller's rights; what may not be looked at is told as such. */
export async function observeCluster(
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
    deployment: await answer(() => client.find(TYPES.deployment, operator)),
    lease: await answer(() => client.find(TYPES.lease, { namespace: operatorNamespace, name: TRUNNION.name })),
    nodes: await listed(TYPES.node),
    storageClasses: await listed(TYPES.storageClass),
    gatewayClasses: await listed(TYPES.gatewayClass),
    ingressClasses: await listed(TYPES.ingressClass),
    localQueues: await listed(TYPES.localQueue, namespace),
    quotas: await listed(TYPES.resourceQuota, namespace),
    policies: await partly(client, (reader) => policiesIn(reader, served, namespace)),
    resources: await partly(client, (reader) => resourcesIn(reader, served, namespace)),
    rights: await answer(() => rightsIn(client, namespace)),
  };
}

async function answer<T>(ask: () => Promise<T>): Promise<Known<T>> {
  try {
    return { known: true, value: await ask() };
  } catch (error) {
    if (error instanceof ApiError) return { known: false, because: becauseOf(error) };
    throw error;
  }
}

/** What a caller needs is asked for once, at the end: see `rightsIn`. */
function becauseOf(error: ApiError): string {
  const denied = deniedIn(error);
  return denied === undefined ? error.message : notShown([denied]).join(' ');
}

/** What may be seen of several types; unknown where that is none of them. */
async function partly(
  client: KubeClient,
  ask: (reader: AllowedReader) => Promise<readonly KubeObject[]>,
): Promise<Known<readonly KubeObject[]>> {
  const reader = new AllowedReader(client);
  const found = await answer(() => ask(reader));
  const { denied } = reader;
  if (!found.known || denied.length === 0) return found;
  if (found.value.length === 0) return { known: false, because: notShown(denied).join(' ') };
  return { ...found, lacking: notShown(denied, 'not counted').join(' ') };
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
    SCHEMAS.map(({ plural, group }) => client.find(TYPES.customResourceDefinition, { name: `${plural}.${group}` })),
  );
  return found.filter((crd) => crd !== undefined);
}

async function resourcesIn(
  client: Pick<KubeClient, 'list'>,
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
    { verb: 'list', group: TYPES.pod.group, resource: TYPES.pod.plural },
    { verb: 'get', group: TYPES.pod.group, resource: TYPES.pod.plural, subresource: 'log' },
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
  client: Pick<KubeClient, 'list'>,
  served: ReadonlySet<string>,
  namespace: string,
): Promise<readonly KubeObject[]> {
  const types = POLICY_TYPES.filter((type) => served.has(apiVersionOf(type)));
  const lists = await Promise.all(types.map((type) => listAll(client, type, namespace).catch(ifServed)));
  return lists.flat();
}
