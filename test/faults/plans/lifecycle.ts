import { TYPES } from '../../../operator/kube/client/resource-types.ts';
import type { Life, Turn } from '../life.ts';
import { here, isGone } from '../lives/steps.ts';
import { until } from '../observe.ts';
import type { World } from '../world.ts';
import { allChildren, type Child, childrenOf, stripFinalizers } from './hand.ts';
import { childrenIn, type Plan, type Scene } from './plan.ts';

const endOf = ({ turns }: Life): Turn => turns.at(-1) as Turn;

/** A turn for whose end nobody waits. */
const hurried = ({ name, act }: Turn): Turn => ({ name: `${name}, not waited for`, act });

/** The life up to a turn, whose end is not waited for, and the end of all. */
const cutShort = (life: Life, turn: number): Life => ({
  ...life,
  turns: [...life.turns.slice(0, turn), ...life.turns.slice(turn, turn + 1).map(hurried), endOf(life)],
});

/** The life with another end. */
const endingWith =
  (end: (turn: Turn, life: Life) => Partial<Turn>) =>
  (life: Life): Life => ({
    ...life,
    turns: [...life.turns.slice(0, -1), { ...endOf(life), ...end(endOf(life), life) }],
  });

/** The resource is deleted while it is made, or changed, or suspended… */
const deletedMidway = ({ life }: Scene): readonly Plan[] =>
  life.turns.slice(0, -1).map(({ name }, turn): Plan => ({
    id: 'F1',
    name: `deleted right after the start of the turn "${name}"`,
    judged: 'states',
    life: (whole) => cutShort(whole, turn),
  }));

const ends: readonly Plan[] = [
  {
    id: 'F1',
    name: 'deleted in the foreground',
    // The garbage collector begins at once, with what the operator would have deleted.
    judged: 'states',
    life: endingWith((_, { type }) => ({
      act: (world) => world.client.delete(type, here(world), { propagationPolicy: 'Foreground' }),
    })),
  },
  {
    id: 'F1',
    name: 'deleted twice',
    life: endingWith(({ act }) => ({ act: async (world) => (await act(world), act(world)) })),
  },
  {
    id: 'F1',
    name: 'deleted, and its finalizers are taken away by hand',
    judged: 'states',
    life: endingWith(({ act }, { type }) => ({
      act: async (world) => {
        await act(world);
        if (!(await isGone(type, world))) await stripFinalizers(type, world);
      },
    })),
  },
  {
    id: 'F2',
    name: 'the namespace is deleted',
    judged: 'states',
    life: endingWith(() => ({
      name: 'delete the namespace',
      act: ({ client, namespace }) => client.delete(TYPES.namespace, { name: namespace }),
      reached: async ({ client, namespace }) => (await client.find(TYPES.namespace, { name: namespace })) === undefined,
    })),
  },
];

/** What people must not delete by hand: what is in use stays until it is not, and a Job is an attempt. */
const PRECIOUS: ReadonlySet<string> = new Set(['persistentvolumeclaims', 'jobs', 'pods']);

const remove = ({ client }: World, { type, ref }: Child): Promise<unknown> =>
  client.delete(type, ref, { propagationPolicy: 'Background' });

const disown = ({ client }: World, { type, ref }: Child): Promise<unknown> =>
  client.patch(type, ref, {
    metadata: { labels: { 'app.kubernetes.io/managed-by': null }, ownerReferences: null },
  });

/** What was disowned and is wanted no more stays whoever's it is then, so each is taken back before more is asked for. */
const takenBack = (world: World, { type, ref }: Child): Promise<unknown> =>
  until(`${type.plural}/${ref.name} to be taken back`, async () => {
    const { metadata } = await world.client.get(type, ref);
    return metadata.labels?.['app.kubernetes.io/managed-by'] === 'trunnion' ? true : undefined;
  });

/** Does something to children at the start of each turn but the first. */
const drift = (
  name: string,
  childrenNow: (world: World) => Promise<readonly Child[]>,
  act: (world: World, child: Child) => Promise<unknown>,
  madeGood: (world: World, child: Child) => Promise<unknown> = async () => undefined,
): Plan => ({
  id: 'F3',
  name: `${name} at the start of each turn`,
  judged: 'states',
  before: async (turn, world) => {
    if (turn === 0) return;
    const children = await childrenNow(world);
    for (const child of children) {
      await act(world, child);
      world.interventions += 1;
    }
    await Promise.all(children.map((child) => madeGood(world, child)));
  },
});

function drifts(scene: Scene): readonly Plan[] {
  const removable = childrenIn(scene).filter((plural) => !PRECIOUS.has(plural));
  return [
    ...removable.map((plural) => drift(`${plural}: deleted by hand`, (world) => childrenOf(plural, world), remove)),
    drift(
      'all children deleted by hand while the operator is cut off,',
      async (world) => {
        world.cutOff(1_000);
        return (await Promise.all(removable.map((plural) => childrenOf(plural, world)))).flat();
      },
      remove,
    ),
    drift(
      'the label and the owner of all children taken away',
      async (world) => (await allChildren(scene, world)).filter(({ isOver }) => !isOver),
      disown,
      takenBack,
    ),
  ];
}

/** Every plan of class F: what people do to the resource and to its children. */
export const lifecyclePlans = (scene: Scene): readonly Plan[] => [...deletedMidway(scene), ...ends, ...drifts(scene)];
