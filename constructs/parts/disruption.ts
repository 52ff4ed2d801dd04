import type { Manifest } from '../workload.ts';
import type { Labels } from './labels.ts';

/** A PodDisruptionBudget that lets a node be drained one replica at a time. */
export const disruptionBudget = (metadata: Manifest['metadata'], selector: Labels): Manifest => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata,
  spec: {
    maxUnavailable: 1,
    selector: { matchLabels: selector },
    // A replica that never got ready protects nothing and must not block the drain of its node.
    unhealthyPodEvictionPolicy: 'AlwaysAllow',
  },
});
