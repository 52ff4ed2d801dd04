import { createHash } from 'node:crypto';
import { join } from 'node:path';

/** The node's name in the cluster. */
export const NODE_NAME = 'real-0';

/** Its address, in a network of its own: two clusters on one machine both have it. */
export const NODE_IP = '192.168.77.1';
export const NODE_PREFIX = 24;

/** The way out of the node's network, through this machine's: slirp4netns gives its own addresses of the range these ends. */
export const UPLINK = { device: 'uplink0', range: '192.168.78.0/24', dns: '192.168.78.3' } as const;

/** The addresses of its pods. Simulated pods have others: see nodes.ts and POD_CIDR. */
export const REAL_POD_CIDR = '10.244.0.0/24';

/** Where pods find the API server behind the Service `kubernetes`. Policies judge by this port, and open 443 and 6443. */
export const API_PORT = 6443;

/** The name of the pause image. Nobody pulls it: it is made here. */
export const PAUSE_IMAGE = 'trunnion.dev/pause:1';

/** The files of a real node, all in the cluster's folder. */
export interface NodeFiles {
  /** The process that holds the namespaces writes what it does. */
  readonly root: string;
  readonly setup: string;
  readonly containerdSettings: string;
  /** What containerd keeps: images, layers. */
  readonly containerdRoot: string;
  readonly containerdSocket: string;
  /** What the network plug-ins are told, and what they remember of addresses. */
  readonly cni: string;
  readonly cniData: string;
  readonly kubeletSettings: string;
  readonly kubeletRoot: string;
  readonly kubeProxySettings: string;
  readonly dnsSettings: string;
  /** What `/etc/resolv.conf` is for this node, where it has a way out. */
  readonly resolver: string;
  /** What `/var/log` is for this node. */
  readonly logs: string;
  /** A folder for each volume. */
  readonly volumes: string;
  readonly pauseImage: string;
  /** Where the API server and kwok are reached from outside of the node's network. */
  readonly apiSocket: string;
  readonly kubeletSocket: string;
  /** The path of the node's cgroups below the root of each hierarchy: of this folder's cluster alone. */
  readonly cgroup: string;
}

/** @param dir - the cluster's folder */
export function nodeFilesOf(dir: string): NodeFiles {
  const root = join(dir, 'node');
  return {
    root,
    setup: join(root, 'setup.sh'),
    containerdSettings: join(root, 'containerd.toml'),
    containerdRoot: join(root, 'containerd'),
    containerdSocket: join(root, 'containerd.sock'),
    cni: join(root, 'cni'),
    cniData: join(root, 'cni-data'),
    kubeletSettings: join(root, 'kubelet.yaml'),
    kubeletRoot: join(root, 'kubelet'),
    kubeProxySettings: join(root, 'kube-proxy.yaml'),
    dnsSettings: join(root, 'Corefile'),
    resolver: join(root, 'resolv.conf'),
    logs: join(root, 'log'),
    volumes: join(root, 'volumes'),
    pauseImage: join(root, 'pause.tar'),
    apiSocket: join(root, 'api.sock'),
    kubeletSocket: join(root, 'kubelet.sock'),
    cgroup: `trunnion-${createHash('sha256').update(dir).digest('hex').slice(0, 12)}`,
  };
}
