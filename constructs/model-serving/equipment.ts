import { resourceRequirements } from '../parts/accelerators.ts';
import { uniqueVariables } from '../parts/env.ts';
import type { Equipment } from '../parts/weights/index.ts';
import type { ModelServingSpec } from './spec.ts';

/** The container that serves. */
export const SERVER = 'server';

/** What the user gives to the server alone, of which its fetch gets what it needs. */
export function equipmentOf({ engine, podTemplate, resources }: ModelServingSpec): Equipment {
  const patch = podTemplate?.spec?.containers?.find(({ name }) => name === SERVER);
  const { requests, limits } = resourceRequirements(resources);
  return {
    env: uniqueVariables([...(engine.env ?? []), ...(patch?.env ?? [])]),
    volumeMounts: patch?.volumeMounts ?? [],
    resources: {
      requests: { ...requests, ...patch?.resources?.requests },
      limits: { ...limits, ...patch?.resources?.limits },
    },
  };
}
