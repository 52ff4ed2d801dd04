import { App, Chart } from 'cdk8s';
import type { Manifest } from '../constructs/workload.ts';
import type { KubeClient } from '../operator/kube/index.ts';
import { Operator } from '../stacks/operator/operator.ts';
import type { SettingsInput } from '../stacks/operator/settings.ts';
import { withApiServerPort } from './install/api-server.ts';
import { apply, established } from './kube/apply.ts';
import { packageVersion } from './package.ts';

/** The kinds of objects by which the operator runs in the cluster. */
const WORKLOAD: ReadonlySet<string> = new Set(['NetworkPolicy', 'Deployment', 'Service', 'PodDisruptionBudget']);

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
  readonly compat?: boolean;
  /**
   * Whether the operator runs in the cluster. Without it there are the CRDs, its account and its rights, for one that runs
   * elsewhere.
   *
   * @default true
   */
  readonly operator?: boolean;
  /**
   * All else that can be set, as in the values of the chart.
   *
   * @default - none
   */
  readonly settings?: SettingsInput;
}

/**
 * All that the operator needs to be there: CRDs first.
 *
 * @throws SpecError where a setting is wrong
 */
export function installation({ namespace, operator = true, ...options }: InstallOptions): readonly Manifest[] {
  const { watchNamespace, compat, settings = {} } = options;
  const installed = new Operator(new Chart(new App(), 'trunnion'), 'operator', {
    namespace,
    version: packageVersion(),
    settings: {
      ...settings,
      // An annotation that Helm alone reads.
      crds: { ...settings.crds, keep: false },
      ...(watchNamespace !== undefined && { watchNamespace }),
      ...(compat !== undefined && { compat }),
    },
  }).render();
  return operator ? installed : installed.filter(({ kind }) => !WORKLOAD.has(kind));
}

/**
 * Applies the installation, and waits until the API server serves the kinds.
 *
 * @param log - is told each object
 */
export async function install(client: KubeClient, options: InstallOptions, log: (line: string) => void): Promise<void> {
  const settings = await withApiServerPort(client, options.settings ?? {});
  const { port } = settings.apiServer ?? {};
  if (port !== undefined && port !== options.settings?.apiServer?.port) {
    log(`the API server listens on port ${port}, which the operator's NetworkPolicy opens: apiServer.port`);
  }
  const manifests = installation({ ...options, settings });
  for (const manifest of manifests) {
    await apply(client, manifest, options.namespace);
    log(`applied ${manifest.kind} ${manifest.metadata.name}`);
  }
  await established(
    client,
    manifests.filter(({ kind }) => kind === 'CustomResourceDefinition'),
  );
}
