import { printYaml } from '../../yaml/print.ts';
import { pathOfPrograms } from './requirements.ts';
import { NODE_IP, NODE_NAME, NODE_PREFIX, PAUSE_IMAGE, REAL_POD_CIDR, type NodeFiles, UPLINK } from './layout.ts';

/** What the node's programs are told, besides the node's own files. */
export interface NodeSettings {
  /** Of a user who may do everything. */
  readonly kubeconfig: string;
  /** The certificate with which the API server asks the kubelet: a file. */
  readonly clientCertificate: string;
  readonly cniFolder: string;
  /** Whether pods reach what this machine reaches. */
  readonly hasUplink: boolean;
}

/** A file, and what is in it. */
export type SettingsFile = readonly [path: string, text: string];

/** What the programs of a node read. */
export const settingsFiles = (files: NodeFiles, settings: NodeSettings): readonly SettingsFile[] => [
  [files.setup, setup(files, settings)],
  [files.containerdSettings, containerd(files, settings)],
  [`${files.cni}/10-trunnion.conflist`, JSON.stringify(network(files))],
  [files.kubeletSettings, printYaml(kubelet(files, settings))],
  [files.kubeProxySettings, printYaml(kubeProxy(settings))],
  [files.dnsSettings, corefile(settings)],
  [files.resolver, `nameserver ${UPLINK.dns}\n`],
];

/** Those that the kubelet reads, and sets where they differ: Kubernetes 1.36, pkg/kubelet/cm, setupKernelTunables. */
const SYSCTLS: readonly (readonly [name: string, value: number])[] = [
  ['vm.overcommit_memory', 1],
  ['vm.panic_on_oom', 0],
  ['kernel.panic', 10],
  ['kernel.panic_on_oops', 1],
  ['kernel.keys.root_maxkeys', 1_000_000],
  ['kernel.keys.root_maxbytes', 25_000_000],
];

const given = ([name, value]: readonly [string, number]): string =>
  `echo ${value} > /run/sysctl/${name} && mount --bind /run/sysctl/${name} /proc/sys/${name.replaceAll('.', '/')}`;

/**
 * What the first process of the node's namespaces does. Mounts are seen in them alone; `/run` has what runc, the shims and the
 * network plug-ins keep of what runs, and so ends with it. The kubelet finds the sysctls of the whole machine as it wants them,
 * in files of the node's own. Bash collects the processes that lose their parent.
 */
const setup = (files: NodeFiles, { hasUplink }: NodeSettings): string => `set -eu
PATH='${pathOfPrograms()}'
${hasUplink ? 'resolver=$(readlink --canonicalize-missing /etc/resolv.conf)' : ''}
mount --make-rshared /
mount -t tmpfs -o mode=755 tmpfs /run
mkdir /run/netns
mount --bind '${files.logs}' /var/log
mkdir /run/sysctl
${SYSCTLS.map(given).join('\n')}
ip link set lo up
ip link add node0 type bridge
ip address add ${NODE_IP}/${NODE_PREFIX} dev node0
ip link set node0 up
ip route add default dev node0 metric 1000
echo 1 > /proc/sys/net/ipv4/ip_forward
echo 1 > /proc/sys/net/bridge/bridge-nf-call-iptables
${hasUplink ? wayOut(files) : ''}
touch /run/ready
sleep infinity &
while :; do wait; done
`;

/** Names are resolved by way of the uplink, though the machine's own resolver may listen on its loopback, and its file lie in /run. */
const wayOut = ({ resolver }: NodeFiles): string => `mkdir -p "$(dirname "$resolver")"
[ -e "$resolver" ] || touch "$resolver"
mount --bind '${resolver}' "$resolver"
iptables --wait --table nat --append POSTROUTING --source ${REAL_POD_CIDR} --out-interface ${UPLINK.device} --jump MASQUERADE
`;

/**
 * Read by containerd 1.6 and newer. Nothing of it lies outside of the cluster's folder and the node's own /run. Machines that are
 * containers themselves let nobody lower the score by which the kernel chooses whom to kill.
 */
const containerd = (files: NodeFiles, { cniFolder }: NodeSettings): string => `version = 2
root = "${files.containerdRoot}"
state = "/run/containerd"
[grpc]
address = "${files.containerdSocket}"
[plugins."io.containerd.internal.v1.opt"]
path = "${files.root}/opt"
[plugins."io.containerd.grpc.v1.cri"]
sandbox_image = "${PAUSE_IMAGE}"
disable_apparmor = true
restrict_oom_score_adj = true
[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
runtime_type = "io.containerd.runc.v2"
[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]
SystemdCgroup = false
[plugins."io.containerd.grpc.v1.cri".cni]
bin_dir = "${cniFolder}"
conf_dir = "${files.cni}"
`;

const network = ({ cniData }: NodeFiles): object => ({
  cniVersion: '0.4.0',
  name: 'trunnion',
  plugins: [
    {
      type: 'bridge',
      bridge: 'pods0',
      isGateway: true,
      hairpinMode: true,
      ipam: {
        type: 'host-local',
        dataDir: cniData,
        ranges: [[{ subnet: REAL_POD_CIDR }]],
        routes: [{ dst: '0.0.0.0/0' }],
      },
    },
    { type: 'portmap', capabilities: { portMappings: true } },
  ],
});

const kubelet = (files: NodeFiles, { clientCertificate }: NodeSettings): object => ({
  apiVersion: 'kubelet.config.k8s.io/v1beta1',
  kind: 'KubeletConfiguration',
  // As kubeadm has it: anyone who the API server knows, for what they may do with nodes.
  authentication: {
    anonymous: { enabled: false },
    webhook: { enabled: true },
    x509: { clientCAFile: clientCertificate },
  },
  authorization: { mode: 'Webhook' },
  address: NODE_IP,
  readOnlyPort: 0,
  containerRuntimeEndpoint: `unix://${files.containerdSocket}`,
  // Machines without cgroup v2, and with swap, are good enough for tests.
  failCgroupV1: false,
  failSwapOn: false,
  cgroupDriver: 'cgroupfs',
  cgroupRoot: `/${files.cgroup}`,
  enforceNodeAllocatable: [],
  clusterDomain: 'cluster.local',
  clusterDNS: [NODE_IP],
  resolvConf: '',
  serializeImagePulls: false,
  // Images were imported: what is collected could not be pulled again. The disk is the machine's own affair.
  imageGCHighThresholdPercent: 100,
  imageGCLowThresholdPercent: 99,
  evictionHard: { 'memory.available': '0%', 'nodefs.available': '0%', 'imagefs.available': '0%' },
  localStorageCapacityIsolation: false,
  volumePluginDir: `${files.kubeletRoot}/volume-plugins`,
});

const kubeProxy = ({ kubeconfig }: NodeSettings): object => ({
  apiVersion: 'kubeproxy.config.k8s.io/v1alpha1',
  kind: 'KubeProxyConfiguration',
  mode: 'iptables',
  clientConnection: { kubeconfig },
  hostnameOverride: NODE_NAME,
  // Sysctls of the whole machine stay as they are.
  conntrack: { maxPerCore: 0, min: 0, tcpEstablishedTimeout: '0s', tcpCloseWaitTimeout: '0s' },
});

/** Names of Services, and those outside of the cluster where it has a way out. */
const corefile = ({ kubeconfig, hasUplink }: NodeSettings): string => `.:53 {
  bind ${NODE_IP}
  kubernetes cluster.local {
    kubeconfig ${kubeconfig}
  }
  ${hasUplink ? `forward . ${UPLINK.dns}` : ''}
  cache 5
}
`;
