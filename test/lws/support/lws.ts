import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseAllDocuments, stringify } from 'yaml';
import { builtFolder, versionOf } from '../../../cluster/binaries.ts';
import { build } from '../../../cluster/build.ts';
import { filesOf } from '../../../cluster/components.ts';
import type { Cluster } from '../../../cluster/index.ts';
import { freePort } from '../../../cluster/ports.ts';
import { type Program, start } from '../../../cluster/process.ts';
import { apply } from '../../../cli/kube/apply.ts';
import type { Manifest } from '../../../constructs/workload.ts';
import { installPublished } from '../../cluster/support/other-crds.ts';
import { clientOf } from '../../support/client.ts';
import { moduleFolder } from '../../support/go-module.ts';
import { answersAt, atLoopback, type Loopback, untilReady, webhooksOf } from '../../support/other-controller.ts';
import { untilAsked } from './asked.ts';

const MODULES = dirname(import.meta.dirname);
const MODULE = 'sigs.k8s.io/lws';

/** What LWS' own manifests add to the webhooks of pods, so that a controller that is down stops none but its own. */
const PODS_OF_GROUPS = {
  objectSelector: { matchExpressions: [{ key: 'leaderworkerset.sigs.k8s.io/name', operator: 'Exists' }] },
};

/** Where the controller runs: where the API server finds it at 127.0.0.1. */
export interface Place {
  readonly port: number;
  /** Whether that is the loopback of this process, too. */
  readonly isHere: boolean;
  start(name: string, command: readonly string[]): Program;
}

/** Beside a control plane on this machine. */
const onThisMachine = async ({ dir }: Cluster): Promise<Place> => ({
  port: await freePort(),
  isHere: true,
  start: (name, [binary = '', ...args]) => start(name, binary, args, join(filesOf(dir).logs, 'lws.log')),
});

/**
 * Installs LeaderWorkerSet and DisaggregatedSet, and runs their controller against a cluster, as a program beside the others.
 *
 * @returns once the API server asks its webhooks
 */
export async function startLws(cluster: Cluster, log: (line: string) => void, where?: Place): Promise<Program> {
  const version = versionOf(readFileSync(join(MODULES, 'go.mod'), 'utf8'), MODULE);
  const binary = await program(version, log);
  const place = where ?? (await onThisMachine(cluster));
  const loopback = { port: place.port, ca: cluster.ca };
  const client = clientOf(cluster, 'lws-setup');
  await installPublished(client, 'LeaderWorkerSet', 'DisaggregatedSet');

  const lws = place.start('LeaderWorkerSet', [binary, ...argumentsFor(cluster, loopback)]);
  const configurations = await webhooks(version);
  const paths = configurations.flatMap(webhooksOf).map(({ clientConfig }) => clientConfig.service.path);
  // It says that it is ready before it has a webhook.
  const answers = async () => (await Promise.all(paths.map((path) => answersAt(loopback, path)))).every(Boolean);
  if (place.isHere) await untilReady(lws, answers);
  for (const configuration of configurations) {
    const adapted = atLoopback(configuration, loopback, (path) => (path.endsWith('-v1-pod') ? PODS_OF_GROUPS : {}));
    await apply(client, adapted, 'default');
  }
  await untilAsked(client);
  await client.close();
  log(`LeaderWorkerSet ${version} runs`);
  return lws;
}

/** Its own program, built once. */
async function program(version: string, log: (line: string) => void): Promise<string> {
  const target = builtFolder('lws', MODULES);
  await build({
    what: 'LeaderWorkerSet',
    takes: 'about 8 minutes on two cores',
    otherwise: 'run the other parts of the tests',
    modules: MODULES,
    target,
    tools: [{ name: 'lws', package: `${MODULE}/cmd` }],
    variables: { [`${MODULE}/pkg/version.GitVersion`]: version },
    log,
  });
  return join(target, 'lws');
}

/** By its configuration file, as of 0.9.0: its flags are for the rest, and most are deprecated. */
function argumentsFor({ dir, kubeconfig }: Cluster, { port }: Loopback): readonly string[] {
  const folder = join(dir, 'lws');
  mkdirSync(folder);
  copyFileSync(filesOf(dir).ca, join(folder, 'tls.crt'));
  copyFileSync(filesOf(dir).servingKey, join(folder, 'tls.key'));
  const config = {
    apiVersion: 'config.lws.x-k8s.io/v1alpha1',
    kind: 'Configuration',
    leaderElection: { leaderElect: false },
    internalCertManagement: { enable: false },
    webhook: { host: '127.0.0.1', port, certDir: folder },
    // No port: others listen on those that it would take.
    health: { healthProbeBindAddress: '0' },
    metrics: { bindAddress: '0' },
  };
  const file = join(folder, 'config.yaml');
  writeFileSync(file, stringify(config));
  return ['--config', file, '--kubeconfig', kubeconfig];
}

async function webhooks(version: string): Promise<readonly Manifest[]> {
  const file = join(await moduleFolder(MODULE, version), 'config', 'webhook', 'manifests.yaml');
  return parseAllDocuments(readFileSync(file, 'utf8')).map((document) => document.toJS() as Manifest);
}
