import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parseAllDocuments } from 'yaml';
import { apply, established } from '../../../cli/kube/apply.ts';
import { filesOf } from '../../../cluster/components.ts';
import { kubeconfig } from '../../../cluster/credentials.ts';
import type { Cluster } from '../../../cluster/index.ts';
import { writePrivately } from '../../../cluster/private.ts';
import { type Program, start } from '../../../cluster/process.ts';
import { NODE_IP } from '../../../cluster/real-node/layout.ts';
import { initOf, inNetwork } from '../../../cluster/real-node/machine.ts';
import { pathOfPrograms } from '../../../cluster/real-node/requirements.ts';
import type { Manifest } from '../../../constructs/workload.ts';
import { eventually } from '../../cluster/support/eventually.ts';
import type { Testbed } from './testbed.ts';

/** Programs start within seconds; a busy machine takes longer. */
export const PATIENCE = { timeout: 90_000 };

/** A service account, with whose rights an extension runs. */
interface Account {
  readonly namespace: string;
  readonly name: string;
}

/**
 * Starts a program of a cluster's extension in the network of the real node, where it finds pods, Services and the API server.
 * It ends before the cluster.
 *
 * @param env - beside the variables of this process
 */
export function startOnNode(
  testbed: Testbed,
  name: string,
  command: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Program {
  const { dir, cluster } = testbed;
  const init = initOf(cluster.processes.machine ?? 0);
  if (init === undefined) throw new Error('the real node has ended');
  const variables = Object.entries({ ...env, PATH: pathOfPrograms() }).map(
    ([variable, value]) => `${variable}=${value}`,
  );
  const [program = '', ...args] = inNetwork(init, ['env', ...variables, ...command]);
  const started = start(name, program, args, join(filesOf(dir).logs, `${name}.log`));
  testbed.endsFirst(started);
  return started;
}

/** The folder of an extension in that of the cluster. */
export function folderOf({ dir }: Testbed, name: string): string {
  const folder = join(dir, name);
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** Writes a kubeconfig with the rights of a service account. */
export async function writeKubeconfig(cluster: Cluster, account: Account, file: string): Promise<void> {
  const token = await cluster.serviceAccountToken(account.namespace, account.name);
  writePrivately(file, kubeconfig(cluster.url, cluster.ca, token));
}

/**
 * Applies manifests, and waits until the types of CRDs among them are served.
 *
 * @param namespace - of those that name none
 */
export async function applyAll(
  { client }: Testbed,
  manifests: readonly Manifest[],
  namespace = 'default',
): Promise<void> {
  for (const manifest of manifests) await apply(client, manifest, namespace);
  await established(
    client,
    manifests.filter(({ kind }) => kind === 'CustomResourceDefinition'),
  );
}

/** The folder of a module's source, which go.mod names, downloaded if need be. */
export async function sourceOf(modules: string, module: string): Promise<string> {
  const { stdout } = await promisify(execFile)('go', ['mod', 'download', '-json', module], { cwd: modules });
  return (JSON.parse(stdout) as { readonly Dir: string }).Dir;
}

/** The manifests of a file, or of all files of a folder, without Deployments: here they are processes. */
export function manifestsIn(path: string): readonly Manifest[] {
  const files = path.endsWith('.yaml') ? [path] : readdirSync(path).map((file) => join(path, file));
  return files
    .flatMap((file) => parseAllDocuments(readFileSync(file, 'utf8')).map((document) => document.toJS() as Manifest))
    .filter(({ kind }) => kind !== 'Kustomization' && kind !== 'Deployment');
}

/** A Service of a program that runs on the node. */
export const serviceOnNode = (namespace: string, name: string, port: number, target: number): readonly Manifest[] => [
  {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace },
    spec: { ports: [{ name: 'main', port, targetPort: target }] },
  },
  {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name, namespace, labels: { 'kubernetes.io/service-name': name } },
    addressType: 'IPv4',
    endpoints: [{ addresses: [NODE_IP], conditions: { ready: true } }],
    ports: [{ name: 'main', port: target, protocol: 'TCP' }],
  },
];

/** Waits until the API server serves what an extension adds to it; tells the extension's last words where it does not. */
export async function serves({ client }: Testbed, path: string, program: Program): Promise<void> {
  await eventually(async () => {
    try {
      await client.raw('GET', path);
    } catch (error) {
      throw new Error(`${path} is not served; ${program.name} says:\n${program.lastWords()}`, { cause: error });
    }
  }, PATIENCE);
}
