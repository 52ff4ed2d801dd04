import { onTestFinished } from 'vitest';
import type { KubeClient } from '../../../../operator/kube/client/client.ts';
import { TYPES } from '../../../../operator/kube/client/resource-types.ts';
import { clientWith, serviceAccountToken } from '../../support/client.ts';
import type { PolicyRule } from './rules.ts';

const TENANT = 'tenant';

/** What a team gets that may run models in its namespace, and nothing else. */
export const MAY_SERVE: PolicyRule = {
  apiGroups: ['trunnion.dev'],
  resources: ['modelservings'],
  verbs: ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'],
};

/** A user who may do in one namespace what the rules say, and nothing anywhere else. */
export async function tenantOf(
  admin: KubeClient,
  namespace: string,
  rules: readonly PolicyRule[] = [MAY_SERVE],
): Promise<KubeClient> {
  const metadata = { name: TENANT, namespace };
  const apiVersion = `${TYPES.role.group}/${TYPES.role.version}`;
  await admin.create(TYPES.serviceAccount, { apiVersion: 'v1', kind: 'ServiceAccount', metadata });
  await admin.create(TYPES.role, { apiVersion, kind: 'Role', metadata, rules });
  await admin.create(TYPES.roleBinding, {
    apiVersion,
    kind: 'RoleBinding',
    metadata,
    roleRef: { apiGroup: TYPES.role.group, kind: 'Role', name: TENANT },
    subjects: [{ kind: 'ServiceAccount', name: TENANT, namespace }],
  });
  const client = clientWith(await serviceAccountToken(admin, namespace, TENANT), 'tenant');
  onTestFinished(() => client.close());
  return client;
}
