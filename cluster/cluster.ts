import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'yaml';
import { api, ApiError } from './api.ts';
import type { Api } from './api.ts';
import { findBinaries } from './binaries.ts';
import type { Binaries } from './binaries.ts';
import { argumentsOf, COMPONENTS, filesOf } from './components.ts';
import type { Component, Files, Ports } from './components.ts';
import { credentials, kubeconfig } from './credentials.ts';
import { simulatedNodes } from './nodes.ts';
import { freePort } from './ports.ts';
import { start } from './process.ts';
import type { Program } from './process.ts';
import { kwokConfig, manifest } from './simulation.ts';

/** How to start a cluster. */
export interface ClusterOptions {
  /**
   * Where its data, logs and kubeconfig are. A later start in the same folder brings the same cluster back.
   *
   * @default - a folder for temporary files, removed at the end
   */
  readonly dir?: string;
  /**
   * Simulated nodes with GPUs; one node without GPUs comes on top.
   *
   * @default 4
   */
  readonly nodes?: number;
  /** @default 8 */
  readonly gpusPerNode?: number;
  /**
   * Value of the nodes' label `nvidia.com/gpu.product`.
   *
   * @default NVIDIA-A100-SXM4-80GB
   */
  readonly gpuProduct?: string;
  /**
   * By what the delays of simulated pods are multiplied: 1 is made for a person to watch, 0.1 for tests.
   *
   * @default 1
   */
  readonly pace?: number;
  /**
   * Whether the API server writes an audit log of all mutating requests.
   *
   * @default false
   */
  readonly auditLog?: boolean;
  /**
   * Is told what goes on, line by line.
   *
   * @default - nobody is
   */
  readonly log?: (line: string) => void;
}

/** A real control plane with simulated nodes, all on 127.0.0.1. It ends with this process at the latest. */
export interface Cluster {
  readonly dir: string;
  readonly url: string;
  /** The certificate that clients trust, as PEM. */
  readonly ca: string;
  /** The token of a user of `system:masters`. */
  readonly token: string;
  /** Path of a kubeconfig with that token. */
  readonly kubeconfig: string;
  readonly binaries: Binaries;
  /** Lines of JSON, one a mutating request; absent where none was asked for. */
  readonly auditLogPath?: string;
  /** Process ids of the components that run. */
  readonly processes: Readonly<Partial<Record<Component, number>>>;
  /** A token of a service account, valid for a day. The service account must exist. */
  serviceAccountToken(namespace: string, name: string): Promise<string>;
  /** Kills a component, with SIGKILL. */
  kill(component: Component): Promise<void>;
  /** Starts a component that was killed. */
  start(component: Component): Promise<void>;
  /** Stops the API server in good order, and starts it again on the same port. */
  restartApiServer(): Promise<void>;
  /** Stops everything, and removes the folder if it was a temporary one. */
  stop(): Promise<void>;
}

/** For a start on a busy machine; an idle one takes seconds. */
const READY_MILLISECONDS = 90_000;
/** What a component may take to end in good order. */
const GRACE_MILLISECONDS = 5_000;

/**
 * Starts a cluster, and resolves when its nodes are ready.
 *
 * @throws where a cluster runs in that folder already, where the programs are neither there nor to be built, and where a
 *   component fails, with its last words
 */
export async function startCluster(options: ClusterOptions = {}): Promise<Cluster> {
  const { nodes = 4, gpusPerNode = 8, gpuProduct = 'NVIDIA-A100-SXM4-80GB', pace = 1, auditLog = false } = options;
  const log = options.log ?? (() => undefined);
  const binaries = await findBinaries(log);
  const dir = options.dir ?? mkdtempSync(join(tmpdir(), 'trunnion-'));
  const files = filesOf(dir);
  const ports = await choosePorts(files);
  const url = `https://127.0.0.1:${ports.api}`;
  const tokens = prepare(files, ports, pace);

  const programs = new Map<Component, Program>();
  const launch = (component: Component) =>
    programs.set(
      component,
      start(
        component,
        binaries[component],
        argumentsOf(component, files, ports, auditLog),
        join(files.logs, `${component}.log`),
      ),
    );
  const stop = async () => {
    for (const component of [...COMPONENTS].reverse()) {
      await programs.get(component)?.stop(GRACE_MILLISECONDS);
    }
    if (options.dir === undefined) {
      rmSync(dir, { recursive: true, force: true });
    }
  };

  try {
    launch('etcd');
    launch('kube-apiserver');
    const ca = await until('its certificate', programs, () => Promise.resolve(readIfWhole(files.ca)));
    writeFileSync(files.kubeconfig, kubeconfig(url, ca, tokens.admin), { mode: 0o600 });
    writeFileSync(files.controllerManagerKubeconfig, kubeconfig(url, ca, tokens['kube-controller-manager']), {
      mode: 0o600,
    });
    writeFileSync(files.schedulerKubeconfig, kubeconfig(url, ca, tokens['kube-scheduler']), { mode: 0o600 });
    const client = api(url, ca, tokens.admin);
    const apiReady = () => until('the API server', programs, () => isReady(client));
    await apiReady();
    log('the API server is ready');
    launch('kube-controller-manager');
    launch('kube-scheduler');
    await applyNodes(client, simulatedNodes({ nodes, gpusPerNode, gpuProduct, kubeletPort: ports.kubelet }));
    const storageClass = parse(manifest('storage-class.yaml')) as { metadata: { name: string } };
    await client.apply(`/apis/storage.k8s.io/v1/storageclasses/${storageClass.metadata.name}`, storageClass);
    await dropNodeLeases(client);
    launch('kwok');
    await until('the nodes', programs, () => nodesReady(client, nodes + 1));
    log(`${nodes} nodes with ${gpusPerNode} GPUs each are ready`);

    return {
      dir,
      url,
      ca,
      token: tokens.admin,
      kubeconfig: files.kubeconfig,
      binaries,
      ...(auditLog ? { auditLogPath: files.auditLog } : {}),
      get processes() {
        const running = [...programs].filter(([, program]) => program.running);
        return Object.fromEntries(running.map(([component, program]) => [component, program.pid]));
      },
      async serviceAccountToken(namespace, name) {
        const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${name}/token`;
        const answer = (await client.post(path, {
          apiVersion: 'authentication.k8s.io/v1',
          kind: 'TokenRequest',
          spec: { expirationSeconds: 86_400 },
        })) as { status: { token: string } };
        return answer.status.token;
      },
      async kill(component) {
        await programs.get(component)?.stop(0);
      },
      async start(component) {
        if (component === 'kwok') {
          await dropNodeLeases(client);
        }
        launch(component);
        if (component === 'kube-apiserver' || component === 'etcd') {
          await apiReady();
        }
      },
      async restartApiServer() {
        await programs.get('kube-apiserver')?.stop(GRACE_MILLISECONDS);
        launch('kube-apiserver');
        await apiReady();
      },
      async stop() {
        await client.close();
        await stop();
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The folders, keys and configuration that the components read. */
function prepare(files: Files, ports: Ports, pace: number) {
  for (const folder of [files.pki, files.logs, files.podLogs]) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  }
  writeFileSync(files.state, JSON.stringify({ ports }));
  writeFileSync(files.kwokConfig, kwokConfig(pace, files.podLogs));
  writeFileSync(files.auditPolicy, manifest('audit-policy.yaml'));
  return credentials(files);
}

/** Those of an earlier run where they are still free, so that its kubeconfig keeps its address. */
async function choosePorts(files: Files): Promise<Ports> {
  const earlier = existsSync(files.state)
    ? (JSON.parse(readFileSync(files.state, 'utf8')) as { ports: Ports }).ports
    : undefined;
  return {
    etcd: await freePort(earlier?.etcd),
    etcdPeer: await freePort(earlier?.etcdPeer),
    api: await freePort(earlier?.api),
    kubelet: await freePort(earlier?.kubelet),
  };
}

function readIfWhole(file: string): string | undefined {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  return text.endsWith('-----END CERTIFICATE-----\n') ? text : undefined;
}

/** Asks again until there is an answer. A component that has ended is an error at once. */
async function until<T>(
  what: string,
  programs: ReadonlyMap<Component, Program>,
  ask: () => Promise<T | undefined>,
): Promise<T> {
  const deadline = Date.now() + READY_MILLISECONDS;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) {
      return answer;
    }
    const dead = [...programs.values()].find(({ running }) => !running);
    if (dead !== undefined) {
      throw new Error(`${dead.name} ended (${await dead.ended}); ${dead.logFile} ends with:\n${dead.lastWords()}`);
    }
    if (Date.now() > deadline) {
      throw new Error(`waited ${READY_MILLISECONDS / 1000} s for ${what}; see the logs in the folder of the cluster`);
    }
    await sleep(50);
  }
}

/** Undefined while the API server doesn't answer, or not yet with ok. */
async function isReady(client: Api): Promise<true | undefined> {
  try {
    await client.get('/readyz');
    return true;
  } catch {
    return undefined;
  }
}

async function applyNodes(client: Api, nodes: ReturnType<typeof simulatedNodes>): Promise<void> {
  await Promise.all(
    nodes.map(async (node) => {
      const { status, ...rest } = node;
      const path = `/api/v1/nodes/${node.metadata.name}`;
      await client.apply(path, rest);
      await client.apply(`${path}/status`, { ...rest, status });
    }),
  );
}

/** Leases of an earlier kwok, which a new one would wait 40 s for. */
async function dropNodeLeases(client: Api): Promise<void> {
  await client.delete('/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases').catch((error: unknown) => {
    if (!(error instanceof ApiError && error.status === 404)) {
      throw error;
    }
  });
}

/** Undefined until as many nodes take pods, and the namespace `default` has the service account that pods need. */
async function nodesReady(client: Api, count: number): Promise<true | undefined> {
  const { items } = (await client.get('/api/v1/nodes')) as { items: NodeView[] };
  const ready = items.filter(
    ({ spec, status }) =>
      status.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') &&
      !spec.taints?.some(({ key }) => key === 'node.kubernetes.io/not-ready'),
  );
  if (ready.length < count) {
    return undefined;
  }
  try {
    await client.get('/api/v1/namespaces/default/serviceaccounts/default');
    return true;
  } catch {
    return undefined;
  }
}

interface NodeView {
  readonly spec: { readonly taints?: readonly { readonly key: string }[] };
  readonly status: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}
