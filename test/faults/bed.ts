import { readFileSync } from 'node:fs';
import { filesOf } from '../../cluster/components.ts';
import { startCluster } from '../../cluster/index.ts';
import { install, OPERATOR_NAMESPACE } from '../../cli/install.ts';
import { KubeClient } from '../../operator/kube/client.ts';
import { connect } from '../../operator/kube/connection.ts';
import { OPERATOR_NAME } from '../../operator/rbac.ts';
import type { Bed } from './world.ts';

/** A control plane with the CRDs and the operator's account, for as many worlds as are wanted. */
export async function openBed(log: (line: string) => void): Promise<Bed & AsyncDisposable> {
  const cluster = await startCluster({ nodes: 16, pace: 0.1, log });
  const { url, ca, token } = cluster;
  const connection = { url, ca, authorization: `Bearer ${token}`, namespace: 'default' };
  const admin = new KubeClient({ connection: connect({ from: 'fixed', connection }), userAgent: 'campaign' });
  await install(admin, { namespace: OPERATOR_NAMESPACE }, () => undefined);
  await admin.close();
  return {
    url,
    ca,
    adminToken: token,
    servingKey: readFileSync(filesOf(cluster.dir).servingKey, 'utf8'),
    operatorToken: await cluster.serviceAccountToken(OPERATOR_NAMESPACE, OPERATOR_NAME),
    [Symbol.asyncDispose]: () => cluster.stop(),
  };
}
