import type { TestProject } from 'vitest/node';
import { type Cluster, type ClusterOptions, startCluster } from '../../cluster/index.ts';
import type { Program } from '../../cluster/process.ts';

/** Starts another project's controller beside a control plane. */
export type StartController = (cluster: Cluster, log: (line: string) => void) => Promise<Program>;

/**
 * A global setup: one control plane for all files, with controllers of other projects beside it.
 *
 * @returns what vitest calls at the end
 */
export async function setUpWith(
  project: TestProject,
  controllers: readonly StartController[],
  options: ClusterOptions = {},
): Promise<() => Promise<void>> {
  const log = (line: string) => console.error(line);
  const cluster = await startCluster({ pace: 0.1, log, ...options });
  const running: Program[] = [];
  const stop = async (): Promise<void> => {
    for (const program of running.toReversed()) await program.stop(5_000);
    await cluster.stop();
  };
  try {
    for (const start of controllers) running.push(await start(cluster, log));
  } catch (error) {
    await stop();
    throw error;
  }
  const { url, ca, token, kubeconfig, binaries, auditLogPath: auditLog = '' } = cluster;
  project.provide('clusters', [{ url, ca, token, kubeconfig, kubectl: binaries.kubectl, auditLog }]);
  return stop;
}
