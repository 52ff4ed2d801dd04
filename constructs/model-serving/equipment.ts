import { resourceRequirements, HOME_ENV } from '../parts/pod/index.ts';
import { uniqueVariables } from '../parts/objects/index.ts';
import { weightsPath } from '../parts/weights/index.ts';
import type { Equipment } from '../parts/weights/index.ts';
import { ownVariables } from './launch.ts';
import { serverPatchOf } from './server-container.ts';
import type { ModelServingSpec } from './spec.ts';

/** What the server has, of which its fetch gets what it needs. */
export function equipmentOf(name: string, spec: ModelServingSpec): Equipment {
  const { engine, resources } = spec;
  const patch = serverPatchOf(spec);
  const { requests, limits } = resourceRequirements(resources);
  return {
    ours: ownVariables(name, spec, weightsPath(spec.model), HOME_ENV),
    env: uniqueVariables([...(engine.env ?? []), ...(patch?.env ?? [])]),
    volumeMounts: patch?.volumeMounts ?? [],
    resources: {
      requests: { ...requests, ...patch?.resources?.requests },
      limits: { ...limits, ...patch?.resources?.limits },
    },
  };
}
