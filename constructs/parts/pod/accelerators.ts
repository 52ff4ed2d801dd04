import type { ResourceRequirements, Toleration } from '../objects/index.ts';
import { canonicalQuantity } from '../values/index.ts';

/** What one pod asks for, GPUs aside. */
export interface BaseResources {
  readonly cpu?: string | number;
  readonly memory?: string | number;
}

/** What one pod asks for: `spec.resources` of kinds that compute on GPUs. */
export interface Resources extends BaseResources {
  readonly gpu: number;
  readonly gpuResource: string;
  readonly gpuProduct?: string;
}

/**
 * Requests and limits of the container that does the work. GPUs can't be overcommitted, and memory must not be: both
 * are limited to what is requested. CPU is not limited, since the quota throttles a server that starts or tokenises in
 * bursts.
 */
export function resourceRequirements(resources: BaseResources | Resources): ResourceRequirements {
  const fixed = {
    ...('gpu' in resources && resources.gpu > 0 && { [resources.gpuResource]: canonicalQuantity(resources.gpu) }),
    ...(resources.memory !== undefined && { memory: canonicalQuantity(resources.memory) }),
  };
  const requests = { ...(resources.cpu !== undefined && { cpu: canonicalQuantity(resources.cpu) }), ...fixed };
  return {
    ...(Object.keys(requests).length > 0 && { requests }),
    ...(Object.keys(fixed).length > 0 && { limits: fixed }),
  };
}

const AMD_PRODUCT = 'amd.com/gpu.product-name';
const NVIDIA_PRODUCT = 'nvidia.com/gpu.product';

/** The node labels that tell a GPU product: those of NVIDIA's and AMD's feature discovery. */
export const PRODUCT_LABELS: readonly string[] = [NVIDIA_PRODUCT, AMD_PRODUCT];

/** The node labels that select a GPU product. */
export function acceleratorNodeSelector(resources: Resources): Readonly<Record<string, string>> {
  if (resources.gpuProduct === undefined) return {};
  const label = vendorOf(resources.gpuResource) === AMD ? AMD_PRODUCT : NVIDIA_PRODUCT;
  return { [label]: resources.gpuProduct };
}

/**
 * GPU nodes are tainted with the name of their resource by custom. A MIG profile or a time-sliced name lies on nodes
 * that are tainted `nvidia.com/gpu`, as all of the vendor's are.
 */
export function acceleratorTolerations(resources: Resources): readonly Toleration[] {
  if (resources.gpu === 0) return [];
  const keys = new Set([`${vendorOf(resources.gpuResource)}/gpu`, resources.gpuResource]);
  return [...keys].map((key) => ({ key, operator: 'Exists', effect: 'NoSchedule' }));
}

/** Whose GPUs an extended resource counts: `amd.com`. */
const vendorOf = (gpuResource: string): string => gpuResource.split('/', 1)[0] ?? '';

/** What the images of engines are built for. */
export const ACCELERATORS = ['nvidia', 'amd', 'cpu'] as const;

/** One of {@link ACCELERATORS}. */
export type Accelerator = (typeof ACCELERATORS)[number];

/** The vendor of AMD's extended resources. */
export const AMD = 'amd.com';

/**
 * Vendors of accelerators for which neither NVIDIA's nor AMD's software is built. Any other name stands for a GPU of NVIDIA: time
 * slices and virtual GPUs have names that their device plugin chose.
 */
export const OTHER_VENDORS = [
  'aws.amazon.com',
  'cambricon.com',
  'google.com',
  'gpu.intel.com',
  'habana.ai',
  'huawei.com',
  'intel.com',
] as const;

/** Whose accelerators are asked for; `other` stands for those that no image is known for. */
export function acceleratorOf({ gpu, gpuResource }: Resources): Accelerator | 'other' {
  if (gpu === 0) return 'cpu';
  const vendor = vendorOf(gpuResource);
  if (vendor === AMD) return 'amd';
  return (OTHER_VENDORS as readonly string[]).includes(vendor) ? 'other' : 'nvidia';
}
