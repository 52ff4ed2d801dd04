import { readdirSync, readFileSync } from 'node:fs';
import type { Manifest } from '../constructs/workload.ts';
import type { KubeClient } from '../operator/kube/index.ts';
import { allKinds, kinds } from '../operator/kinds/index.ts';
import { rbac } from '../operator/rbac.ts';
import { apply, established } from './kube/apply.ts';
import { parseManifests } from './manifests.ts';
import { packageFile } from './package.ts';

/** Where the operator lives, and where it may work. */
export interface InstallOptions {
  readonly namespace: string;
  /** @default - the whole cluster */
  readonly watchNamespace?: string;
  /**
   * Whether it takes the kinds of earlier operators as well.
   *
   * @default false
   */
  readonly existing?: boolean;
}

/** All that the operator needs to be there: CRDs first. */
export function installation({ existing = false, ...options }: InstallOptions): Manifest[] {
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: options.namespace } };
  return [...crds(existing), namespace, ...rbac({ kinds: existing ? allKinds : kinds, ...options })];
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
  await established(client, crds(options.existing));
}

/**
 * The CRDs that ship with this package.
 *
 * @param existing - whether those of earlier operators' kinds are among them
 */
export const crds = (existing = false): Manifest[] => [
  ...crdsIn('crds'),
  ...(existing ? crdsIn('crds', 'existing') : []),
];

const crdsIn = (...folder: readonly string[]): Manifest[] =>
  readdirSync(packageFile(...folder))
    .filter((file) => file.endsWith('.yaml'))
    .sort()
    .flatMap((file) => parseManifests(readFileSync(packageFile(...folder, file), 'utf8'), file));
