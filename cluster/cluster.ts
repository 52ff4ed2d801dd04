import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { api } from './api.ts';
import type { Api } from './api.ts';
import { findBinaries } from './binaries.ts';
import type { Binaries } from './binaries.ts';
import { argumentsOf, type Component as ControlPlaneComponent, COMPONENTS, filesOf } from './components.ts';
import { apiReady, dropNodeLeases, equip, kwokReady, nodesReady } from './equip.ts';
import { prepare, readCa, writeKubeconfigs } from './folder.ts';
import { simulatedNodes } from './nodes.ts';
import { Programs } from './programs.ts';
import { NODE_COMPONENTS, type NodeComponent, RealNode, requirements, thisHost } from './real-node/index.ts';

/** The programs of a cluster; those of a node where it has a real one. */
export type Component = ControlPlaneComponent | NodeComponent;

const isOfControlPlane = (component: Component): component is ControlPlaneComponent =>
  (COMPONENTS as readonly Component[]).includes(component);

/** How to start a cluster. */
export interface ClusterOptions {
  /**
   * Where its data, logs and kubeconfig are. A later start in the same folder brings the same cluster back.
   *
   * @default - a folder for temporary files, removed at the end
   */
  readonly dir?: string;
  /**
   * Simulated nodes with GPUs, which take pods that tolerate their taint.
   *
   * @default 4
   */
  readonly nodes?: number;
  /**
   * Simulated nodes without GPUs, which take 250 pods each.
   *
   * @default 1, and 0 beside a real node
   */
  readonly cpuNodes?: number;
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
   * Whether it has a real node, `real-0`, on which containers run. It needs root on Linux, containerd and more; what is missing
   * is told. There are no simulated nodes without GPUs then, unless `cpuNodes` asks for them: pods would run there as well.
   *
   * @default false
   */
  readonly realNode?: boolean;
  /**
   * Receives the progress, line by line.
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
  /**
   * Brings an image onto the real node, so that pods find it under its own name.
   *
   * @param file - a docker-archive or an OCI layout, as a tar
   * @throws where the cluster has no real node, and where the file is no image
   */
  loadImage(file: string): Promise<void>;
  /** Stops everything, and removes the folder if it was a temporary one. */
  stop(): Promise<void>;
}

/**
 * Starts a cluster, and resolves when its nodes are ready.
 *
 * @throws where a cluster runs in that folder already, where the programs are neither there nor to be built, and where a
 *   component fails, with its last words
 */
export async function startCluster(options: ClusterOptions = {}): Promise<Cluster> {
  const { nodes = 4, gpusPerNode = 8, gpuProduct = 'NVIDIA-A100-SXM4-80GB' } = options;
  const { pace = 1, auditLog = false, realNode = false, cpuNodes = realNode ? 0 : 1 } = options;
  const log = options.log ?? (() => undefined);
  // Before minutes are spent on what is built.
  const needs = realNode ? requirements(thisHost()) : undefined;
  const binaries = await findBinaries(log);
  const dir = options.dir ?? mkdtempSync(join(tmpdir(), 'trunnion-'));
  const files = filesOf(dir);
  const real = needs && (await RealNode.in(dir, needs, log));
  const { ports, tokens } = await prepare(files, pace);
  const extras = {
    audit: auditLog,
    ...(real && { kubeletClient: { certificate: real.clientCertificate, key: real.clientKey } }),
  };
  const commandOf = (component: Component): readonly string[] => {
    if (!isOfControlPlane(component)) return real?.commandOf(component) ?? [];
    const command = [binaries[component], ...argumentsOf(component, files, ports, extras)];
    return real?.inNetwork(command) ?? command;
  };
  const [machine, ...others] = NODE_COMPONENTS;
  const programs = new Programs<Component>([machine, ...COMPONENTS, ...others], commandOf, files.logs);
  const stop = async () => {
    await real?.leave();
    await programs.stopAll();
    await real?.clear();
    if (options.dir === undefined) {
      rmSync(dir, { recursive: true, force: true });
    }
  };

  try {
    await real?.prepare(files.kubeconfig, ports);
    await real?.open(programs);
    programs.launch('etcd');
    programs.launch('kube-apiserver');
    const url = `https://127.0.0.1:${ports.api}`;
    const ca = await programs.until('its certificate', async () => readCa(files));
    writeKubeconfigs(files, url, ca, tokens);
    const client = api(url, ca, tokens.admin);
    await programs.until('the API server', () => apiReady(client));
    log('the API server is ready');
    programs.launch('kube-controller-manager');
    programs.launch('kube-scheduler');
    await equip(
      client,
      simulatedNodes({ nodes, cpuNodes, gpusPerNode, gpuProduct, kubeletPort: ports.kubelet }),
      !realNode,
    );
    const kwok = api(`https://127.0.0.1:${ports.kubelet}`, ca, tokens.admin);
    const controls = control(programs, client, kwok);
    await controls.start('kwok');
    await programs.until('the nodes', () => nodesReady(client, nodes + cpuNodes));
    await real?.join(programs, client);
    log(`${nodes} nodes with ${gpusPerNode} GPUs each are ready, and ${cpuNodes === 1 ? 'one' : cpuNodes} without`);

    return {
      ...controls,
      dir,
      url,
      ca,
      token: tokens.admin,
      kubeconfig: files.kubeconfig,
      binaries,
      ...(auditLog ? { auditLogPath: files.auditLog } : {}),
      get processes() {
        return programs.ids;
      },
      async loadImage(file) {
        if (real === undefined) throw new Error('this cluster has no real node: start it with one to load images');
        await real.load(file);
      },
      stop: async () => {
        await Promise.all([client.close(), kwok.close()]);
        await stop();
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** What can be done to a cluster that runs. */
function control(
  programs: Programs<Component>,
  client: Api,
  kwok: Api,
): Pick<Cluster, 'kill' | 'restartApiServer' | 'serviceAccountToken' | 'start'> {
  const ready = () => programs.until('the API server', () => apiReady(client));
  return {
    kill: (component) => programs.kill(component),
    async start(component) {
      if (component === 'kwok') {
        await dropNodeLeases(client);
      }
      programs.launch(component);
      if (component === 'kube-apiserver' || component === 'etcd') {
        await ready();
      }
      if (component === 'kwok') {
        await programs.until('the simulated kubelets', () => kwokReady(kwok));
      }
    },
    async restartApiServer() {
      await programs.stop('kube-apiserver');
      programs.launch('kube-apiserver');
      await ready();
    },
    async serviceAccountToken(namespace, name) {
      const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${name}/token`;
      const answer = (await client.post(path, {
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenRequest',
        spec: { expirationSeconds: 86_400 },
      })) as { readonly status: { readonly token: string } };
      return answer.status.token;
    },
  };
}
