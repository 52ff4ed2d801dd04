import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { stringify } from 'yaml';
import type { KubeClient } from '../../../operator/kube/client/client.ts';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';
import type { ResourceType } from '../../../operator/kube/client/types.ts';
import { serviceAccountToken } from './client.ts';
import { cluster } from './cluster.ts';

/** A rule of a Role. */
export interface RoleRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

/** What a member of a namespace may do: as a role of the cluster says, or as these rules do. */
export type Rights = { readonly clusterRole: string } | { readonly rules: readonly RoleRule[] };

/** Who has some rights in a namespace, and nothing else. */
export interface Member {
  /** Who it is to the API server. */
  readonly user: string;
  readonly token: string;
  /** Path of a kubeconfig, whose context is of the namespace. */
  readonly kubeconfig: string;
}

const rbac = (kind: string): ResourceType => ({
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  kind,
  plural: `${kind.toLowerCase()}s`,
});

/**
 * A ServiceAccount with some rights in a namespace, and none elsewhere.
 *
 * @param home - the namespace of its context, where that is another one
 */
export async function member(admin: KubeClient, namespace: string, rights: Rights, home = namespace): Promise<Member> {
  const name = `member-${randomBytes(3).toString('hex')}`;
  const metadata = { name, namespace };
  const apiVersion = 'rbac.authorization.k8s.io/v1';
  const roleRef = 'clusterRole' in rights ? { kind: 'ClusterRole', name: rights.clusterRole } : { kind: 'Role', name };
  await admin.create(TYPES.serviceAccount, { apiVersion: 'v1', kind: 'ServiceAccount', metadata });
  if ('rules' in rights) await admin.create(rbac('Role'), { apiVersion, kind: 'Role', metadata, rules: rights.rules });
  await admin.create(rbac('RoleBinding'), {
    apiVersion,
    kind: 'RoleBinding',
    metadata,
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', ...roleRef },
    subjects: [{ kind: 'ServiceAccount', name, namespace }],
  });
  const token = await serviceAccountToken(admin, namespace, name);
  return { user: `system:serviceaccount:${namespace}:${name}`, token, kubeconfig: await kubeconfigWith(token, home) };
}

/** A kubeconfig of this worker's control plane, until the test ends. */
async function kubeconfigWith(token: string, namespace: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'trunnion-member-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const { url, ca } = cluster();
  const path = join(folder, 'config');
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      { name: 'here', cluster: { server: url, 'certificate-authority-data': Buffer.from(ca).toString('base64') } },
    ],
    users: [{ name: 'member', user: { token } }],
    contexts: [{ name: 'here', context: { cluster: 'here', user: 'member', namespace } }],
    'current-context': 'here',
  };
  await writeFile(path, stringify(config));
  return path;
}
