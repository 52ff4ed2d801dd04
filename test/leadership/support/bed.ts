import { readFileSync } from 'node:fs';
import { filesOf } from '../../../cluster/components.ts';
import { type Cluster, startCluster } from '../../../cluster/index.ts';
import { KubeClient } from '../../../operator/kube/client.ts';
import { connect } from '../../../operator/kube/connection.ts';
import { AuditLog } from './history.ts';

/** A control plane, and a client that may do everything. */
export interface Bed extends AsyncDisposable {
  readonly cluster: Cluster;
  readonly admin: KubeClient;
  /** With which the proxies before the API server show its certificate. */
  readonly servingKey: string;
  readonly auditLog: AuditLog;
}

export async function openBed(): Promise<Bed> {
  const cluster = await startCluster({ nodes: 1, pace: 0.1, auditLog: true });
  const { url, ca, token } = cluster;
  const connection = { url, ca, authorization: `Bearer ${token}`, namespace: 'default' };
  const admin = new KubeClient({ connection: connect({ from: 'fixed', connection }), userAgent: 'test' });
  return {
    cluster,
    admin,
    servingKey: readFileSync(filesOf(cluster.dir).servingKey, 'utf8'),
    auditLog: new AuditLog(cluster.auditLogPath ?? ''),
    [Symbol.asyncDispose]: async () => {
      await admin.close();
      await cluster.stop();
    },
  };
}
