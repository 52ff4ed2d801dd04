import { setTimeout as sleep } from 'node:timers/promises';
import { apiVersionOf } from '../../../operator/kube/client/types.ts';
import { quiet } from '../observe.ts';
import { NAME } from '../scenarios/steps.ts';
import { allChildren } from './manual.ts';
import { type Plan, type Scene, WRITE } from './plan.ts';
import { status } from './status.ts';

const CONFLICT = status(409, 'Conflict');

/** How often a hand changes the resource, as fast as it can. */
const CHANGES = 200;

/** Says something of the resource that concerns nobody, again and again, and takes it back. */
const noise = ({ scenario }: Scene): Plan => ({
  id: 'D9',
  name: `somebody writes an annotation ${CHANGES} times at the start of each step`,
  before: async (step, world) => {
    if (step === 0) return;
    const { client, namespace } = world;
    for (let round = 1; round <= CHANGES; round += 1) {
      const annotations = { 'example.com/round': round === CHANGES ? null : `${round}` };
      await client.patch(scenario.type, { namespace, name: NAME }, { metadata: { annotations } });
      world.interventions += 1;
    }
  },
});

/** Another field manager takes what is ours, with another value. */
const takenOver = (scene: Scene): Plan => ({
  id: 'E1',
  name: 'another manager applies a label of every child by force, at the start of each step',
  before: async (step, world) => {
    if (step === 0) return;
    const labels = { 'app.kubernetes.io/part-of': 'theirs' };
    for (const { type, ref } of await allChildren(scene, world)) {
      const body = { apiVersion: apiVersionOf(type), kind: type.kind, metadata: { ...ref, labels } };
      await world.client.apply(type, body, { fieldManager: 'another', force: true });
      world.interventions += 1;
    }
  },
});

/** How long a start and its first pass take on a busy machine. */
const START_MS = 6_000;

/** An operator that starts where all is as it should be. */
const restarted: Plan = {
  id: 'E7',
  name: 'restarted at rest before each step, it writes nothing',
  before: async (step, world) => {
    if (step === 0) return;
    await quiet(world, 1_500);
    const { writes } = world.proxy;
    world.killNow();
    await sleep(START_MS);
    const written = world.proxy.writes - writes;
    if (written > 0) world.complaints.push(`${written} writes after a restart at rest, before step ${step + 1}`);
  },
};

/** Every plan of class E: writes that fail, and what happens to what was written. */
export const writePlans = (scene: Scene): readonly Plan[] => [
  {
    id: 'E1',
    name: 'writes conflict, four in each step',
    during: () => [{ on: WRITE, skip: 1, times: 4, fault: { do: 'answer', status: 409, body: CONFLICT } }],
  },
  ...(['before', 'committed'] as const).map((at): Plan => ({
    id: 'E1',
    name: `connections are reset ${at === 'before' ? 'before a write arrives' : 'once a write is carried out'}, three in each step`,
    during: () => [{ on: WRITE, skip: 1, times: 3, fault: { do: 'reset', at } }],
  })),
  takenOver(scene),
  restarted,
  noise(scene),
];
