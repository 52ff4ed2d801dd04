import { onTestFinished } from 'vitest';
import type { KubeClient } from '../../../../operator/kube/client/client.ts';
import type { ResourceType } from '../../../../operator/kube/client/types.ts';
import { clientWith, serviceAccountToken } from '../../support/client.ts';
import { types } from '../../support/types.ts';
import type { PolicyRule } from './rules.ts';

const role: ResourceType = { group: 'rbac.authorization.k8s.io', version: 'v1', kind: 'Role', plural: 'roles' };
const roleBinding: ResourceType = { ...role, kind: 'RoleBinding', plural: 'rolebindings' };

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
  const apiVersion = `${role.group}/${role.version}`;
  await admin.create(types.serviceAccount, { apiVersion: 'v1', kind: 'ServiceAccount', metadata });
  await admin.create(role, { apiVersion, kind: 'Role', metadata, rules });
  await admin.create(roleBinding, {
    apiVersion,
    kind: 'RoleBinding',
    metadata,
    roleRef: { apiGroup: role.group, kind: 'Role', name: TENANT },
    subjects: [{ kind: 'ServiceAccount', name: TENANT, namespace }],
  });
  const client = clientWith(await serviceAccountToken(admin, namespace, TENANT), 'tenant');
  onTestFinished(() => client.close());
  return client;
}
