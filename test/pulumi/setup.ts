import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startCluster } from '../../cluster/index.ts';
import { clientOf } from '../support/client.ts';
import { findEngine, type Engine } from './engine/engine.ts';
import { findLanguages, type Languages } from './engine/languages.ts';
import { KubernetesProvider } from './provider/kubernetes.ts';
import { Objects } from './provider/objects.ts';
import { serve } from './provider/server.ts';

/** What every test file of this part may `inject`. */
export interface PulumiAccess {
  readonly engine: Engine;
  readonly languages: Languages;
  /** Where the stand-in for the Kubernetes provider listens; undefined where the real one is installed. */
  readonly providerPort: number | undefined;
  /** Where Node.js keeps what it has compiled: each operation loads the SDK again. */
  readonly compiled: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    pulumi: PulumiAccess;
  }
}

/** One engine, one control plane and one provider for all workers: each file has namespaces of its own. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const log = (line: string) => console.error(line);
  const engine = await findEngine(log);
  const languages = await findLanguages(log);
  const cluster = await startCluster({ pace: 0.1, auditLog: true, log: log });
  const { url, ca, token, kubeconfig, binaries, auditLogPath: auditLog = '' } = cluster;
  const access = { url, ca, token, kubeconfig, kubectl: binaries.kubectl, auditLog };
  project.provide(
    'clusters',
    Array.from({ length: project.config.maxWorkers }, () => access),
  );

  const client = clientOf(cluster, 'provider');
  const provider = engine.plugins === undefined ? await serve(new KubernetesProvider(new Objects(client))) : undefined;
  log(
    provider === undefined
      ? 'with the Kubernetes provider that is installed'
      : 'with a stand-in for the Kubernetes provider',
  );
  const compiled = mkdtempSync(join(tmpdir(), 'trunnion-compiled-'));
  project.provide('pulumi', { engine, languages, providerPort: provider?.port, compiled });
  return async () => {
    rmSync(compiled, { recursive: true, force: true });
    provider?.stop();
    await client.close();
    await cluster.stop();
  };
}
