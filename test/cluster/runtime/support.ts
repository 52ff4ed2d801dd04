import { beforeAll } from 'vitest';
import { createLogger } from '../../../operator/engine/telemetry/index.ts';
import type { Kind, Manifest } from '../../../operator/engine/api/index.ts';
import { identityFor } from '../../../operator/engine/api/index.ts';
import { TYPES } from '../../../operator/kube/index.ts';
import { rbac } from '../../../operator/rbac.ts';
import { operate, type OperateOptions } from '../../../operator/operate.ts';
import { adminClient, serviceAccountToken } from '../support/client.ts';
import { cluster } from '../support/cluster.ts';
import { eventually } from '../support/eventually.ts';
import { untilTestEnds } from '../support/in-process.ts';

export const admin = adminClient();

export const NAME = 'acme-operator';
export const IDENTITY = identityFor({ name: NAME, domain: 'acme.dev' });

const RBAC_TYPES = {
  ServiceAccount: TYPES.serviceAccount,
  Role: TYPES.role,
  RoleBinding: TYPES.roleBinding,
  ClusterRole: { group: 'rbac.authorization.k8s.io', version: 'v1', kind: 'ClusterRole', plural: 'clusterroles' },
  ClusterRoleBinding: TYPES.clusterRoleBinding,
} as const;

/** Has the API server serve kinds for the tests of a file. */
export function serve(...kinds: readonly (Kind & { readonly crd: () => Manifest })[]): void {
  beforeAll(async () => {
    for (const kind of kinds) {
      await admin.apply(TYPES.customResourceDefinition, kind.crd(), { fieldManager: 'test' });
      await eventually(() => admin.list(kind.type));
    }
  });
}

interface Running extends Pick<OperateOptions, 'kinds'> {
  /** Where its account is. */
  readonly namespace: string;
  /**
   * Whether it works there alone.
   *
   * @default true
   */
  readonly alone?: boolean;
}

/** Runs somebody's operator under the rights that its kinds take, until the test ends. */
export async function runAcme({ kinds, namespace, alone = true }: Running): Promise<void> {
  const rights = rbac({ kinds, identity: IDENTITY, namespace, ...(alone && { watchNamespace: namespace }) });
  for (const object of rights) {
    const type = RBAC_TYPES[object.kind as keyof typeof RBAC_TYPES];
    const { name } = object.metadata;
    // Roles of the cluster are those of one test.
    const metadata = { ...object.metadata, name: object.kind.startsWith('Cluster') ? `${name}-${namespace}` : name };
    const role = object['roleRef'] as { readonly kind: string; readonly name: string } | undefined;
    const roleRef = role?.kind === 'ClusterRole' ? { roleRef: { ...role, name: `${role.name}-${namespace}` } } : {};
    await admin.apply(type, { ...object, metadata, ...roleRef }, { fieldManager: 'test' });
  }
  const { url, ca } = cluster();
  const authorization = `Bearer ${await serviceAccountToken(admin, namespace, NAME)}`;
  await untilTestEnds((running) =>
    operate({
      name: NAME,
      kinds,
      domain: 'acme.dev',
      connection: { from: 'fixed', connection: { url, ca, authorization, namespace } },
      port: 0,
      host: '127.0.0.1',
      log: createLogger('silent'),
      ...running,
      ...(alone && { namespace }),
    }),
  );
}
