import * as z from 'zod';
import type { HostNotes } from '../../schema/structural.ts';

/** How many replicas, where no autoscaler decides. */
export const replicas = z
  .int()
  .min(0)
  .max(1000)
  .describe(
    'Number of replicas; never with autoscaling. Left out, nobody sets it: it is 1 at first, and others may scale it.',
  )
  .meta({
    hosts: {
      cdk8s: 'Left out of the manifest where it is left out here.',
      pulumi: 'As cdk8s.',
      operator: 'As cdk8s, and handed over at its present value where it is taken out.',
    } satisfies HostNotes,
  });

/** The bounds of an autoscaler, for the `autoscaling` of a kind. */
export const replicaBounds = {
  minReplicas: z
    .int()
    .min(1)
    .max(1000)
    .describe('The fewest replicas. Metrics come from running replicas, so it is at least 1.')
    .default(1),
  maxReplicas: z.int().min(1).max(1000).describe('The most replicas.'),
};

/** Holds for the `autoscaling` of every kind. */
export const boundsInOrder = {
  rule: 'self.minReplicas <= self.maxReplicas',
  fieldPath: '.minReplicas',
  message: 'must not be greater than maxReplicas: lower minReplicas or raise maxReplicas',
} as const;

/** A target in percent of the CPUs that a pod requests. */
export const cpuPercent = z
  .int()
  .min(1)
  .max(1000)
  .describe('Average use of the requested CPUs, in percent. Needs resources.cpu.');
