import type { DeploymentStrategy } from '../objects/index.ts';

/** `spec.rollout`: what the user chose. */
export interface Rollout {
  readonly maxSurge?: number;
  readonly maxUnavailable?: number;
}

/**
 * How the replicas of a Deployment are replaced: one more first where that is possible, else one less first.
 *
 * @param sharedByOne - whether the pods before and after want the same volume that only one node may mount: a surge
 *   would wait for it forever
 */
export function rollingUpdate(rollout: Rollout, sharedByOne: boolean): DeploymentStrategy {
  const maxSurge = sharedByOne ? 0 : (rollout.maxSurge ?? 1);
  const maxUnavailable = rollout.maxUnavailable ?? 0;
  return {
    type: 'RollingUpdate',
    // Kubernetes refuses 0 for both: nothing could ever be replaced.
    rollingUpdate: { maxSurge, maxUnavailable: maxSurge === 0 ? Math.max(1, maxUnavailable) : maxUnavailable },
  };
}
