import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { parseAllDocuments, stringify } from 'yaml';
import { cacheFolder } from '../../../cluster/binaries.ts';
import type { Cluster } from '../../../cluster/index.ts';
import { filesOf } from '../../../cluster/components.ts';
import { freePort } from '../../../cluster/ports.ts';
import { type Program, start } from '../../../cluster/process.ts';
import { apply, established } from '../../../cli/kube/apply.ts';
import type { Manifest } from '../../../constructs/workload.ts';
import { clientOf } from '../../support/client.ts';
import { moduleFolder } from '../../support/go-module.ts';
import { atLoopback, type Loopback, untilReady } from '../../support/other-controller.ts';

const MODULES = dirname(dirname(fileURLToPath(import.meta.url)));
const MODULE = 'sigs.k8s.io/kueue';
const NAMESPACE = 'kueue-system';
const SECRET = 'kueue-webhook-server-cert';

/** What Kueue is asked about; it has webhooks for many more kinds, which are not there. */
const CONCERNED =
  /\/(mutate|validate)-(batch-v1-job|-v1-pod|kueue-x-k8s-io-v1beta1-(workload|clusterqueue|resourceflavor))$/;

const run = promisify(execFile);

/** Kueue's own program, built once from the module that go.mod names. */
async function program(version: string, log: (line: string) => void): Promise<string> {
  const file = join(cacheFolder(), 'kueue', version);
  if (existsSync(file)) return file;
  log('building Kueue: once, about 4 minutes on two cores');
  mkdirSync(dirname(file), { recursive: true });
  await run('go', ['build', '-C', MODULES, '-trimpath', '-ldflags', '-s -w', '-o', file, `${MODULE}/cmd/kueue`]);
  return file;
}

async function versionInUse(): Promise<string> {
  const { stdout } = await run('go', ['list', '-C', MODULES, '-m', '-f', '{{.Version}}', MODULE]);
  return stdout.trim();
}

const manifestsIn = (file: string): readonly Manifest[] =>
  parseAllDocuments(readFileSync(file, 'utf8')).map((document) => document.toJS() as Manifest);

/** A configuration of webhooks as Kueue publishes it, for a Kueue that is no pod. */
const forTests = (configuration: Manifest, loopback: Loopback): Manifest =>
  atLoopback(configuration, loopback, (path) =>
    CONCERNED.test(path)
      ? // Only what tests make: a Kueue that starts must not keep the cluster's own pods from starting.
        { namespaceSelector: { matchLabels: { queues: 'kueue' } } }
      : undefined,
  );

/** Installs Kueue, and runs its controller against a cluster, as a program beside the others. */
export async function startKueue(cluster: Cluster, log: (line: string) => void): Promise<Program> {
  const version = await versionInUse();
  const binary = await program(version, log);
  const { ca, dir, kubeconfig } = cluster;
  const client = clientOf(cluster, 'kueue-setup');
  const components = join(await moduleFolder(MODULE, version), 'config', 'components');

  const bases = join(components, 'crd', 'bases');
  const crds = readdirSync(bases).flatMap((file) => manifestsIn(join(bases, file)));
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } };
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: SECRET } };
  for (const manifest of [namespace, secret, ...crds]) await apply(client, manifest, NAMESPACE);
  await established(client, crds);

  const folder = join(dir, 'kueue');
  mkdirSync(folder);
  copyFileSync(filesOf(dir).ca, join(folder, 'tls.crt'));
  copyFileSync(filesOf(dir).servingKey, join(folder, 'tls.key'));
  const [webhook, health] = [await freePort(), await freePort()];
  const config = {
    apiVersion: 'config.kueue.x-k8s.io/v1beta1',
    kind: 'Configuration',
    namespace: NAMESPACE,
    health: { healthProbeBindAddress: `127.0.0.1:${health}` },
    metrics: { bindAddress: '0' },
    webhook: { host: '127.0.0.1', port: webhook, certDir: folder },
    leaderElection: { leaderElect: false },
    // Without it, Kueue wants another certificate below /etc. It finds ours in the folder, and no webhooks to give its own to.
    internalCertManagement: { enable: true, webhookServiceName: 'kueue-webhook-service', webhookSecretName: SECRET },
    integrations: { frameworks: ['batch/job', 'pod'] },
  };
  const file = join(folder, 'config.yaml');
  writeFileSync(file, stringify(config));
  const args = ['--config', file, '--kubeconfig', kubeconfig, '--feature-gates', 'VisibilityOnDemand=false'];
  const kueue = start('Kueue', binary, args, join(filesOf(dir).logs, 'kueue.log'));

  await untilReady(kueue, () => isReady(health));
  for (const configuration of manifestsIn(join(components, 'webhook', 'manifests.yaml'))) {
    await apply(client, forTests(configuration, { port: webhook, ca }), NAMESPACE);
  }
  await client.close();
  return kueue;
}

const isReady = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    get(`http://127.0.0.1:${port}/readyz`, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    }).on('error', () => resolve(false));
  });
