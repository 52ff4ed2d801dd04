import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Cluster, startCluster } from '../../../cluster/index.ts';
import type { Program } from '../../../cluster/process.ts';
import type { KubeClient } from '../../../operator/kube/client/client.ts';
import { clientOf } from '../../support/client.ts';
import { loadLightImage } from './pods.ts';

/** What a program may take to end in good order. */
const GRACE_MILLISECONDS = 5_000;

/** A cluster with a real node, which has the light image. */
export interface Testbed {
  readonly dir: string;
  readonly cluster: Cluster;
  readonly client: KubeClient;
  /** Ends a program before the cluster, which it needs. */
  endsFirst(program: Pick<Program, 'stop'>): void;
  stop(): Promise<void>;
}

export async function startTestbed(): Promise<Testbed> {
  const dir = mkdtempSync(join(tmpdir(), 'trunnion-real-'));
  const cluster = await startCluster({ dir, nodes: 1, realNode: true });
  const client = clientOf(cluster);
  await loadLightImage(cluster);
  const programs: Pick<Program, 'stop'>[] = [];
  return {
    dir,
    cluster,
    client,
    endsFirst: (program) => void programs.push(program),
    async stop() {
      for (const program of programs.toReversed()) await program.stop(GRACE_MILLISECONDS);
      await client.close();
      await cluster.stop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
