import { parse } from 'yaml';
import type { Api } from './api.ts';
import { ApiError } from './api.ts';
import type { SimulatedNode } from './nodes.ts';
import { manifest } from './simulation.ts';

/**
 * Puts nodes and the storage class of simulated volumes into a cluster; those that are there are updated.
 *
 * @param isDefault - whether claims that name no class have that one
 */
export async function equip(client: Api, nodes: readonly SimulatedNode[], isDefault: boolean): Promise<void> {
  await Promise.all(nodes.map((node) => applyNode(client, node)));
  const storageClass = parse(manifest('storage-class.yaml')) as StorageClass;
  storageClass.metadata.annotations['storageclass.kubernetes.io/is-default-class'] = String(isDefault);
  await client.apply(`/apis/storage.k8s.io/v1/storageclasses/${storageClass.metadata.name}`, storageClass);
}

interface StorageClass {
  readonly metadata: { readonly name: string; readonly annotations: Record<string, string> };
}

async function applyNode(client: Api, { status, ...node }: SimulatedNode): Promise<void> {
  const path = `/api/v1/nodes/${node.metadata.name}`;
  await client.apply(path, node);
  await client.apply(`${path}/status`, {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: node.metadata.name },
    status,
  });
}

/** Drops the nodes' leases, which an earlier kwok holds and a new one would wait 40 s for. */
export async function dropNodeLeases(client: Api): Promise<void> {
  await client.delete('/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases');
}

/** Undefined while the API server doesn't answer, or not yet with ok. */
export async function apiReady(client: Api): Promise<true | undefined> {
  return orUndefined(() => client.get('/readyz'));
}

/**
 * Undefined until kwok simulates: it answers only once all its controllers run. Until then it ends where the API server
 * is away, and nodes of an earlier run look ready already.
 *
 * @param kwok - at the port of the kubelets
 */
export async function kwokReady(kwok: Api): Promise<true | undefined> {
  return orUndefined(() => kwok.get('/healthz'));
}

/** Undefined until as many nodes take pods, and the namespace `default` has the service account that pods need. */
export async function nodesReady(client: Api, count: number): Promise<true | undefined> {
  const { items } = (await client.get('/api/v1/nodes')) as { items: readonly Node[] };
  return items.filter(takesPods).length < count
    ? undefined
    : orUndefined(() => client.get('/api/v1/namespaces/default/serviceaccounts/default'));
}

interface Node {
  readonly spec: { readonly taints?: readonly { readonly key: string }[] };
  readonly status: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

function takesPods({ spec, status }: Node): boolean {
  const ready = status.conditions?.some((condition) => condition.type === 'Ready' && condition.status === 'True');
  return ready === true && !spec.taints?.some(({ key }) => key.startsWith('node.kubernetes.io/'));
}

/** What a server that begins to run answers with, or one on a machine that is busy with other things. */
const UNREACHED: ReadonlySet<string | undefined> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_SOCKET',
]);

/** Undefined where the API server refuses or can't be reached. */
async function orUndefined(request: () => Promise<unknown>): Promise<true | undefined> {
  try {
    await request();
    return true;
  } catch (error) {
    if (error instanceof ApiError || UNREACHED.has((error as NodeJS.ErrnoException).code)) {
      return undefined;
    }
    throw error;
  }
}
