import type { TestProject } from 'vitest/node';
import { startCluster } from '../../cluster/index.ts';

/** What every test file of this part may `inject`: see support/cluster.ts. */
export interface ClusterAccess {
  readonly url: string;
  /** PEM. */
  readonly ca: string;
  /** Of a user of `system:masters`. */
  readonly token: string;
  readonly kubeconfig: string;
  readonly kubectl: string;
  readonly auditLog: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    cluster: ClusterAccess;
  }
}

/** One control plane for all files of this part. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const started = Date.now();
  const cluster = await startCluster({ pace: 0.1, auditLog: true, log: (line) => console.error(line) });
  console.error(`booted in ${((Date.now() - started) / 1000).toFixed(1)} s`);
  project.provide('cluster', {
    url: cluster.url,
    ca: cluster.ca,
    token: cluster.token,
    kubeconfig: cluster.kubeconfig,
    kubectl: cluster.binaries.kubectl,
    auditLog: cluster.auditLogPath ?? '',
  });
  return () => cluster.stop();
}
