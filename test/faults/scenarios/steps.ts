import { kinds } from '../../../compat/kinds/index.ts';
import type { CommonStatus } from '../../../operator/engine/api/resource.ts';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';
import { apiVersionOf, type KubeObject, type ResourceType } from '../../../operator/kube/client/types.ts';
import type { Region } from '../../../testing/faults/region.ts';
import type { Scenario, Step } from '../../../testing/faults/scenario.ts';
import type { World } from '../../../testing/faults/world.ts';

/** The name of the resource. */
export const NAME = 'scenario';

/** What is compared whole: the resources of all kinds, their children, and what others make for these. */
const region: Region = {
  types: [
    ...kinds.map(({ type }) => type),
    ...new Map(
      kinds
        .flatMap(({ childTypes }) => childTypes.filter(({ optional }) => optional !== true))
        .map((type) => [type.plural, type]),
    ).values(),
    TYPES.replicaSet,
  ],
  // What follows depends on when it is asked.
  plain: (text) => text.replace(/(?<=The autoscaler says: ).*/s, '<words>'),
};

/** A scenario of one of our kinds. A step takes long where each write of it costs a restart, on a busy machine. */
export const scenarioOf = (type: ResourceType, steps: readonly Step[], varies: readonly string[] = []): Scenario => ({
  title: type.kind,
  subject: { type, name: NAME, namespaced: true },
  steps,
  region,
  patience: { stepMs: 300_000, settleMs: 90_000 },
  varies,
});

/** Of more than one byte a character, so that a stream may be cut inside of one. */
const NOTE = { 'example.com/note': 'größer → 更大 🚀' };

const here = ({ namespace }: World) => ({ namespace, name: NAME });

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

const isGone = async (type: ResourceType, world: World): Promise<boolean> =>
  (await world.client.find(type, here(world))) === undefined;

/** How many of its children are still there. */
async function leftovers({ client, namespace }: World): Promise<number> {
  const mine = { namespace, labelSelector: `app.kubernetes.io/instance=${NAME}` };
  const lasting = [TYPES.serviceAccount, TYPES.persistentVolumeClaim, TYPES.networkPolicy, TYPES.job, TYPES.pod];
  const lists = await Promise.all(lasting.map((type) => client.list(type, mine)));
  return lists.reduce((sum, { items }) => sum + items.length, 0);
}
