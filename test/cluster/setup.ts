import type { TestProject } from 'vitest/node';
import { startCluster } from '../../cluster/index.ts';

/** A control plane, as test files get it: see support/cluster.ts. */
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
    clusters: readonly ClusterAccess[];
  }
}

async function start(): Promise<{ readonly access: ClusterAccess; stop(): Promise<void> }> {
  const cluster = await startCluster({ pace: 0.1, auditLog: true, log: (line) => console.error(line) });
  const { url, ca, token, kubeconfig, binaries, auditLogPath: auditLog = '' } = cluster;
  return { access: { url, ca, token, kubeconfig, kubectl: binaries.kubectl, auditLog }, stop: () => cluster.stop() };
}

/** A control plane for each worker: what files install and remove, nobody else sees. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const began = Date.now();
  // No more than there are files, where files alone are named.
  const named = process.argv.filter((argument) => /(^|\/)test\//.test(argument));
  const areFiles = named.length > 0 && named.every((argument) => argument.endsWith('.test.ts'));
  const workers = Math.min(project.config.maxWorkers, areFiles ? named.length : Infinity);
  // The first one builds what the others find.
  const first = await start();
  const others = await Promise.all(Array.from({ length: workers - 1 }, start));
  const clusters = [first, ...others];
  console.error(`booted ${clusters.length} control planes in ${((Date.now() - began) / 1000).toFixed(1)} s`);
  project.provide(
    'clusters',
    clusters.map(({ access }) => access),
  );
  return async () => void (await Promise.all(clusters.map((cluster) => cluster.stop())));
}
