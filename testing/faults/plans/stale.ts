import { untilReached } from '../scenario.ts';
import type { Match, Moment, Rule } from '../proxy/rules.ts';
import { removeByForce } from './manual.ts';
import { always, childrenIn, mostWrites, type Plan, type Scene, WATCH, watchedIn, watchesOf, WRITE } from './plan.ts';

/** Restarts at every so many writes, so that a past is met again and again. */
const KILLS_EVERY = 6;

const restarts = (offset: number): readonly Rule[] =>
  [0, 1].map((round) => ({
    on: WRITE,
    skip: offset + round * KILLS_EVERY,
    fault: { do: 'kill', at: 'answered' },
  }));

/** A server that is behind, and learns of what it missed a while after it was asked. */
const past = (to: Moment, on: Match = WATCH): Rule => ({
  on: { ...on, verb: ['watch', 'list'], initial: true },
  fault: { do: 'timeTravel', to, catchUpAfterMilliseconds: 1_500 },
  ...always,
});

/** A frame that makes the client list again, and no older state than it has seen. */
const GARBAGE = '{"type":"MODIFIED","object":{';

/** After a restart, all is as it was a while ago: creations undone, deletions not yet begun. */
const timeTravel = (scene: Scene): readonly Plan[] =>
  [500, 2_000, 6_000].flatMap((behind) =>
    [0, 2, 4]
      .filter((offset) => offset < mostWrites(scene))
      .map((offset): Plan => ({
        id: 'B1',
        name: `restarts, at write ${offset + 1} and ${offset + 1 + KILLS_EVERY} of each step, meet a server ${behind / 1000} s behind`,
        rules: [past({ millisecondsAgo: behind })],
        during: () => restarts(offset),
      })),
  );

const lagging = (resource: string): Plan => ({
  id: 'B2',
  name: `${resource}: the watch lags 700 ms behind`,
  rules: [{ on: watchesOf(resource), fault: { do: 'delayFrames', milliseconds: 700 }, ...always }],
});

const aloneInThePast = (resource: string): Plan => ({
  id: 'B5',
  name: `${resource}: restarts meet these alone as they were 2 s ago`,
  rules: [past({ millisecondsAgo: 2_000 }, watchesOf(resource))],
  during: () => restarts(2),
});

/** What was deleted has a namesake by now, which the restart must not take for it. */
const namesakeOf = (resource: string): Plan => ({
  id: 'B1',
  name: `${resource}: a restart, right after one was made, meets the server as it was before one was deleted`,
  rules: [past({ beforeTheLastEndOf: resource })],
  during: () => [{ on: { verb: ['apply', 'create'], resource }, fault: { do: 'kill', at: 'answered' } }],
});

/** How long it takes to delete and create again. */
const ABSENCE_MS = 3_000;

/** While the operator can't see it, the resource goes and one of its name comes. */
const namesake = ({ scenario }: Scene): Plan => ({
  id: 'B4',
  name: 'the resource is deleted and created again while the operator is cut off',
  judged: 'states',
  before: async (step, world) => {
    const [first] = scenario.steps;
    if (step !== 1 || first === undefined) return;
    world.cutOff(ABSENCE_MS);
    await removeByForce(scenario.subject, world);
    await first.act(world);
    await untilReached(first, scenario, world);
  },
});

/** Lists from a server that is behind, for an operator that takes them. */
const pastLists = (scene: Scene): readonly Plan[] => [
  ...timeTravel(scene),
  ...childrenIn(scene)
    .filter((resource) => watchedIn(scene).includes(resource))
    .map(namesakeOf),
  ...watchedIn(scene).map(aloneInThePast),
  {
    id: 'B3',
    name: 'lists after garbage are answered by a server 3 s behind',
    rules: [
      past({ millisecondsAgo: 3_000 }),
      { on: { ...WATCH, initial: false }, fault: { do: 'insertFrame', after: 1, frame: GARBAGE }, times: 10 },
      { on: { ...WATCH, initial: true }, fault: { do: 'insertFrame', after: 4, frame: GARBAGE }, times: 10 },
    ],
  },
];

/** Every plan of class B: views of the past. */
export const stalePlans = (scene: Scene): readonly Plan[] => [
  ...(scene.run.traffic.takesOldLists ? pastLists(scene) : []),
  ...watchedIn(scene).map(lagging),
  {
    id: 'B2',
    name: 'old states come again after new ones',
    rules: [{ on: WATCH, fault: { do: 'replayOldFrames' }, ...always }],
  },
  ...watchedIn(scene)
    .filter((resource) => resource === 'pods')
    .map((resource): Plan => ({
      id: 'B2',
      name: `${resource}: the watch lags 3 s behind, so that their owners have ended before they have`,
      rules: [{ on: watchesOf(resource), fault: { do: 'delayFrames', milliseconds: 3_000 }, ...always }],
    })),
  {
    id: 'B2',
    name: 'all watches lag 2 s behind',
    rules: [{ on: WATCH, fault: { do: 'delayFrames', milliseconds: 2_000 }, ...always }],
  },
  {
    id: 'B5',
    name: 'all watches but that of the resource lag 2 s behind',
    rules: [
      {
        on: { verb: 'watch', resource: watchedIn(scene).filter((each) => each !== scene.scenario.subject.type.plural) },
        fault: { do: 'delayFrames', milliseconds: 2_000 },
        ...always,
      },
    ],
  },
  namesake(scene),
];
