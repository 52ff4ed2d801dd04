import type { TestProject } from 'vitest/node';
import { startCluster } from '../../cluster/index.ts';
import { startKueue } from '../kueue/support/kueue.ts';
import { startLws } from '../lws/support/lws.ts';

/** A control plane with the controllers of Kueue and of LeaderWorkerSet, which pages take for granted. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const log = (line: string) => console.error(line);
  const cluster = await startCluster({ pace: 0.1, log });
  const running = [() => cluster.stop()];
  const stop = async (): Promise<void> => {
    for (const end of running.toReversed()) await end();
  };
  try {
    for (const start of [startKueue, startLws]) {
      const program = await start(cluster, log);
      running.push(() => program.stop(5_000));
    }
  } catch (error) {
    await stop();
    throw error;
  }
  const { url, ca, token, kubeconfig, binaries } = cluster;
  project.provide('clusters', [{ url, ca, token, kubeconfig, kubectl: binaries.kubectl, auditLog: '' }]);
  return stop;
}
