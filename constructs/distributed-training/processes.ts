import type { DistributedTrainingSpec } from './spec.ts';

/** How many processes a pod has: one for each of its GPUs, unless the spec says so. */
export const procsPerNodeOf = ({ procsPerNode, resources }: DistributedTrainingSpec): number =>
  procsPerNode ?? Math.max(1, resources.gpu);

/** How many processes the workers have together: `WORLD_SIZE`. */
export const worldSizeOf = (spec: DistributedTrainingSpec): number => spec.replicas * procsPerNodeOf(spec);
