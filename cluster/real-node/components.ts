import { API_PORT, NODE_IP, NODE_NAME, type NodeFiles, UPLINK } from './layout.ts';

/** The processes of a real node, in the order of their start: the first one before the control plane, which runs in its network. */
export const NODE_COMPONENTS = [
  'machine',
  'api-relay',
  'api-door',
  'api-port',
  'kubelet-relay',
  'kubelet-port',
  'uplink',
  'containerd',
  'coredns',
  'kubelet',
  'kube-proxy',
  'kube-router',
] as const;
export type NodeComponent = (typeof NODE_COMPONENTS)[number];

/** The programs that are built. */
export type NodeTool = 'coredns' | 'kube-proxy' | 'kube-router' | 'kubelet' | 'pause';

/** What the commands of a node are made of. */
export interface Place {
  readonly files: NodeFiles;
  readonly tools: Readonly<Record<NodeTool, string>>;
  readonly kubeconfig: string;
  /** Ports of 127.0.0.1: of the API server and of kwok. */
  readonly ports: { readonly api: number; readonly kubelet: number };
  /** The first process in the node's namespaces. */
  readonly init: number;
}

/** Where a process runs: on this machine, in the node's network, or in all of its namespaces. */
export type Room = 'machine' | 'network' | 'node';

/** How a process of the node is started; `machine` itself is in machine.ts. */
export const nodeCommands: Readonly<
  Record<
    Exclude<NodeComponent, 'machine'>,
    { readonly room: Room; readonly command: (place: Place) => readonly string[] }
  >
> = {
  // From 127.0.0.1 of this machine to that of the node, by a socket in the cluster's folder.
  'api-relay': {
    room: 'network',
    command: ({ files, ports }) => [
      'socat',
      `UNIX-LISTEN:${files.apiSocket},fork,unlink-early,mode=600,backlog=128`,
      `TCP:127.0.0.1:${ports.api}`,
    ],
  },
  'api-door': {
    room: 'machine',
    command: ({ files, ports }) => [
      'socat',
      `TCP-LISTEN:${ports.api},bind=127.0.0.1,fork,reuseaddr,backlog=128`,
      `UNIX-CONNECT:${files.apiSocket}`,
    ],
  },
  // Where pods find it.
  'api-port': {
    room: 'network',
    command: ({ ports }) => [
      'socat',
      `TCP-LISTEN:${API_PORT},bind=${NODE_IP},fork,reuseaddr,backlog=128`,
      `TCP:127.0.0.1:${ports.api}`,
    ],
  },
  'kubelet-relay': {
    room: 'network',
    command: ({ files, ports }) => [
      'socat',
      `UNIX-LISTEN:${files.kubeletSocket},fork,unlink-early,mode=600,backlog=128`,
      `TCP:127.0.0.1:${ports.kubelet}`,
    ],
  },
  'kubelet-port': {
    room: 'machine',
    command: ({ files, ports }) => [
      'socat',
      `TCP-LISTEN:${ports.kubelet},bind=127.0.0.1,fork,reuseaddr,backlog=128`,
      `UNIX-CONNECT:${files.kubeletSocket}`,
    ],
  },
  // Connections of pods become this program's own: nothing on this machine's network changes. Its loopback stays its own.
  uplink: {
    room: 'machine',
    command: ({ init }) => [
      'slirp4netns',
      '--configure',
      '--mtu=65520',
      '--disable-host-loopback',
      `--cidr=${UPLINK.range}`,
      '--netns-type=path',
      `/proc/${init}/ns/net`,
      UPLINK.device,
    ],
  },
  containerd: { room: 'node', command: ({ files }) => ['containerd', '--config', files.containerdSettings] },
  coredns: { room: 'network', command: ({ files, tools }) => [tools.coredns, '-conf', files.dnsSettings] },
  'kube-proxy': {
    room: 'node',
    command: ({ files, tools }) => [tools['kube-proxy'], `--config=${files.kubeProxySettings}`],
  },
  'kube-router': {
    room: 'node',
    command: ({ tools, kubeconfig }) => [
      tools['kube-router'],
      '--run-firewall=true',
      '--run-router=false',
      '--run-service-proxy=false',
      '--run-loadbalancer=false',
      '--enable-cni=false',
      `--kubeconfig=${kubeconfig}`,
      `--hostname-override=${NODE_NAME}`,
      '--service-cluster-ip-range=10.96.0.0/16',
      '--metrics-port=0',
      '--health-port=20244',
    ],
  },
  kubelet: {
    room: 'node',
    command: ({ files, tools, kubeconfig }) => [
      tools.kubelet,
      `--config=${files.kubeletSettings}`,
      `--kubeconfig=${kubeconfig}`,
      `--root-dir=${files.kubeletRoot}`,
      `--cert-dir=${files.kubeletRoot}/pki`,
      `--hostname-override=${NODE_NAME}`,
      `--node-ip=${NODE_IP}`,
      '--node-labels=node.kubernetes.io/instance-type=real',
    ],
  },
};
