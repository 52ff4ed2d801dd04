import type { TestProject } from 'vitest/node';
import { startCluster } from '../../cluster/index.ts';
import { startLws } from './support/lws.ts';

/** A control plane with LWS' own controller, and nodes for 16 pods of 8 GPUs. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const log = (line: string) => console.error(line);
  const cluster = await startCluster({ pace: 0.1, nodes: 16, auditLog: true, log });
  const lws = await startLws(cluster, log).catch(async (error: unknown) => {
    await cluster.stop();
    throw error;
  });
  const { url, ca, token, kubeconfig, binaries, auditLogPath: auditLog = '' } = cluster;
  project.provide('clusters', [{ url, ca, token, kubeconfig, kubectl: binaries.kubectl, auditLog }]);
  return async () => {
    await lws.stop(5_000);
    await cluster.stop();
  };
}
