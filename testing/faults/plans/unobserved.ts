import { EXPIRED } from '../proxy/frames.ts';
import { always, forEachWatched, type Plan, type Scene, WATCH, watchesOf } from './plan.ts';

/** How long an operator is blind: a step in which something comes and goes. */
const BLIND_MS = 1_500;

const ofOneResource = (resource: string): readonly Plan[] => [
  {
    id: 'C1',
    name: `${resource}: events after the first are lost for ${BLIND_MS / 1000} s`,
    rules: [{ on: watchesOf(resource), fault: { do: 'loseFrames', from: 1, milliseconds: BLIND_MS }, ...always }],
  },
  {
    id: 'C2',
    name: `${resource}: deletions are never reported`,
    rules: [
      {
        on: watchesOf(resource),
        fault: { do: 'loseFrames', from: 0, type: 'DELETED', milliseconds: BLIND_MS },
        ...always,
      },
    ],
  },
];

const gone = JSON.stringify({
  kind: 'Status',
  apiVersion: 'v1',
  status: 'Failure',
  reason: 'Expired',
  message: 'too old resource version',
  code: 410,
});

/** Every plan of class C: events that are never seen, or seen twice, or in pieces. */
export const unobservedPlans = (scene: Scene): readonly Plan[] => [
  ...forEachWatched(scene, ofOneResource),
  {
    id: 'C1',
    name: `events after the fourth are lost for ${BLIND_MS / 1000} s, of all resources`,
    rules: [{ on: WATCH, fault: { do: 'loseFrames', from: 4, milliseconds: BLIND_MS }, ...always }],
  },
  {
    id: 'C3',
    name: 'every event comes twice',
    rules: [{ on: WATCH, fault: { do: 'repeatFrames' }, ...always }],
  },
  {
    id: 'C3',
    name: 'everything is sent again after every fourth event',
    rules: [{ on: WATCH, fault: { do: 'insertFrame', after: 4, frame: EXPIRED }, ...always }],
  },
  {
    id: 'C1',
    name: 'cut off for 2 s at the start of each step, by a server that remembers nothing of it',
    rules: [{ on: { verb: 'watch', initial: false }, fault: { do: 'answer', status: 410, body: gone }, ...always }],
    before: (_, world) => world.cutOff(2_000),
  },
  {
    id: 'C4',
    name: 'all watches come 50 bytes at a time',
    rules: [{ on: WATCH, fault: { do: 'trickle', bytes: 50, everyMilliseconds: 1 }, ...always }],
  },
];
