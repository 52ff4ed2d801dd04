import type { ModelServingStatus } from '../../../constructs/index.ts';
import { modelServing } from '../../../operator/kinds/model-serving/index.ts';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';
import type { Scenario, Step } from '../../../testing/faults/scenario.ts';
import type { World } from '../../../testing/faults/world.ts';
import { spec as single } from '../../faults/scenarios/model-serving.ts';
import { apply, deleted, reports, scenarioOf } from '../../faults/scenarios/steps.ts';

const { type } = modelServing;

const spec = { ...single, nodes: 2 };

const step = (name: string, change: object, ready: number): Step => ({
  name,
  act: apply(type, { ...spec, ...change }),
  reached: reports<ModelServingStatus>(
    type,
    ({ phase, readyReplicas }) => phase === 'Running' && readyReplicas === ready,
  ),
});

const scaled = { replicas: 2 };

/** Whether nothing is left of the groups: their controller's Service goes last, and the garbage collector learns late of new kinds. */
async function areGone({ client, namespace }: World): Promise<boolean> {
  const labelSelector = 'leaderworkerset.sigs.k8s.io/name=scenario-server';
  const lists = await Promise.all([
    client.list(TYPES.pod, { namespace, labelSelector }),
    client.list(TYPES.service, { namespace, labelSelector }),
    client.list(TYPES.statefulSet, { namespace, labelSelector }),
  ]);
  const policy = await client.find(TYPES.networkPolicy, { namespace, name: 'scenario-worker' });
  return policy === undefined && lists.every(({ items }) => items.length === 0);
}

const alone = step('one pod a replica', { ...scaled, nodes: 1 }, 2);

const scenario = scenarioOf(
  type,
  [
    step('create', {}, 1),
    step('scale', scaled, 2),
    { ...alone, reached: async (world) => (await alone.reached?.(world)) !== false && (await areGone(world)) },
    deleted(type),
  ],
  [
    ...['leaderUID', 'revision'].map((field) => `ModelServing/scenario.status.groups.*.${field}`),
    // Which conditions it has told depends on what its controller sees first.
    'LeaderWorkerSet/scenario-server.status.conditions',
  ],
);

/** Replicas of two pods: create, scale, follow with replicas of one pod, delete. */
export const groupsScenario: Scenario = {
  ...scenario,
  title: 'ModelServing of groups',
  region: { ...scenario.region, types: [...scenario.region.types, TYPES.leaderWorkerSet] },
};
