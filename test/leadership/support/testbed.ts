import { readFileSync } from 'node:fs';
import { filesOf } from '../../../cluster/components.ts';
import { type Cluster, startCluster } from '../../../cluster/index.ts';
import type { KubeClient } from '../../../operator/kube/client/client.ts';
import { clientOf } from '../../support/client.ts';
import { AuditLog } from './history.ts';

/** A control plane, and a client that may do everything. */
export interface Testbed extends AsyncDisposable {
  readonly cluster: Cluster;
  readonly admin: KubeClient;
  /** With which the proxies before the API server show its certificate. */
  readonly servingKey: string;
  readonly auditLog: AuditLog;
}

export async function openTestbed(): Promise<Testbed> {
  const cluster = await startCluster({ nodes: 1, pace: 0.1, auditLog: true });
  const admin = clientOf(cluster);
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
