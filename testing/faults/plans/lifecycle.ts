import { type KubeObject, TYPES } from '../../../operator/kube/index.ts';
import { until } from '../observe.ts';
import { refOf, type Scenario, type Step } from '../scenario.ts';
import type { World } from '../world.ts';
import { allChildren, type Child, childrenOf, isGone, stripFinalizers } from './manual.ts';
import { childrenIn, type Plan, type Scene } from './plan.ts';

const endOf = ({ steps }: Scenario): Step => steps.at(-1) as Step;

/** A step whose end is not waited for. */
const hurried = ({ name, act }: Step): Step => ({ name: `${name}, not waited for`, act });

/** The scenario up to a step, whose end is not waited for, then the last step. */
const cutShort = (scenario: Scenario, step: number): Scenario => ({
  ...scenario,
  steps: [...scenario.steps.slice(0, step), ...scenario.steps.slice(step, step + 1).map(hurried), endOf(scenario)],
});

/** The scenario with another last step. */
const endingWith =
  (end: (step: Step, scenario: Scenario) => Partial<Step>) =>
  (scenario: Scenario): Scenario => ({
    ...scenario,
    steps: [...scenario.steps.slice(0, -1), { ...endOf(scenario), ...end(endOf(scenario), scenario) }],
  });

/** The resource is deleted while it is made, or changed, or suspended… */
const deletedMidway = ({ scenario }: Scene): readonly Plan[] =>
  scenario.steps.slice(0, -1).map(({ name }, step): Plan => ({
    id: 'F1',
    name: `deleted right after the start of the step "${name}"`,
    judged: 'states',
    scenario: (whole) => cutShort(whole, step),
  }));

const ends: readonly Plan[] = [
  {
    id: 'F1',
    name: 'deleted in the foreground',
    // The garbage collector begins at once, with what the operator would have deleted.
    judged: 'states',
    scenario: endingWith((_, { subject }) => ({
      act: (world) => world.client.delete(subject.type, refOf(subject, world), { propagationPolicy: 'Foreground' }),
    })),
  },
  {
    id: 'F1',
    name: 'deleted twice',
    scenario: endingWith(({ act }) => ({ act: async (world) => (await act(world), act(world)) })),
  },
  {
    id: 'F1',
    name: 'deleted, and its finalizers are removed by hand',
    judged: 'states',
    scenario: endingWith(({ act }, { subject }) => ({
      act: async (world) => {
        await act(world);
        if (!(await isGone(subject, world))) await stripFinalizers(subject, world);
      },
    })),
  },
];

const withoutNamespace: Plan = {
  id: 'F2',
  name: 'the namespace is deleted',
  judged: 'states',
  scenario: endingWith(() => ({
    name: 'delete the namespace',
    act: ({ client, namespace }) => client.delete(TYPES.namespace, { name: namespace }),
    reached: async ({ client, namespace }) => (await client.find(TYPES.namespace, { name: namespace })) === undefined,
  })),
};

/** What people must not delete by hand: what is in use stays until it is not, and a Job is an attempt. */
const PRECIOUS = ['persistentvolumeclaims', 'jobs', 'pods'];

const remove = ({ client }: World, { type, ref }: Child): Promise<unknown> =>
  client.delete(type, ref, { propagationPolicy: 'Background' });

/** What says who manages an object, as Kubernetes recommends it. */
const MANAGED_BY = 'app.kubernetes.io/managed-by';

/** Removes who manages it, and its owners. Without all of its labels it would look like an object of somebody else. */
const disown = ({ client }: World, { type, ref, object }: Child): Promise<unknown> => {
  const isLabelled = object.metadata.labels?.[MANAGED_BY] !== undefined;
  const labels = isLabelled ? { labels: { [MANAGED_BY]: null } } : {};
  return client.patch(type, ref, { metadata: { ...labels, ownerReferences: null } });
};

/** What was disowned and is no longer wanted stays with its new owner, so the operator must own each again before the next step. */
const takenBack = (world: World, { type, ref, object }: Child): Promise<unknown> =>
  until(`${type.plural}/${ref.name} to have its labels and owners again`, async () =>
    marksOf(await world.client.get(type, ref)) === marksOf(object) ? true : undefined,
  );

const marksOf = ({ metadata: { labels = {}, ownerReferences = [] } }: KubeObject): string =>
  JSON.stringify([
    Object.entries(labels).toSorted(([a], [b]) => (a < b ? -1 : 1)),
    ownerReferences.map(({ uid }) => uid).toSorted(),
  ]);

/** Does something to children at the start of each step but the first. */
const drift = (
  name: string,
  childrenNow: (world: World) => Promise<readonly Child[]>,
  act: (world: World, child: Child) => Promise<unknown>,
  madeGood: (world: World, child: Child) => Promise<unknown> = async () => undefined,
): Plan => ({
  id: 'F3',
  name: `${name} at the start of each step`,
  judged: 'states',
  before: async (step, world) => {
    if (step === 0) return;
    const children = await childrenNow(world);
    for (const child of children) {
      await act(world, child);
      world.interventions += 1;
    }
    await Promise.all(children.map((child) => madeGood(world, child)));
  },
});

function drifts(scene: Scene): readonly Plan[] {
  const { precious = PRECIOUS } = scene.scenario;
  const removable = childrenIn(scene).filter((plural) => !precious.includes(plural));
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
      'the label and the owner of all children removed',
      async (world) => (await allChildren(world)).filter(({ isOver }) => !isOver),
      disown,
      takenBack,
    ),
  ];
}

/** Every plan of class F: what people do to the resource and to its children. */
export const lifecyclePlans = (scene: Scene): readonly Plan[] => [
  ...deletedMidway(scene),
  ...ends,
  ...(scene.scenario.subject.namespaced ? [withoutNamespace] : []),
  ...drifts(scene),
];
