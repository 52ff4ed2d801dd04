import { kinds } from '../../../compat/kinds/index.ts';
import type { ResourceType } from '../../../operator/kube/client/types.ts';
import { until } from '../observe.ts';
import { NAME } from '../scenarios/steps.ts';
import type { World } from '../world.ts';
import { childrenIn, type Scene } from './plan.ts';

/** A child, and how it is found. */
export interface Child {
  readonly type: ResourceType;
  readonly ref: { readonly namespace: string; readonly name: string };
  /** Whether it is a Job that has succeeded, which is never created again. */
  readonly isOver: boolean;
}

/** The type of a kind's children with this plural. */
function typeOf(plural: string): ResourceType {
  const type = kinds.flatMap(({ childTypes }) => childTypes).find((one) => one.plural === plural);
  if (type === undefined) throw new Error(`no kind has children of the type ${plural}`);
  return type;
}

/** The children of one type, as they are now. */
export async function childrenOf(plural: string, { client, namespace }: World): Promise<readonly Child[]> {
  const type = typeOf(plural);
  const labelSelector = `app.kubernetes.io/managed-by=trunnion,app.kubernetes.io/instance=${NAME}`;
  const { items } = await client.list(type, { namespace, labelSelector });
  return items.map(({ metadata: { name }, status }) => ({
    type,
    ref: { namespace, name },
    isOver: (status as { readonly completionTime?: string } | undefined)?.completionTime !== undefined,
  }));
}

/** All children, as they are now. */
export const allChildren = async (scene: Scene, world: World): Promise<readonly Child[]> =>
  (await Promise.all(childrenIn(scene).map((plural) => childrenOf(plural, world)))).flat();

/** Takes every finalizer away, as people do who lose patience. */
export const stripFinalizers = async (type: ResourceType, { client, namespace }: World): Promise<void> => {
  await client.patch(type, { namespace, name: NAME }, { metadata: { finalizers: null } });
};

/** Deletes the resource, whatever its finalizers wait for. */
export async function removeByForce(type: ResourceType, world: World): Promise<void> {
  const ref = { namespace: world.namespace, name: NAME };
  await world.client.delete(type, ref, { propagationPolicy: 'Background' });
  if ((await world.client.find(type, ref)) !== undefined) await stripFinalizers(type, world);
  await until('the end of the resource', async () =>
    (await world.client.find(type, ref)) === undefined ? true : undefined,
  );
}
