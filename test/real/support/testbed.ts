import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Cluster, startCluster } from '../../../cluster/index.ts';
import type { KubeClient } from '../../../operator/kube/client/client.ts';
import { clientOf } from '../../support/client.ts';
import { loadLightImage } from './pods.ts';

/** A cluster with a real node, which has the light image. */
export interface Testbed {
  readonly dir: string;
  readonly cluster: Cluster;
  readonly client: KubeClient;
  stop(): Promise<void>;
}

export async function startTestbed(): Promise<Testbed> {
  const dir = mkdtempSync(join(tmpdir(), 'trunnion-real-'));
  const cluster = await startCluster({ dir, nodes: 1, realNode: true });
  const client = clientOf(cluster);
  await loadLightImage(cluster);
  return {
    dir,
    cluster,
    client,
    async stop() {
      await client.close();
      await cluster.stop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
