import { setTimeout as sleep } from 'node:timers/promises';
import { apiVersionOf } from '../../../operator/kube/index.ts';
import { hasAskedSince, quiet, until } from '../observe.ts';
import { refOf } from '../scenario.ts';
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
    const { subject } = scenario;
    for (let round = 1; round <= CHANGES; round += 1) {
      const annotations = { 'example.com/round': round === CHANGES ? null : `${round}` };
      await world.client.patch(subject.type, refOf(subject, world), { metadata: { annotations } });
      world.interventions += 1;
    }
  },
});

/** What most operators put on their children. */
const USUAL_LABEL = 'app.kubernetes.io/part-of';

/** Another field manager takes what is the operator's, with another value. */
const takenOver: Plan = {
  id: 'E1',
  name: 'another manager applies a label of every child by force, at the start of each step',
  before: async (step, world) => {
    if (step === 0) return;
    for (const { type, ref, object } of await allChildren(world)) {
      const { labels = {} } = object.metadata;
      const label = labels[USUAL_LABEL] === undefined ? Object.keys(labels).toSorted()[0] : USUAL_LABEL;
      if (label === undefined) continue;
      const body = {
        apiVersion: apiVersionOf(type),
        kind: type.kind,
        metadata: { ...ref, labels: { [label]: 'theirs' } },
      };
      await world.client.apply(type, body, { fieldManager: 'another', force: true });
      world.interventions += 1;
    }
  },
};

/** How long a start and its first pass take on a busy machine. */
const START_MS = 6_000;

/** An operator that starts where all is as it should be. */
const restarted = ({ scenario }: Scene): Plan => ({
  id: 'E7',
  name: 'restarted at rest before each step, it writes nothing',
  before: async (step, world) => {
    if (step === 0) return;
    await quiet(world, 1_500);
    const { writes, log } = world.proxy;
    const requests = log.length;
    world.killNow();
    const { plural } = scenario.subject.type;
    await until(`the operator to ask for ${plural} after its restart`, async () =>
      hasAskedSince(requests, plural, world) ? true : undefined,
    );
    await sleep(START_MS);
    const written = world.proxy.writes - writes;
    if (written > 0) world.complain(`${written} writes after a restart at rest, before step ${step + 1}`);
  },
});

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
  takenOver,
  restarted(scene),
  noise(scene),
];
