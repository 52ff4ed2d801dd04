import { App, Chart } from 'cdk8s';
import { createServer, connect, type AddressInfo, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { crdOf } from '../../../constructs/schema/crd.ts';
import type { KindSchema } from '../../../constructs/schema/kind.ts';
import { Workload } from '../../../constructs/workload.ts';
import { conversionRules, conversionUrl, startConversions } from '../../../operator/conversion/index.ts';
import type { ConversionOptions, Conversions } from '../../../operator/conversion/index.ts';
import type { Kind } from '../../../operator/engine/api/kind.ts';
import type { CommonStatus, Resource } from '../../../operator/engine/api/resource.ts';
import { createLogger } from '../../../operator/engine/telemetry/log.ts';
import { apiVersionOf, type KubeClient, type KubeObject, type ResourceType } from '../../../operator/kube/index.ts';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';
import { webApp as schema } from '../../unit/conversion/support/kinds.ts';
import { clientWith, serviceAccountToken } from './client.ts';
import { eventually } from './eventually.ts';

/** Of the operator that has a kind of several versions. */
export const OPERATOR = 'acme-operator';

export const webApp: KindSchema = schema;

const typeIn = (version: string): ResourceType => ({ group: 'acme.dev', version, kind: 'WebApp', plural: 'webapps' });
export const NEW = typeIn('v1');
export const OLD = typeIn('v1beta1');

/** What stands for a Service before replicas: connections go to one after the other, and nowhere while there is none. */
export interface Balancer {
  readonly port: number;
  /** The ports of the replicas. */
  replicas: readonly number[];
}

export async function startBalancer(): Promise<Balancer> {
  const open = new Set<Socket>();
  let next = 0;
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket)).on('error', () => undefined);
    const { replicas } = balancer;
    const port = replicas[next++ % replicas.length];
    if (port === undefined) return void socket.destroy();
    const replica = connect(port, '127.0.0.1');
    replica.on('error', () => socket.destroy()).on('close', () => socket.destroy());
    socket.on('close', () => replica.destroy());
    socket.pipe(replica).pipe(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  const balancer: Balancer = {
    port: (server.address() as AddressInfo).port,
    get replicas() {
      return ports;
    },
    set replicas(given) {
      ports = given;
      // Connections that the API server keeps would still reach the ones before.
      for (const socket of open) socket.destroy();
    },
  };
  let ports: readonly number[] = [];
  return balancer;
}

/** Has the API server serve web apps of all versions, for this test. */
export async function serveWebApps(
  admin: KubeClient,
  { port, kind = webApp }: { readonly port: number; readonly kind?: KindSchema },
): Promise<void> {
  const crd = crdOf(kind, { url: conversionUrl('127.0.0.1', port) });
  const ref = { name: crd.metadata.name };
  await admin.apply(TYPES.customResourceDefinition, crd, { fieldManager: 'test', force: true });
  onTestFinished(async () => {
    await admin.delete(TYPES.customResourceDefinition, ref);
    await eventually(
      async () => {
        if ((await admin.find(TYPES.customResourceDefinition, ref)) !== undefined) throw new Error('it is still there');
      },
      { timeout: 60_000 },
    );
  });
  // Not by a list: what is stored in another version may have nobody yet who converts it.
  await eventually(() => admin.raw('GET', `/apis/${apiVersionOf(typeIn(kind.version))}`));
}

/**
 * An account with the rights that conversion takes and no others, in a namespace.
 *
 * @returns a client with them
 */
export async function conversionClient(admin: KubeClient, namespace: string): Promise<KubeClient> {
  const { cluster, namespace: own } = conversionRules([webApp], { name: OPERATOR });
  const name = `${OPERATOR}-${namespace}`;
  const account = { kind: 'ServiceAccount', name: OPERATOR, namespace };
  const roleRef = (kind: string) => ({ apiGroup: 'rbac.authorization.k8s.io', kind, name });
  const rbac = { apiVersion: 'rbac.authorization.k8s.io/v1' };
  const clusterRole = {
    group: 'rbac.authorization.k8s.io',
    version: 'v1',
    kind: 'ClusterRole',
    plural: 'clusterroles',
  };
  await admin.create(TYPES.serviceAccount, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: account });
  await admin.create(clusterRole, { ...rbac, kind: 'ClusterRole', metadata: { name }, rules: cluster });
  await admin.create(TYPES.clusterRoleBinding, {
    ...rbac,
    kind: 'ClusterRoleBinding',
    metadata: { name },
    roleRef: roleRef('ClusterRole'),
    subjects: [account],
  });
  await admin.create(TYPES.role, { ...rbac, kind: 'Role', metadata: { name, namespace }, rules: own });
  await admin.create(TYPES.roleBinding, {
    ...rbac,
    kind: 'RoleBinding',
    metadata: { name, namespace },
    roleRef: roleRef('Role'),
    subjects: [account],
  });
  onTestFinished(async () => {
    await admin.delete(TYPES.clusterRoleBinding, { name });
    await admin.delete(clusterRole, { name });
  });
  return clientWith(await serviceAccountToken(admin, namespace, OPERATOR), OPERATOR);
}

/** Converts web apps until the test ends; each call is a replica. */
export function convert(client: KubeClient, namespace: string, options: Partial<ConversionOptions> = {}): Conversions {
  const conversions = startConversions({
    kinds: [webApp],
    client,
    name: OPERATOR,
    namespace,
    hosts: ['127.0.0.1'],
    port: 0,
    host: '127.0.0.1',
    checkMs: 500,
    log: createLogger('silent'),
    ...options,
  });
  if (conversions === undefined) throw new Error('there is something to convert');
  onTestFinished(() => conversions.close());
  return conversions;
}

/** A web app as a user writes it. */
export const body = (type: ResourceType, namespace: string, name: string, spec: object) => ({
  apiVersion: apiVersionOf(type),
  kind: 'WebApp',
  metadata: { namespace, name },
  spec,
});

interface WebAppSpec {
  readonly image: string;
}
export type WebApp = Resource<WebAppSpec, CommonStatus & { readonly url?: string }>;

class WebAppWorkload extends Workload {
  constructor(chart: Chart, { metadata: { name, namespace = '' }, spec }: Omit<WebApp, 'status'>) {
    super(chart, name);
    this.add('config', {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, namespace },
      data: { image: spec.image },
    });
  }
}

/** The kind as an operator runs it: it knows the stored version alone. */
export const webAppKind: Kind<WebApp> = {
  type: NEW,
  label: 'web-app',
  childTypes: [TYPES.configMap],
  reconcile: ({ resource, children }) => ({
    state: {},
    status: { url: `http://${resource.metadata.name}` },
    conditions: [
      { type: 'Ready', status: children.length > 0 ? 'True' : 'False', reason: 'Made', message: resource.spec.image },
    ],
  }),
  render: (resource) => new WebAppWorkload(new Chart(new App(), 'web-app'), resource).render(),
};

/** What a status says once it is about the spec as it is. */
export const readyMessage = ({ metadata, ...rest }: KubeObject): string | undefined => {
  const { observedGeneration, conditions } = (rest['status'] ?? {}) as CommonStatus;
  const ready = conditions?.find(({ type, status }) => type === 'Ready' && status === 'True');
  return observedGeneration === metadata.generation ? ready?.message : undefined;
};
