import { editsBetween } from '../values/index.ts';

/** A GPU, as nodes have it. */
export interface Gpu {
  /** What people call it: `A100-80GB`. */
  readonly name: string;
  /** The extended resource that counts it. */
  readonly resource: 'nvidia.com/gpu' | 'amd.com/gpu';
  /** The value of the node label that names the product. */
  readonly product: string;
  /** Its memory in MiB, as the driver says it and the label nvidia.com/gpu.memory has it. */
  readonly memory: number;
  /** How many the largest nodes have. */
  readonly perNode: number;
  /** Whether it computes with bfloat16: from compute capability 8.0 on. */
  readonly hasBfloat16: boolean;
}

type Row = readonly [name: string, product: string, memory: number, perNode?: number];

/**
 * By memory, the smallest first. A product is the name that the driver gives, with `-` for each space, to which time-slicing adds
 * `-SHARED` and MIG its profile (NVIDIA/k8s-device-plugin, internal/lm/resource.go, productLabel). Which of several forms a node has
 * (SXM, PCIe, NVL) is another product. The figures are those of the drivers as they are published, not read on a node of each.
 */
const NVIDIA: readonly Row[] = [
  ['T4', 'Tesla-T4', 15_360],
  ['A10G', 'NVIDIA-A10G', 23_028],
  ['A10', 'NVIDIA-A10', 23_028],
  ['L4', 'NVIDIA-L4', 23_034],
  ['RTX-4090', 'NVIDIA-GeForce-RTX-4090', 24_564],
  ['A30', 'NVIDIA-A30', 24_576],
  ['RTX-3090', 'NVIDIA-GeForce-RTX-3090', 24_576],
  ['RTX-5090', 'NVIDIA-GeForce-RTX-5090', 32_607],
  ['A100-40GB', 'NVIDIA-A100-SXM4-40GB', 40_960],
  ['A100-40GB-PCIe', 'NVIDIA-A100-PCIE-40GB', 40_960],
  ['A40', 'NVIDIA-A40', 46_068],
  ['L40S', 'NVIDIA-L40S', 46_068],
  ['RTX-A6000', 'NVIDIA-RTX-A6000', 49_140],
  ['RTX-6000-Ada', 'NVIDIA-RTX-6000-Ada-Generation', 49_140],
  ['H100', 'NVIDIA-H100-80GB-HBM3', 81_559],
  ['H100-PCIe', 'NVIDIA-H100-PCIe', 81_559],
  ['A100-80GB', 'NVIDIA-A100-SXM4-80GB', 81_920],
  ['A100-80GB-PCIe', 'NVIDIA-A100-80GB-PCIe', 81_920],
  ['H100-NVL', 'NVIDIA-H100-NVL', 95_830],
  ['H20', 'NVIDIA-H20', 97_871],
  ['RTX-PRO-6000', 'NVIDIA-RTX-PRO-6000-Blackwell-Server-Edition', 97_887],
  ['H200', 'NVIDIA-H200', 143_771],
  ['H200-NVL', 'NVIDIA-H200-NVL', 143_771],
  ['B200', 'NVIDIA-B200', 183_359],
  ['GB200', 'NVIDIA-GB200', 189_471, 4],
];

const OLD = new Set(['T4']);

/** The name has `_` for each space (ROCm/k8s-device-plugin, docs of its node labeller, which show this one). */
const MI300X: Gpu = {
  name: 'MI300X',
  resource: 'amd.com/gpu',
  product: 'AMD_Instinct_MI300X_OAM',
  memory: 196_592,
  perNode: 8,
  hasBfloat16: true,
};

/** The GPUs that are known by name, the smallest first. */
export const GPUS: readonly Gpu[] = [
  ...NVIDIA.map(([name, product, memory, perNode = 8]): Gpu => {
    return { name, resource: 'nvidia.com/gpu', product, memory, perNode, hasBfloat16: !OLD.has(name) };
  }),
  MI300X,
];

/** A name without what people write in different ways: `nvidia a100 80gb` is `A100-80GB`. */
const plain = (name: string): string =>
  name
    .slice(0, 100)
    .toLowerCase()
    .replaceAll(/nvidia|amd|instinct|geforce|tesla|[^a-z0-9]/g, '');

/** The GPU that is called so, by its own name or that of its product. */
export function findGpu(name: string): Gpu | undefined {
  const wanted = plain(name);
  return (
    GPUS.find((gpu) => gpu.product === name) ??
    GPUS.find((gpu) => plain(gpu.name) === wanted || plain(gpu.product) === wanted)
  );
}

/** Names that somebody may have meant: those that begin alike, or the nearest ones. */
export function similarGpus(name: string): readonly string[] {
  const wanted = plain(name);
  const names = GPUS.map((gpu) => gpu.name);
  const longer = names.filter((each) => wanted !== '' && plain(each).startsWith(wanted));
  if (longer.length > 0) return longer;
  return names.filter((each) => editsBetween(plain(each), wanted) <= Math.min(2, wanted.length / 2));
}
