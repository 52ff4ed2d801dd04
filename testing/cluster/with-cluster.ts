import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Cluster, type ClusterOptions, startCluster } from '../../cluster/index.ts';
import type { Manifest } from '../../constructs/workload.ts';
import { connect, KubeClient, TYPES } from '../../operator/kube/index.ts';
import { type Manifests, manifestsOf } from './manifests.ts';
import { Objects } from './objects.ts';
import { ServedTypes } from './served-types.ts';

/** How to start a cluster for tests. */
export interface TestClusterOptions extends ClusterOptions {
  /**
   * Installed at once.
   *
   * @default - nothing
   */
  readonly install?: Manifests;
}

/** A control plane of its own for tests, with simulated nodes, whose pods become ready without anything that runs. */
export interface TestCluster extends AsyncDisposable {
  /** `https://127.0.0.1:…` */
  readonly url: string;
  /** PEM: the certificate that its clients trust. */
  readonly ca: string;
  /** The path of a kubeconfig with all rights. */
  readonly kubeconfig: string;
  /** Its data and logs. */
  readonly dir: string;
  /** With all rights. */
  readonly client: KubeClient;
  /** The objects of the namespace `default` and of the cluster; `objects.in(namespace)` has those of another. */
  readonly objects: Objects;
  readonly types: ServedTypes;
  /**
   * Applies manifests, CRDs first, and waits until the kinds of the CRDs are served.
   *
   * @param what - manifests, and paths of files and folders with YAML
   */
  install(...what: readonly Manifests[]): Promise<void>;
  /**
   * Makes a namespace in which pods can be made.
   *
   * @param prefix - of its name, whose rest is random
   * @returns its name
   */
  namespace(prefix?: string): Promise<string>;
  /** Stops everything, and removes the data. */
  stop(): Promise<void>;
}

/** Two nodes without GPUs take 500 pods. */
const DEFAULTS = { nodes: 1, cpuNodes: 2, pace: 0.1 } as const;

/** How long a CRD may take until it is served, and a namespace until it has what pods need. */
const READY_MS = 60_000;
const LOOK_MS = 100;

/**
 * Starts a control plane for tests: the real API server, controllers and scheduler, with simulated nodes. Its programs are
 * built once, which takes about 8 minutes and Go; `KUBEBUILDER_ASSETS` and `PATH` are searched first.
 *
 * ```ts
 * await using cluster = await withCluster({ install: WebApp.crd() });
 * const namespace = await cluster.namespace();
 * ```
 *
 * @param run - is given the cluster, which ends with it
 * @returns the cluster, or what `run` returns
 */
export function withCluster(options?: TestClusterOptions): Promise<TestCluster>;
export function withCluster<T>(run: (cluster: TestCluster) => Promise<T>): Promise<T>;
export function withCluster<T>(options: TestClusterOptions, run: (cluster: TestCluster) => Promise<T>): Promise<T>;
export async function withCluster<T>(
  first: TestClusterOptions | ((cluster: TestCluster) => Promise<T>) = {},
  second?: (cluster: TestCluster) => Promise<T>,
): Promise<T | TestCluster> {
  const [options, run] = typeof first === 'function' ? [{}, first] : [first, second];
  const cluster = await open(options);
  if (run === undefined) return cluster;
  try {
    return await run(cluster);
  } finally {
    await cluster.stop();
  }
}

async function open({ install, ...options }: TestClusterOptions): Promise<TestCluster> {
  // Before a control plane is started.
  const manifests = manifestsOf(install ?? [], 'install');
  const started = await startCluster({ ...DEFAULTS, ...options });
  const cluster = testClusterOf(started);
  try {
    await cluster.install(manifests);
    return cluster;
  } catch (error) {
    await cluster.stop();
    throw error;
  }
}

/** A cluster that has been started, with what tests need beside it. */
export function testClusterOf(started: Cluster): TestCluster {
  const { url, ca, token, kubeconfig, dir } = started;
  const connection = { url, ca, authorization: `Bearer ${token}`, namespace: 'default' };
  const client = new KubeClient({ connection: connect({ from: 'fixed', connection }), userAgent: 'test' });
  const types = new ServedTypes(client);
  const objects = new Objects(client, types);
  const stop = async (): Promise<void> => {
    await client.close();
    await started.stop();
  };
  return {
    url,
    ca,
    kubeconfig,
    dir,
    client,
    objects,
    types,
    install: (...what) => install(objects, types, manifestsOf(what)),
    namespace: (prefix = 'test') => makeNamespace(objects, prefix),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

/**
 * The objects of a cluster that another process has started: a test file that is given the kubeconfig by a global setup.
 * `objects.client.close()` ends its connections.
 *
 * @param kubeconfig - its path
 * @param namespace - of objects that name none; left out: `default`
 */
export function objectsAt(kubeconfig: string, namespace?: string): Objects {
  const settings = { from: 'kubeconfig', path: kubeconfig } as const;
  const client = new KubeClient({ connection: connect(settings), userAgent: 'test' });
  return new Objects(client, new ServedTypes(client), namespace);
}

/** What the rest may need comes first. */
const FIRST = ['Namespace', 'CustomResourceDefinition'];

async function install(objects: Objects, types: ServedTypes, manifests: readonly Manifest[]): Promise<void> {
  const order = ({ kind }: Manifest): number => (FIRST.includes(kind) ? FIRST.indexOf(kind) : FIRST.length);
  const [early, late] = [
    manifests.filter((one) => order(one) < FIRST.length),
    manifests.filter((one) => order(one) === FIRST.length),
  ];
  for (const manifest of early.toSorted((a, b) => order(a) - order(b))) await objects.apply(manifest);
  await Promise.all(early.filter(({ kind }) => kind === FIRST[1]).map((crd) => served(objects.client, types, crd)));
  for (const manifest of late) await objects.apply(manifest);
}

interface CrdSpec {
  readonly group: string;
  readonly names: { readonly kind: string; readonly plural: string };
  readonly versions: readonly { readonly name: string; readonly served: boolean }[];
}

/** Waits until the objects of each version of a CRD can be listed, and until discovery has them. */
async function served(client: KubeClient, types: ServedTypes, crd: Manifest): Promise<void> {
  const { group, names, versions } = crd['spec'] as CrdSpec;
  for (const { name: version } of versions.filter((one) => one.served)) {
    const type = { group, version, ...names };
    const isListed = () =>
      client.list(type, { limit: 1 }).then(
        () => true,
        () => false,
      );
    await until(
      `the API server to serve ${names.plural}.${version}.${group}`,
      async () => (await isListed()) && (await types.isDiscovered(type)),
    );
  }
}

async function makeNamespace({ client }: Objects, prefix: string): Promise<string> {
  const name = `${prefix}-${randomBytes(4).toString('hex')}`;
  await client.create(TYPES.namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  // Without it the API server refuses pods.
  await until(`the ServiceAccount "default" of the namespace ${name}`, async () => {
    return (await client.find(TYPES.serviceAccount, { namespace: name, name: 'default' })) !== undefined;
  });
  return name;
}

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + READY_MS;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`waited ${READY_MS / 1000} s for ${what}`);
    await sleep(LOOK_MS);
  }
}
