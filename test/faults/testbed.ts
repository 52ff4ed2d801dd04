import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { filesOf } from '../../cluster/components.ts';
import { startCluster } from '../../cluster/index.ts';
import { install } from '../../cli/install.ts';
import { OPERATOR_NAMESPACE } from '../../cli/options.ts';
import type { KubeClient } from '../../operator/kube/client/client.ts';
import { TYPES } from '../../operator/kube/client/resource-types.ts';
import { OPERATOR_NAME } from '../../operator/rbac.ts';
import { clientOf } from '../support/client.ts';
import type { Testbed, Token } from './world.ts';

/** A control plane with the CRDs and the operator's account, for as many worlds as are wanted. */
export async function openTestbed(log: (line: string) => void): Promise<Testbed & AsyncDisposable> {
  const cluster = await startCluster({ nodes: 16, pace: 0.1, log });
  const { url, ca } = cluster;
  const client = clientOf(cluster, 'campaign');
  await install(client, { namespace: OPERATOR_NAMESPACE, operator: false }, () => undefined);
  return {
    url,
    ca,
    client,
    servingKey: readFileSync(filesOf(cluster.dir).servingKey, 'utf8'),
    issueToken: () => issueToken(client),
    [Symbol.asyncDispose]: async () => {
      await client.close();
      await cluster.stop();
    },
  };
}

/** A token that is bound to a Secret: deleting the Secret revokes it. */
async function issueToken(client: KubeClient): Promise<Token> {
  const namespace = OPERATOR_NAMESPACE;
  const name = `token-${randomUUID()}`;
  const secret = await client.create(TYPES.secret, { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace } });
  const boundObjectRef = { apiVersion: 'v1', kind: 'Secret', name, uid: secret.metadata.uid };
  const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${OPERATOR_NAME}/token`;
  const answer = (await client.raw('POST', path, {
    body: {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec: { expirationSeconds: 86_400, boundObjectRef },
    },
  })) as { readonly status: { readonly token: string } };
  return {
    text: answer.status.token,
    revoke: async () => {
      await client.delete(TYPES.secret, { namespace, name });
    },
  };
}
