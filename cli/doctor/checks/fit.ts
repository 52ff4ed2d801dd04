import type { CommonStatus } from '../../../operator/engine/api/index.ts';
import type { KubeObject } from '../../../operator/kube/index.ts';
import { misfits } from '../../nodes/fit.ts';
import { lackIn, needsOfSpec } from '../../nodes/needs.ts';
import type { Check, Observed } from '../types.ts';

type Resource = KubeObject & { readonly spec?: object; readonly status?: CommonStatus };

/** How many are told one by one. */
const MOST_REPORTED = 5;

/** What resources of the namespace ask for, and no node has: of those that wait for a node, as their conditions say. */
export function checkFit({ nodes, resources }: Observed): readonly Check[] {
  if (!nodes.known || !resources.known) return [];
  const waiting = (resources.value as readonly Resource[]).filter(({ status }) => lackIn(status?.conditions ?? []));
  return waiting
    .flatMap((resource) =>
      misfits(needsOfSpec(resource), nodes.value).map((found): Check => ({
        about: 'Nodes',
        verdict: 'warn',
        found: `${resource.kind.toLowerCase()}/${resource.metadata.name}: ${found}`,
        advice: 'Ask for less, or add such nodes: what waits for them continues by itself.',
      })),
    )
    .slice(0, MOST_REPORTED);
}
