import type { Match } from '../proxy/rules.ts';
import { always, idleOf, listsOf, mainIn, mostWrites, type Plan, type Scene, skipOf, WRITE } from './plan.ts';

/**
 * Every write is a crash point: right after its answer has gone out, and before. One plan kills once in each step, since
 * each step is judged by its own end.
 */
const killedOnceAStep = (scene: Scene): readonly Plan[] =>
  Array.from({ length: mostWrites(scene) }, (_, write): readonly Plan[] => [
    {
      id: 'A1',
      name: `killed after write ${write + 1} of each step`,
      during: () => [{ on: WRITE, skip: write, fault: { do: 'kill', at: 'answered' } }],
    },
    {
      id: 'A2',
      name: `killed before the answer to write ${write + 1} of each step`,
      during: () => [{ on: WRITE, skip: write, fault: { do: 'kill', at: 'committed' } }],
    },
  ]).flat();

/** A plan that loses as many answers as this apart from each other; as many plans as this lose every answer once. */
const STRIDE = 4;

/** The process continues, but never gets the answer to its write. */
function unanswered({ run }: Scene): readonly Plan[] {
  const writes = run.writes.at(-1) ?? 0;
  return Array.from({ length: STRIDE }, (_, offset) => ({
    id: 'A3',
    name: `the answers to writes ${offset + 1}, ${offset + 1 + STRIDE}, ${offset + 1 + 2 * STRIDE}… are lost`,
    rules: Array.from({ length: Math.ceil(writes / STRIDE) }, (_, round) => ({
      on: WRITE,
      skip: offset + round * STRIDE,
      fault: { do: 'reset', at: 'committed' },
    })),
  }));
}

/** A request that nobody answers costs its deadline, so there is one in a scenario. */
const stalled = ({ scenario, run }: Scene): readonly Plan[] =>
  (['before', 'committed'] as const).map((at) => ({
    id: 'A3',
    name: `a write is never answered, ${at === 'before' ? 'and never arrived' : 'though it was carried out'}`,
    rules: [{ on: WRITE, skip: skipOf(4, run.writes.at(-1) ?? 0), fault: { do: 'stall', at, ...idleOf(scenario) } }],
  }));

/** The writes that put the finalizer on and take it away. */
const finalizerOf = ({ scenario }: Scene): Match => ({
  verb: ['patch', 'update', 'apply'],
  resource: scenario.subject.type.plural,
  subresource: null,
});

/** From one kill to the next, long enough for a start and a few writes. */
const CRASH_LOOP_MS = 4_000;

/** Every plan of class A: crashes. */
export const crashPlans = (scene: Scene): readonly Plan[] => [
  ...killedOnceAStep(scene),
  {
    id: 'A1',
    name: 'killed after every write',
    rules: [{ on: WRITE, fault: { do: 'kill', at: 'answered' }, ...always }],
  },
  ...unanswered(scene),
  ...stalled(scene),
  ...(['before', 'committed'] as const).map((at): Plan => ({
    id: 'A5',
    name: `killed ${at === 'before' ? 'before' : 'after'} each change of the finalizer`,
    rules: [{ on: finalizerOf(scene), times: 2, fault: { do: 'kill', at } }],
  })),
  ...mainIn(scene).map((resource): Plan => ({
    id: 'A6',
    name: `killed three times while it lists ${resource}`,
    rules: [{ on: listsOf(resource), times: 3, fault: { do: 'kill', at: 'committed' } }],
  })),
  {
    id: 'A6',
    name: 'killed every few seconds',
    before: (_, world) => {
      for (const round of [1, 2]) setTimeout(() => world.killNow(), round * CRASH_LOOP_MS).unref();
    },
  },
  ...[0, 3]
    .filter((skip) => skip < mostWrites(scene))
    .map((skip): Plan => ({
      id: 'A7',
      name: `asked to stop after write ${skip + 1} of each step`,
      during: () => [{ on: WRITE, skip, fault: { do: 'kill', at: 'answered', signal: 'SIGTERM' } }],
    })),
];
