import type { Manifest } from '../../workload.ts';
import type { Labels } from '../objects/index.ts';

/** Which pods a budget is for. */
export interface BudgetSelector {
  readonly matchLabels: Labels;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: string;
    readonly values: readonly string[];
  }[];
}

/**
 * A PodDisruptionBudget.
 *
 * @param keeps - how many pods must stay; absent, a node is drained one replica at a time. Only for pods whose controller
 *   can't be scaled, such as a Job's, this must be said as a number of pods
 */
export const disruptionBudget = (
  metadata: Manifest['metadata'],
  selector: BudgetSelector,
  keeps?: number,
): Manifest => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata,
  spec: {
    ...(keeps === undefined ? { maxUnavailable: 1 } : { minAvailable: keeps }),
    selector,
    // A replica that never got ready protects nothing and must not block the drain of its node.
    unhealthyPodEvictionPolicy: 'AlwaysAllow',
  },
});
