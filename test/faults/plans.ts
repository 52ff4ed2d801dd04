import type { Lived, Life } from './life.ts';
import type { Match, Rule } from './proxy/rules.ts';
import type { World } from './world.ts';

/** One way in which a life is disturbed. */
export interface Plan {
  readonly name: string;
  /** Class of the fault, as in the fault list: A crash, B stale, C unobserved, D transport, E writes. */
  readonly class: 'A' | 'B' | 'C' | 'D' | 'E';
  /** What is in force from the start. */
  readonly rules: readonly Rule[];
  /** What happens when a turn begins. */
  readonly before?: (turn: number, world: World) => void;
}

const WRITE: Match = { write: true };

/** Every write of the life is a crash point: right after its answer has gone out, and before it has. */
export function crashPlans(life: Life, reference: Lived): readonly Plan[] {
  const total = reference.writes.at(-1) ?? 0;
  const turnOf = (write: number): string =>
    life.turns[reference.writes.findIndex((upTo) => write < upTo)]?.name ?? 'the end';
  return Array.from({ length: total }, (_, write) =>
    (['answered', 'committed'] as const).map((at): Plan => ({
      name: `killed ${at === 'answered' ? 'after' : 'before the answer of'} write ${write + 1} (${turnOf(write)})`,
      class: 'A',
      rules: [{ on: WRITE, skip: write, fault: { do: 'kill', at } }],
    })),
  ).flat();
}

/** Killed again and again: after every write of the whole life. */
export const killedAlways: Plan = {
  name: 'killed after every write',
  class: 'A',
  rules: [{ on: WRITE, times: Infinity, fault: { do: 'kill', at: 'answered' } }],
};

const CHILDREN = [
  'serviceaccounts',
  'configmaps',
  'networkpolicies',
  'persistentvolumeclaims',
  'jobs',
  'deployments',
  'services',
] as const;
const WATCHED = ['modelservings', 'pods', ...CHILDREN] as const;

const watches = (resource: string): Match => ({ verb: 'watch', resource });
/** The first stream after a start is the initial one; faults that need something to have been seen strike all. */
const always = { times: Infinity };

/** Views of the past. */
const stale: readonly Plan[] = WATCHED.flatMap((resource): Plan[] => [
  {
    name: `${resource}: old states come again after new ones`,
    class: 'B',
    rules: [{ on: watches(resource), fault: { do: 'replayOldFrames' }, ...always }],
  },
  {
    name: `${resource}: the watch lags 600 ms behind`,
    class: 'B',
    rules: [{ on: watches(resource), fault: { do: 'holdFrames', from: 30 }, ...always }],
    before: (_, world) => setTimeout(() => world.proxy.release(), 600).unref(),
  },
]);

/** Events that are never seen, seen twice, or out of order. */
const unobserved: readonly Plan[] = WATCHED.flatMap((resource): Plan[] => [
  {
    name: `${resource}: frames are lost, then the watch ends`,
    class: 'C',
    rules: [
      { on: watches(resource), fault: { do: 'dropFrames', from: 3, count: 3 }, ...always },
      { on: watches(resource), fault: { do: 'endStream', after: 3, how: 'clean' }, ...always },
    ],
  },
  {
    name: `${resource}: every frame comes twice`,
    class: 'C',
    rules: [{ on: watches(resource), fault: { do: 'repeatFrames' }, ...always }],
  },
]);

const expired = JSON.stringify({
  type: 'ERROR',
  object: {
    kind: 'Status',
    apiVersion: 'v1',
    status: 'Failure',
    reason: 'Expired',
    message: 'too old resource version',
    code: 410,
  },
});

/** What goes wrong on the way. */
const streams: readonly Plan[] = WATCHED.flatMap((resource): Plan[] =>
  (
    [
      ['is reset after 2 frames', { do: 'endStream', after: 2, how: 'reset' }],
      ['ends cleanly after 2 frames', { do: 'endStream', after: 2, how: 'clean' }],
      ['is cut within a frame', { do: 'endStream', after: 2, how: 'cut' }],
      ['says 410 in the stream', { do: 'insertFrame', after: 2, frame: expired }],
      ['brings garbage', { do: 'insertFrame', after: 2, frame: '{"type":"MODIFIED","object":{' }],
      [
        'brings an unknown type of event',
        { do: 'insertFrame', after: 2, frame: '{"type":"MYSTERY","object":{"metadata":{}}}' },
      ],
    ] as const
  ).map(([what, fault]): Plan => ({
    name: `${resource}: the watch ${what}`,
    class: 'D',
    rules: [{ on: watches(resource), fault, times: 3 }],
  })),
);

const status = (code: number, reason: string): string =>
  JSON.stringify({ kind: 'Status', apiVersion: 'v1', status: 'Failure', reason, message: `planted ${code}`, code });

const ANSWERS: readonly (readonly [name: string, status: number, headers: Record<string, string>, body: string])[] = [
  ['429 with Retry-After', 429, { 'retry-after': '1' }, status(429, 'TooManyRequests')],
  ['429 without Retry-After', 429, {}, status(429, 'TooManyRequests')],
  ['500', 500, {}, status(500, 'InternalError')],
  ['502 with HTML', 502, { 'content-type': 'text/html' }, '<html><body>Bad Gateway</body></html>'],
  ['503', 503, {}, ''],
  ['401', 401, {}, status(401, 'Unauthorized')],
  ['403', 403, {}, status(403, 'Forbidden')],
];

const SITES: readonly (readonly [name: string, on: Match])[] = [
  ['lists', { verb: 'list' }],
  ['watches', { verb: 'watch' }],
  ['writes', WRITE],
];

const answers: readonly Plan[] = SITES.flatMap(([site, on]) =>
  ANSWERS.map(([name, code, headers, body]): Plan => ({
    name: `${site} are answered with ${name} three times`,
    class: 'D',
    rules: [{ on, skip: 2, times: 3, fault: { do: 'answer', status: code, headers, body } }],
  })),
);

/** Faults of writes, at every third write. */
const writes: readonly Plan[] = [
  ...(['before', 'committed'] as const).flatMap((at): Plan[] => [
    {
      name: `writes are reset ${at} the server has carried them out`,
      class: 'E',
      rules: [{ on: WRITE, skip: 3, times: 4, fault: { do: 'reset', at } }],
    },
  ]),
  {
    name: 'writes conflict',
    class: 'E',
    rules: [{ on: WRITE, skip: 2, times: 4, fault: { do: 'answer', status: 409, body: status(409, 'Conflict') } }],
  },
  {
    name: 'answers come byte by byte',
    class: 'D',
    rules: [{ on: WRITE, times: 6, fault: { do: 'trickle', bytes: 97, everyMilliseconds: 2 } }],
  },
  ...[1, 3, 4].map((turn): Plan => ({
    name: `a partition of 2 s at the start of turn ${turn + 1}`,
    class: 'D',
    rules: [],
    before: (at, world) => {
      if (at !== turn) return;
      world.proxy.cut();
      setTimeout(() => world.proxy.mend(), 2000).unref();
    },
  })),
  ...[1, 3, 5].map((turn): Plan => ({
    name: `all connections are reset at the start of turn ${turn + 1}`,
    class: 'D',
    rules: [],
    before: (at, world) => at === turn && world.proxy.dropConnections(),
  })),
];

/** Every plan that isn't a crash at one write. */
export const faultPlans: readonly Plan[] = [killedAlways, ...stale, ...unobserved, ...streams, ...answers, ...writes];
