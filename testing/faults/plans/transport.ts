import { EXPIRED } from '../proxy/frames.ts';
import type { FrameFault, Match, Rule } from '../proxy/rules.ts';
import {
  always,
  listsOf,
  mainIn,
  type Plan,
  type Scene,
  skipOf,
  idleOf,
  WATCH,
  watchedIn,
  watchesOf,
  WRITE,
} from './plan.ts';
import { status } from './status.ts';

const STREAM_FAULTS: readonly (readonly [id: Plan['id'], what: string, fault: FrameFault])[] = [
  ['D1', 'is reset after 2 frames', { do: 'endStream', after: 2, how: 'reset' }],
  ['D1', 'ends cleanly after 2 frames', { do: 'endStream', after: 2, how: 'clean' }],
  ['D3', 'says 410 after 2 frames', { do: 'insertFrame', after: 2, frame: EXPIRED }],
  ['D6', 'is cut within a frame', { do: 'endStream', after: 2, how: 'cut' }],
  ['D6', 'brings garbage', { do: 'insertFrame', after: 2, frame: '{"type":"MODIFIED","object":{' }],
  [
    'D6',
    'brings an unknown type of event',
    { do: 'insertFrame', after: 2, frame: '{"type":"MYSTERY","object":{"metadata":{}}}' },
  ],
];

const streams = (scene: Scene): readonly Plan[] =>
  STREAM_FAULTS.map(([id, what, fault]) => ({
    id,
    name: `the watch of every resource ${what}, three times`,
    rules: watchedIn(scene).map((resource) => ({ on: watchesOf(resource), fault, times: 3 })),
  }));

/** It tells of no object: a streamed list of none ends, any other does not, and one that isn't streamed has no answer. */
const silentFromTheFirst = ({ scenario, run }: Scene, resource: string): Rule =>
  run.traffic.streamsLists
    ? { on: { ...watchesOf(resource), initial: true }, fault: { do: 'freezeStream', after: 0, ...idleOf(scenario) } }
    : { on: listsOf(resource), fault: { do: 'stall', at: 'before', ...idleOf(scenario) } };

/** Half-open connections: nothing comes, not even an end. */
const frozen = (scene: Scene): readonly Plan[] => [
  {
    id: 'D2',
    name: 'the watch of every resource falls silent at its first frame',
    rules: watchedIn(scene).map((resource) => silentFromTheFirst(scene, resource)),
  },
  ...watchedIn(scene).map((resource): Plan => ({
    id: 'D2',
    name: `${resource}: the watch falls silent at its first frame`,
    rules: [silentFromTheFirst(scene, resource)],
  })),
  ...mainIn(scene).map((resource): Plan => ({
    id: 'D2',
    name: `${resource}: the watch falls silent after 5 frames`,
    rules: [{ on: watchesOf(resource), fault: { do: 'freezeStream', after: 5, ...idleOf(scene.scenario) } }],
  })),
];

type Answer = readonly [id: Plan['id'], name: string, status: number, headers: Record<string, string>, body: string];

const ANSWERS: readonly Answer[] = [
  ['D4', '429 with Retry-After', 429, { 'retry-after': '1' }, status(429, 'TooManyRequests')],
  ['D4', '429 without Retry-After', 429, {}, status(429, 'TooManyRequests')],
  ['D4', '500', 500, {}, status(500, 'InternalError')],
  ['D4', '502 with HTML', 502, { 'content-type': 'text/html' }, '<html><body>Bad Gateway</body></html>'],
  ['D4', '503', 503, {}, ''],
  ['D4', '504', 504, {}, status(504, 'Timeout')],
  ['D5', '401', 401, {}, status(401, 'Unauthorized')],
  ['D5', '403', 403, {}, status(403, 'Forbidden')],
  ['D5', '404', 404, {}, status(404, 'NotFound')],
];

const OF_WATCHES: readonly Answer[] = [
  ['D1', 'nothing but an end', 200, {}, ''],
  ['D3', '410', 410, {}, status(410, 'Expired')],
  ['D3', '504, since the version is too large', 504, {}, status(504, 'Timeout', 'ResourceVersionTooLarge')],
];

/** Reads of single objects, and lists: what facts are found out by. */
const READ: Match = { verb: ['get', 'list'] };

/** Of a site that is seldom asked, the first requests as well. */
const answered = (site: string, on: Match, requests: number, answers: readonly Answer[]): readonly Plan[] =>
  answers.map(([id, name, code, headers, body]) => ({
    id,
    name: `${site} are answered with ${name}, six times`,
    rules: [{ on, skip: skipOf(2, requests), times: 6, fault: { do: 'answer', status: code, headers, body } }],
  }));

/** Another answer in each step, since each step is judged by its own end. */
const answeredInSteps = (offset: number): Plan => ({
  id: 'D4',
  name: `writes are answered with errors, three in each step, of ${ANSWERS.length} kinds from the ${offset + 1}th on`,
  during: (step) => {
    const [, , code, headers, body] = ANSWERS[(step + offset) % ANSWERS.length] as Answer;
    return [{ on: WRITE, skip: 1, times: 3, fault: { do: 'answer', status: code, headers, body } }];
  },
});

const WATCH_LIST: Match = { verb: 'watch', initial: true };

/** Servers that can't stream lists, each in its own way. */
const withoutWatchList: readonly Plan[] = [
  {
    id: 'D8',
    name: 'no list is streamed: the server refuses',
    rules: [{ on: WATCH_LIST, fault: { do: 'answer', status: 422, body: status(422, 'Invalid') }, ...always }],
  },
  {
    id: 'D8',
    name: 'no list is streamed: its end never comes',
    rules: [{ on: WATCH_LIST, fault: { do: 'dropBookmarks' }, ...always }],
  },
];

/** Between the lists of a fallback and their watches. */
const OTHER_STEPS = [1, 3, 5];

const rotated: Plan = {
  id: 'D5',
  name: 'the token of each step is refused in the next',
  before: (step, world) => (step === 0 ? undefined : world.rotateToken()),
};

const connections: readonly Plan[] = [
  {
    id: 'D4',
    name: 'cut off for 2 s at the start of each step',
    before: (_, world) => world.cutOff(2_000),
  },
  {
    id: 'D6',
    name: 'all requests take a second',
    rules: [{ on: {}, fault: { do: 'delay', milliseconds: 1_000 }, ...always }],
  },
  {
    id: 'D6',
    name: 'answers to writes come byte by byte',
    rules: [{ on: WRITE, times: 12, fault: { do: 'trickle', bytes: 97, everyMilliseconds: 2 } }],
  },
  {
    id: 'D6',
    name: 'answers to writes end in their middle',
    rules: [0, 5, 10, 15].map((skip) => ({ on: WRITE, skip, fault: { do: 'truncate' } })),
  },
];

const readPlans = ({ run }: Scene): readonly Plan[] => [
  ...answered('reads', READ, run.traffic.reads, ANSWERS),
  {
    id: 'D6',
    name: 'answers to reads end in their middle',
    rules: [{ on: READ, times: 6, fault: { do: 'truncate' } }],
  },
];

const reset = ({ scenario }: Scene): readonly Plan[] =>
  OTHER_STEPS.filter((step) => step < scenario.steps.length).map((step) => ({
    id: 'D7',
    name: `all connections are reset at the start of step ${step + 1}`,
    before: (at, world) => {
      if (at === step) world.dropConnections();
    },
  }));

/** Every plan of class D: what goes wrong on the way, and what servers answer. */
export const transportPlans = (scene: Scene): readonly Plan[] => [
  ...streams(scene),
  ...frozen(scene),
  ...(scene.run.traffic.reads > 0 ? readPlans(scene) : []),
  ...answered('watches', WATCH, scene.run.traffic.watches, [...ANSWERS, ...OF_WATCHES]),
  ...[0, 3, 6].map(answeredInSteps),
  ...(scene.run.traffic.streamsLists ? withoutWatchList : []),
  ...(scene.rereadsToken ? [rotated] : []),
  ...connections,
  ...reset(scene),
];
