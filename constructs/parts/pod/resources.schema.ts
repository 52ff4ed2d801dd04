import * as z from 'zod';
import { withRules } from '../../schema/rules.ts';
import { quantity } from '../values/schema.ts';

/** How many GPUs. */
export const gpu = z
  .int()
  .min(0)
  .max(64)
  .describe('Number of GPUs of one pod, requested and limited alike. 0 runs on CPUs alone.');

/** What one pod of any workload gets. */
export const baseResources = z.strictObject({
  cpu: quantity.describe('CPUs of one pod, requested and not limited, for instance "8" or "500m".').optional(),
  memory: quantity.describe('Memory of one pod, requested and limited alike, for instance 64Gi.').optional(),
});

/** What one pod of a workload gets that may compute on GPUs. */
export const resources = z.strictObject({
  gpu: gpu.default(0),
  gpuResource: withRules(z.string().min(3).max(253), {
    rule: "self.matches('^[a-z0-9]([-a-z0-9.]*[a-z0-9])?/[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$')",
    message:
      'must be the name of an extended resource: nvidia.com/gpu, nvidia.com/mig-1g.10gb, amd.com/gpu, nvidia.com/gpu.shared',
  })
    .describe(
      'The extended resource that is counted as a GPU: a MIG profile (nvidia.com/mig-1g.10gb), another vendor (amd.com/gpu) or a time-sliced name.',
    )
    .default('nvidia.com/gpu'),
  gpuProduct: withRules(z.string().min(1).max(63), {
    rule: "self.matches('^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$')",
    message: 'must be a value of the label that names GPU products on nodes, for instance NVIDIA-A100-SXM4-80GB',
  })
    .describe(
      'Selects nodes with this GPU: the value of the node label nvidia.com/gpu.product, or of amd.com/gpu.product-name for AMD. Default: any node with enough GPUs.',
    )
    .optional(),
  ...baseResources.shape,
});

/** Where the product of a GPU is asked for, there must be a GPU. */
export const gpuProductNeedsGpu = {
  rule: '!has(self.gpuProduct) || self.gpu > 0',
  fieldPath: '.gpuProduct',
  message: 'selects a GPU, but resources.gpu is 0: set resources.gpu to at least 1 or leave out gpuProduct',
} as const;
