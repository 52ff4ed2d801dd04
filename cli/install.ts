import { readdirSync, readFileSync } from 'node:fs';
import type { Manifest } from '../constructs/workload.ts';
import type { KubeClient } from '../operator/kube/index.ts';
import { kinds } from '../operator/kinds/index.ts';
import { rbac } from '../operator/rbac.ts';
import { apply, established } from './kube/apply.ts';
import { parseManifests } from './manifests.ts';
import { packageFile } from './package.ts';

/** Where the operator lives unless told otherwise. */
export const OPERATOR_NAMESPACE = 'trunnion-system';

/** Where the operator lives, and where it may work. */
export interface InstallOptions {
  readonly namespace: string;
  /** @default - the whole cluster */
  readonly watchNamespace?: string;
}

/** All that the operator needs to be there: CRDs first. */
export function installation(options: InstallOptions): Manifest[] {
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: options.namespace } };
  return [...crds(), namespace, ...rbac({ kinds, ...options })];
}

/**
 * Applies the installation, and waits until the API server serves the kinds.
 *
 * @param say - is told each object
 */
export async function install(client: KubeClient, options: InstallOptions, say: (line: string) => void): Promise<void> {
  for (const manifest of installation(options)) {
    await apply(client, manifest, options.namespace);
    say(`applied ${manifest.kind} ${manifest.metadata.name}`);
  }
  await established(client, crds());
}

/** The CRDs that ship with this package. */
export function crds(): Manifest[] {
  return readdirSync(packageFile('crds'))
    .filter((file) => file.endsWith('.yaml'))
    .sort()
    .flatMap((file) => parseManifests(readFileSync(packageFile('crds', file), 'utf8'), file));
}
