/** A simulated node: what to apply, and its status, which the status subresource takes. */
export interface SimulatedNode {
  readonly apiVersion: 'v1';
  readonly kind: 'Node';
  readonly metadata: { readonly name: string; readonly labels: Readonly<Record<string, string>> };
  readonly spec: Readonly<Record<string, unknown>>;
  readonly status: Readonly<Record<string, unknown>>;
}

/** The label of simulated nodes: beside a real one, kwok leads no others. */
export const SIMULATED = 'trunnion.dev/simulated=true';

/** How many nodes of which kind. */
export interface NodeOptions {
  /** Nodes with GPUs. */
  readonly nodes: number;
  /** Nodes without. */
  readonly cpuNodes: number;
  readonly gpusPerNode: number;
  readonly gpuProduct: string;
  /** Port of 127.0.0.1 on which kwok answers for the nodes' kubelets. */
  readonly kubeletPort: number;
}

/** Memory in MiB, by the product name that the GPU operator's feature discovery gives. */
const GPU_MEMORY: Readonly<Record<string, number>> = {
  'NVIDIA-A100-SXM4-40GB': 40_960,
  'NVIDIA-A100-SXM4-80GB': 81_920,
  'NVIDIA-H100-80GB-HBM3': 81_559,
  'NVIDIA-L4': 23_034,
};

/** The GPU nodes, and those without GPUs, which take what doesn't tolerate their taint. */
export function simulatedNodes(options: NodeOptions): SimulatedNode[] {
  const { nodes, cpuNodes } = options;
  const cpu = Array.from({ length: cpuNodes }, (_, index) => cpuNode(index, options));
  const gpu = Array.from({ length: nodes }, (_, index) => gpuNode(index, options));
  return [...cpu, ...gpu];
}

/** As one of the 8-GPU machines that clouds rent out. */
function gpuNode(index: number, { cpuNodes, gpusPerNode, gpuProduct, kubeletPort }: NodeOptions): SimulatedNode {
  return node({
    name: `gpu-${index}`,
    // The first nodes of the pod network are those without GPUs.
    network: index + cpuNodes,
    labels: {
      'node.kubernetes.io/instance-type': 'simulated-gpu',
      'nvidia.com/gpu.count': String(gpusPerNode),
      'nvidia.com/gpu.memory': String(GPU_MEMORY[gpuProduct] ?? 81_920),
      'nvidia.com/gpu.present': 'true',
      'nvidia.com/gpu.product': gpuProduct,
    },
    taints: [{ key: 'nvidia.com/gpu', value: 'present', effect: 'NoSchedule' }],
    capacity: { cpu: '96', memory: '1152Gi', 'nvidia.com/gpu': String(gpusPerNode) },
    kubeletPort,
  });
}

function cpuNode(index: number, { kubeletPort }: NodeOptions): SimulatedNode {
  return node({
    name: `cpu-${index}`,
    network: index,
    labels: { 'node.kubernetes.io/instance-type': 'simulated-cpu' },
    taints: [],
    capacity: { cpu: '64', memory: '256Gi' },
    kubeletPort,
  });
}

function node(of: {
  name: string;
  network: number;
  labels: Record<string, string>;
  taints: object[];
  capacity: Record<string, string>;
  kubeletPort: number;
}): SimulatedNode {
  const capacity = { ...of.capacity, 'ephemeral-storage': '2Ti', pods: '250' };
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name: of.name,
      labels: {
        'kubernetes.io/arch': 'amd64',
        'kubernetes.io/hostname': of.name,
        'kubernetes.io/os': 'linux',
        'topology.kubernetes.io/region': 'simulated',
        'topology.kubernetes.io/zone': 'simulated-a',
        'trunnion.dev/simulated': 'true',
        ...of.labels,
      },
    },
    spec: { podCIDR: podRange(of.network), podCIDRs: [podRange(of.network)], taints: of.taints },
    status: {
      addresses: [
        { type: 'InternalIP', address: '127.0.0.1' },
        { type: 'Hostname', address: of.name },
      ],
      capacity,
      allocatable: capacity,
      daemonEndpoints: { kubeletEndpoint: { Port: of.kubeletPort } },
    },
  };
}

/** 254 addresses a node, from 10.128.0.0 on: enough for the 250 pods of a node, and for 32,768 nodes. */
function podRange(network: number): string {
  return `10.${128 + (network >> 8)}.${network & 255}.0/24`;
}

/**
 * The address of the loopback that stands for a simulated pod: 10.a.b.c is 127.a.b.c. A program of a test that listens
 * there plays the pod, and no packet leaves the machine.
 */
export function loopbackOf(podIP: string): string {
  if (!/^10(\.\d{1,3}){3}$/.test(podIP)) {
    throw new Error(`${podIP} is no address of a simulated pod: those are in 10.0.0.0/8`);
  }
  return podIP.replace(/^10\./, '127.');
}
