import type { TestProject } from 'vitest/node';
import { startCluster } from '../../cluster/index.ts';
import { startKueue } from './support/kueue.ts';

/** A control plane with Kueue's own controller. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const log = (line: string) => console.error(line);
  const cluster = await startCluster({ pace: 0.1, log: log });
  const kueue = await startKueue(cluster, log).catch(async (error: unknown) => {
    await cluster.stop();
    throw error;
  });
  const { url, ca, token, kubeconfig, binaries } = cluster;
  project.provide('clusters', [{ url, ca, token, kubeconfig, kubectl: binaries.kubectl, auditLog: '' }]);
  return async () => {
    await kueue.stop(5_000);
    await cluster.stop();
  };
}
