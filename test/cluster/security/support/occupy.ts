import type { Manifest } from '../../../../constructs/index.ts';
import { kinds } from '../../../../compat/kinds/index.ts';
import type { KubeClient } from '../../../../operator/kube/client/client.ts';
import { apiVersionOf, type KubeObject, type ResourceType } from '../../../../operator/kube/client/types.ts';

/** Somebody else's objects under names that an operator wants. */
export interface Occupied {
  readonly objects: readonly KubeObject[];
  /** Takes those away that match and are still there. */
  free(which: (object: KubeObject) => boolean): Promise<void>;
}

/** The type of a child. */
export function childType({ apiVersion, kind }: Pick<Manifest, 'apiVersion' | 'kind'>): ResourceType {
  const type = kinds
    .flatMap(({ childTypes }) => childTypes)
    .find((each) => each.kind === kind && apiVersionOf(each) === apiVersion);
  if (type === undefined) throw new Error(`${kind} is no type of child`);
  return type;
}

/** Makes objects as somebody else would, under the names of manifests; what would run pods runs none. */
export async function occupy(admin: KubeClient, manifests: readonly Manifest[]): Promise<Occupied> {
  const left = new Set<KubeObject>();
  for (const manifest of manifests) left.add(await admin.create(childType(manifest), asleep(manifest)));
  return {
    objects: [...left],
    free: async (which) => {
      for (const object of [...left].filter(which)) {
        await admin.delete(childType(object), object.metadata, { propagationPolicy: 'Background' });
        left.delete(object);
      }
    },
  };
}

function asleep(manifest: Manifest): Manifest {
  const rest = { Job: { suspend: true }, Deployment: { replicas: 0 } }[manifest.kind];
  return rest === undefined ? manifest : { ...manifest, spec: { ...(manifest['spec'] as object), ...rest } };
}
