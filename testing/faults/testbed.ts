import { randomUUID } from 'node:crypto';
import { type KubeClient, TYPES } from '../../operator/kube/index.ts';
import type { Token } from './world.ts';

/** An account of the operator. */
export interface Account {
  readonly namespace: string;
  readonly name: string;
}

/** A token of an account that is bound to a Secret: deleting the Secret revokes it. */
export async function issueToken(client: KubeClient, { namespace, name }: Account): Promise<Token> {
  const secretName = `token-${randomUUID()}`;
  const metadata = { name: secretName, namespace };
  const secret = await client.create(TYPES.secret, { apiVersion: 'v1', kind: 'Secret', metadata });
  const boundObjectRef = { apiVersion: 'v1', kind: 'Secret', name: secretName, uid: secret.metadata.uid };
  const answer = (await client.raw('POST', `/api/v1/namespaces/${namespace}/serviceaccounts/${name}/token`, {
    body: {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec: { expirationSeconds: 86_400, boundObjectRef },
    },
  })) as { readonly status: { readonly token: string } };
  return {
    text: answer.status.token,
    revoke: async () => {
      await client.delete(TYPES.secret, metadata);
    },
  };
}

/** A rule of RBAC. */
type PolicyRule = Readonly<Record<string, readonly string[]>>;

const CLUSTER_ROLE = { group: 'rbac.authorization.k8s.io', version: 'v1', kind: 'ClusterRole', plural: 'clusterroles' };

const ALL_RIGHTS = 'cluster-admin';

/**
 * Makes the account of an operator, which lasts longer than any of its namespaces.
 *
 * @param rules - its rights, in all namespaces; left out: all
 */
export async function makeAccount(client: KubeClient, name: string, rules?: readonly PolicyRule[]): Promise<Account> {
  const account = { namespace: name, name: 'operator' };
  const role = rules === undefined ? ALL_RIGHTS : name;
  await client.create(TYPES.namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  await client.create(TYPES.serviceAccount, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: account });
  const apiVersion = 'rbac.authorization.k8s.io/v1';
  if (rules !== undefined)
    await client.create(CLUSTER_ROLE, { apiVersion, kind: 'ClusterRole', metadata: { name }, rules });
  await client.create(TYPES.clusterRoleBinding, {
    apiVersion,
    kind: 'ClusterRoleBinding',
    metadata: { name },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
    subjects: [{ kind: 'ServiceAccount', ...account }],
  });
  return account;
}
