import type { CommonStatus } from '../../../operator/engine/api/resource.ts';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';
import { apiVersionOf, type KubeObject, type ResourceType } from '../../../operator/kube/client/types.ts';
import type { Step } from '../scenario.ts';
import type { World } from '../world.ts';

/** The name of the resource. */
export const NAME = 'scenario';

/** Of more than one byte a character, so that a stream may be cut inside of one. */
const NOTE = { 'example.com/note': 'größer → 更大 🚀' };

export const here = ({ namespace }: World) => ({ namespace, name: NAME });

/** A user applies a spec. */
export const apply =
  (type: ResourceType, spec: object) =>
  ({ client, namespace }: World): Promise<unknown> => {
    const metadata = { name: NAME, namespace, annotations: NOTE };
    const body = { apiVersion: apiVersionOf(type), kind: type.kind, metadata, spec };
    return client.apply(type, body, { fieldManager: 'user', force: true });
  };

/** Whether the status is about the spec as it is, and says what is expected. */
export const reports =
  <Status extends CommonStatus>(type: ResourceType, holds: (status: Status) => boolean) =>
  async (world: World): Promise<boolean> => {
    const { metadata, status } = (await world.client.get(type, here(world))) as KubeObject & {
      readonly status?: Status;
    };
    return status !== undefined && status.observedGeneration === metadata.generation && holds(status);
  };

/** A user deletes the resource, and the garbage collector removes what was its own. */
export const deleted = (type: ResourceType): Step => ({
  name: 'delete',
  act: (world) => world.client.delete(type, here(world)),
  reached: async (world) => (await isGone(type, world)) && (await leftovers(world)) === 0,
});

export const isGone = async (type: ResourceType, world: World): Promise<boolean> =>
  (await world.client.find(type, here(world))) === undefined;

/** How many of its children are still there. */
async function leftovers({ client, namespace }: World): Promise<number> {
  const mine = { namespace, labelSelector: `app.kubernetes.io/instance=${NAME}` };
  const lasting = [TYPES.serviceAccount, TYPES.persistentVolumeClaim, TYPES.networkPolicy, TYPES.job, TYPES.pod];
  const lists = await Promise.all(lasting.map((type) => client.list(type, mine)));
  return lists.reduce((sum, { items }) => sum + items.length, 0);
}
