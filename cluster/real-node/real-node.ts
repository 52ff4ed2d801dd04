import { execFile } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { promisify } from 'node:util';
import type { Api } from '../api.ts';
import { makeCertificate } from '../credentials.ts';
import { privateFolder, writePrivately } from '../private.ts';
import { makeCgroup, removeCgroup } from './cgroups.ts';
import { nodeCommands, type NodeComponent, type NodeTool, type Place } from './components.ts';
import { API_PORT, NODE_IP, NODE_NAME, type NodeFiles, nodeFilesOf, PAUSE_IMAGE, UPLINK } from './layout.ts';
import { inNetwork, initOf, inNode, machineCommand } from './machine.ts';
import { writePauseImage } from './pause-image.ts';
import { provision } from './provisioner.ts';
import { pathOfPrograms, type Requirements } from './requirements.ts';
import { settingsFiles } from './settings.ts';
import { findNodeTools } from './tools.ts';
import { storageClass } from './volumes.ts';

/** As much of the cluster's programs as a node starts and waits for. */
interface Programs {
  launch(component: NodeComponent): void;
  processOf(component: NodeComponent): number | undefined;
  until<T>(what: string, ask: () => Promise<T | undefined>): Promise<T>;
}

/** The longest path of a socket: unix(7), sockaddr_un, less what containerd adds to its own (`.ttrpc`). */
const LONGEST_SOCKET = 107 - '.ttrpc'.length;

/**
 * Removes what the kernel keeps of a node whose processes were killed: its cgroups. There are none where the folder's cluster had
 * no real node.
 *
 * @param dir - the cluster's folder
 */
export async function clearNode(dir: string): Promise<void> {
  const { root, cgroup } = nodeFilesOf(dir);
  if (existsSync(root)) await removeCgroup(cgroup);
}

/** A real node of a cluster, from before its control plane starts until after it has ended. */
export class RealNode {
  readonly #files: NodeFiles;
  readonly #needs: Requirements;
  readonly #tools: Readonly<Record<NodeTool, string>>;
  readonly #stop = new AbortController();
  #place: Omit<Place, 'init'> | undefined;
  #init: number | undefined;
  #provisioning: Promise<void> = Promise.resolve();

  private constructor(files: NodeFiles, needs: Requirements, tools: Readonly<Record<NodeTool, string>>) {
    this.#files = files;
    this.#needs = needs;
    this.#tools = tools;
  }

  /**
   * Builds the programs of a node that are not there yet.
   *
   * @param needs - what its machine has: see requirements.ts
   * @throws where the folder is too deep, and where something has to be built and there is no Go
   */
  static async in(dir: string, needs: Requirements, log: (line: string) => void): Promise<RealNode> {
    const files = nodeFilesOf(dir);
    if (files.containerdSocket.length > LONGEST_SOCKET) {
      throw new Error(
        `the folder ${dir} is too deep for a real node: paths of sockets have at most ${LONGEST_SOCKET} characters, ` +
          `and ${files.containerdSocket} has ${files.containerdSocket.length}; choose a shorter one`,
      );
    }
    if (needs.missingForUplink !== undefined) {
      log(
        `pods on the real node reach nothing outside of the cluster, and no registry; for that, it needs ${needs.missingForUplink}`,
      );
    }
    return new RealNode(files, needs, await findNodeTools(log));
  }

  /** Writes what its programs read. What a killed cluster left of this folder's node goes first. */
  async prepare(kubeconfig: string, ports: Place['ports']): Promise<void> {
    const files = this.#files;
    await removeCgroup(files.cgroup);
    makeCgroup(files.cgroup);
    for (const folder of [files.root, files.cni, files.logs, files.kubeletRoot, files.volumes]) privateFolder(folder);
    makeCertificate(API_SERVER, this.clientCertificate, this.clientKey);
    const settings = {
      kubeconfig,
      clientCertificate: this.clientCertificate,
      cniFolder: this.#needs.cniFolder,
      hasUplink: this.#hasUplink,
    };
    for (const [file, text] of settingsFiles(files, settings)) writePrivately(file, text);
    this.#place = { files, tools: this.#tools, kubeconfig, ports };
  }

  /** With these the API server asks the kubelet. */
  get clientCertificate(): string {
    return `${this.#files.root}/kubelet-client.crt`;
  }

  get clientKey(): string {
    return `${this.#files.root}/kubelet-client.key`;
  }

  /** Starts the namespaces, and what leads into them. */
  async open(programs: Programs): Promise<void> {
    programs.launch('machine');
    this.#init = await programs.until("the node's namespaces", async () => initOf(programs.processOf('machine') ?? 0));
    for (const each of ['api-relay', 'api-door', 'api-port', 'kubelet-relay', 'kubelet-port'] as const) {
      programs.launch(each);
    }
    if (!this.#hasUplink) return;
    programs.launch('uplink');
    await programs.until("the node's way out", () => this.#hasAddress(UPLINK.device));
  }

  get #hasUplink(): boolean {
    return this.#needs.missingForUplink === undefined;
  }

  async #hasAddress(device: string): Promise<true | undefined> {
    const [program = '', ...args] = this.inNetwork(withPath(['ip', '-4', '-oneline', 'address', 'show', device]));
    const { stdout } = await promisify(execFile)(program, args).catch(() => ({ stdout: '' }));
    return stdout === '' ? undefined : true;
  }

  /** The command of a process of the node. */
  commandOf(component: NodeComponent): readonly string[] {
    if (component === 'machine') return machineCommand(this.#files);
    if (this.#place === undefined) throw new Error('the node is not prepared');
    const { room, command } = nodeCommands[component];
    const wanted = withPath(command({ ...this.#place, init: this.#opened }));
    if (room === 'machine') return wanted;
    return room === 'network' ? this.inNetwork(wanted) : inNode(this.#opened, wanted);
  }

  /** A command of the control plane, which has the node's network, so that pods and API server reach each other. */
  inNetwork(command: readonly string[]): readonly string[] {
    return inNetwork(this.#opened, command);
  }

  get #opened(): number {
    if (this.#init === undefined) throw new Error('the node has no namespaces yet');
    return this.#init;
  }

  /** Joins the cluster, whose API server answers. */
  async join(programs: Programs, client: Api): Promise<void> {
    await client.apply('/apis/storage.k8s.io/v1/storageclasses/local', storageClass);
    await client.apply(`${RBAC}/clusterrolebindings/${kubeletClients.metadata.name}`, kubeletClients);
    await client.apply('/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/kubernetes', apiEndpoint);
    programs.launch('containerd');
    await programs.until('containerd', () => this.#ctr('version').then(yes, nothing));
    if (!(await this.#ctr('images', 'ls', '-q')).includes(PAUSE_IMAGE)) {
      await writePauseImage(this.#tools.pause, this.#files.pauseImage);
      await this.load(this.#files.pauseImage);
    }
    for (const each of ['coredns', 'kubelet', 'kube-proxy'] as const) programs.launch(each);
    this.#provisioning = provision(client, this.#files.volumes, this.#stop.signal);
    await programs.until(`the node ${NODE_NAME}`, () => this.#node(client));
    // It ends where there is no such node yet.
    programs.launch('kube-router');
    await programs.until(
      `the node ${NODE_NAME} to be ready`,
      async () => isReady(await this.#node(client)) || undefined,
    );
    await programs.until('what enforces NetworkPolicies', () => this.#isEnforcing());
  }

  async #node(client: Api): Promise<NodeObject | undefined> {
    return (await client.get(`/api/v1/nodes/${NODE_NAME}`).catch(nothing)) as NodeObject | undefined;
  }

  /** kube-router makes its chains when it first looks at the policies. */
  async #isEnforcing(): Promise<true | undefined> {
    const [program = '', ...args] = inNode(
      this.#opened,
      withPath(['iptables', '--wait', '--list', 'KUBE-ROUTER-FORWARD']),
    );
    return promisify(execFile)(program, args).then(yes, nothing);
  }

  /**
   * Brings an image onto the node, so that pods find it under its own name.
   *
   * @param file - a docker-archive or an OCI layout, as a tar
   */
  async load(file: string): Promise<void> {
    await this.#ctr('images', 'import', file);
  }

  async #ctr(...args: readonly string[]): Promise<string> {
    const [program = '', ...rest] = inNode(this.#opened, withPath(['ctr', '--address', this.#files.containerdSocket]));
    const { stdout } = await promisify(execFile)(program, [...rest, '--namespace', 'k8s.io', ...args]);
    return stdout;
  }

  /** Ends what runs in this process. */
  async leave(): Promise<void> {
    this.#stop.abort();
    await this.#provisioning;
  }

  /** Removes what is left once all processes have ended. */
  async clear(): Promise<void> {
    await removeCgroup(this.#files.cgroup);
    for (const socket of [this.#files.apiSocket, this.#files.kubeletSocket]) rmSync(socket, { force: true });
  }
}

const isReady = (node: NodeObject | undefined): boolean =>
  node?.status.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false;

interface NodeObject {
  readonly status: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

/** Of whom the certificate is with which the API server asks the kubelet. */
const API_SERVER = 'kube-apiserver';
const RBAC = '/apis/rbac.authorization.k8s.io/v1';

/** The kubelet asks what that user may do. The role comes with Kubernetes. */
const kubeletClients = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRoleBinding',
  metadata: { name: 'trunnion:kubelet-api-admin' },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'system:kubelet-api-admin' },
  subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: API_SERVER }],
};

/** Behind the Service `kubernetes`, which the API server makes. It publishes no address of the loopback by itself. */
const apiEndpoint = {
  apiVersion: 'discovery.k8s.io/v1',
  kind: 'EndpointSlice',
  metadata: { name: 'kubernetes', namespace: 'default', labels: { 'kubernetes.io/service-name': 'kubernetes' } },
  addressType: 'IPv4',
  endpoints: [{ addresses: [NODE_IP], conditions: { ready: true } }],
  ports: [{ name: 'https', port: API_PORT, protocol: 'TCP' }],
};

const withPath = (command: readonly string[]): readonly string[] => ['env', `PATH=${pathOfPrograms()}`, ...command];

const yes = (): true => true;
const nothing = (): undefined => undefined;
