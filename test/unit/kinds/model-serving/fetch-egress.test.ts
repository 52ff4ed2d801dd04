import { describe, expect, it } from 'vitest';
import type { ModelServingStatus } from '../../../../constructs/model-serving/status.ts';
import type { ObservedChild, ObservedContainer } from '../../../../operator/engine/api/observed.ts';
import { Simulation } from './simulation.ts';
import {
  OTHER_URI,
  RUNNING,
  SECOND,
  START,
  URI,
  claim,
  container,
  decide,
  deployment,
  ends,
  resourceOf,
  runningChildren,
  runningStatus,
  server,
  service,
  shared,
  single,
  withUri,
} from './support.ts';

/** What a status says once it is written that the weights are there. */
const FETCHED = runningStatus(single);
const others = [deployment(), service()];

const podWith = (...containers: readonly ObservedContainer[]) => server(single, { containers });
const fetching = podWith(container('fetch', { init: true, ...RUNNING }), container('server'));
const ended = (exitCode: number) =>
  podWith(container('fetch', { init: true, terminated: ends(exitCode) }), container('server'));

interface Row {
  readonly status?: ModelServingStatus;
  readonly children?: readonly ObservedChild[];
  readonly pods?: Parameters<typeof decide>[0]['pods'];
  readonly spec?: typeof single;
  readonly generation?: number;
  readonly deleting?: boolean;
  /** Seconds since a running fetch has started. */
  readonly after?: number;
}

const decided = ({ status, children = [claim(URI), ...others], pods = [], spec = single, deleting, after = 0 }: Row) =>
  decide(
    { resource: resourceOf(spec, { ...(status && { status }), ...(deleting && { deleting }) }), children, pods },
    START + after * SECOND,
  );

const OPEN: readonly (readonly [string, Row])[] = [
  ['nothing is there yet', { children: [] }],
  ['the volume is there, and no pod', { children: [claim(URI)] }],
  ['a pod waits for its node', { pods: [podWith(container('fetch', { init: true }), container('server'))] }],
  ['the fetch runs', { pods: [fetching] }],
  ['the fetch has failed', { pods: [ended(1)] }],
  ['the fetch has succeeded, and no status says so yet', { pods: [ended(0)] }],
  ['the server is ready, and no status says so yet', { pods: [server(single)] }],
  ['the status is about another model', { status: FETCHED, spec: withUri(single, OTHER_URI), pods: [server(single)] }],
  [
    'the status is about an earlier volume of that name',
    { status: FETCHED, children: [claim(URI, 'Bound', { uid: 'another' }), ...others], pods: [server(single)] },
  ],
  ['the volume is gone', { status: FETCHED, children: others, pods: [server(single)] }],
  ['a fetch runs for long on a volume that was complete', { status: FETCHED, pods: [fetching], after: 10 }],
  ['a fetch fails on a volume that was complete', { status: FETCHED, pods: [ended(1)] }],
  [
    'it waits to be tried again there',
    {
      status: FETCHED,
      pods: [
        podWith(
          container('fetch', {
            restarts: 1,
            lastTerminated: ends(1),
            waiting: { reason: 'CrashLoopBackOff', message: '' },
          }),
        ),
      ],
    },
  ],
  [
    'one of several servers needs it',
    { status: FETCHED, pods: [server(single), { ...ended(1), name: 'llama-server-2' }] },
  ],
];

const CLOSED: readonly (readonly [string, Row])[] = [
  ['the weights are there, and the server serves', { status: FETCHED, pods: [server(single)] }],
  ['the weights are there, and no pod is', { status: FETCHED }],
  ['the fetch has just succeeded', { status: FETCHED, pods: [ended(0)] }],
  ['a new pod waits for its node', { status: FETCHED, pods: [podWith(container('fetch', { init: true }))] }],
  ['a new pod looks for the marker', { status: FETCHED, pods: [fetching], after: 9 }],
  [
    'a node that was restarted runs the fetch of its pod again',
    {
      status: FETCHED,
      pods: [podWith(container('fetch', { restarts: 1, lastTerminated: ends(0), ...RUNNING }))],
      after: 9,
    },
  ],
  [
    'the volume is being deleted under the server',
    { status: FETCHED, children: [claim(URI, 'Bound', { deleting: true }), ...others], pods: [server(single)] },
  ],
  [
    'the volume is lost under the server',
    { status: FETCHED, children: [claim(URI, 'Lost'), ...others], pods: [server(single)] },
  ],
  ['it drains, though it has never fetched', { spec: { ...single, retired: true }, pods: [fetching], after: 20 }],
  ['it is being deleted', { deleting: true, pods: [fetching], after: 20 }],
  [
    'a pod on its way out has not fetched',
    { status: FETCHED, pods: [server(single), { ...ended(1), name: 'llama-server-0', deleting: true }] },
  ],
];

describe('what the fetch of a server needs is open where', () => {
  it.each(OPEN)('%s', (_, row) => {
    expect(decided(row).state.fetchEgress ?? 'open').toBe('open');
  });
});

describe('what the fetch of a server needs is closed where', () => {
  it.each(CLOSED)('%s', (_, row) => {
    expect(decided(row).state.fetchEgress).toBe('closed');
  });
});

describe('a fetch on a volume that was complete', () => {
  it('is looked at again when it has run for as long as no look for a marker takes', () => {
    expect(decided({ status: FETCHED, pods: [fetching] }).requeueAt).toBe(START + 10 * SECOND);
  });

  it('is not looked at again once it has found the marker', () => {
    expect(decided({ status: FETCHED, pods: [server(single)] }).requeueAt).toBeUndefined();
  });
});

describe('where a Job fetches', () => {
  it('the servers have nothing to be closed', () => {
    const children = runningChildren(shared);
    const { state } = decide({ resource: resourceOf(shared), children, pods: [server(shared)] });
    expect(state).toEqual({});
  });

  it('but servers of an earlier spec fetched by themselves, that is closed unless one of them needs it', () => {
    const status = { ...FETCHED, served: { spec: single } };
    const spec = withUri(shared, OTHER_URI);
    const children = [claim(URI), claim(OTHER_URI), ...others];
    const egress = (pod: ReturnType<typeof server>) =>
      decide({ resource: resourceOf(spec, { status }), children, pods: [pod] }).state;
    expect(egress(server(single))).toMatchObject({ serving: single, fetchEgress: 'closed' });
    expect(egress(ended(1))).not.toHaveProperty('fetchEgress');
  });
});

describe('the policy of a server that fetches by itself', () => {
  const spec = (simulation: Simulation) =>
    simulation.manifest('NetworkPolicy', 'llama-fetch')?.['spec'] as
      | { readonly egress?: readonly object[] }
      | undefined;
  const isOpen = (simulation: Simulation) => (spec(simulation)?.egress ?? []).length > 0;

  it('is there and open before the first pod, closes once, and stays so', () => {
    const simulation = new Simulation(single);
    simulation.pass();
    expect([isOpen(simulation), simulation.names('Deployment')]).toEqual([true, ['llama']]);
    const seen: boolean[] = [];
    simulation.run(60, () => seen.push(isOpen(simulation)));
    expect(seen.filter((open, second) => open !== seen[second - 1])).toEqual([true, false]);
    expect(simulation.status.phase).toBe('Running');
  });

  it('opens for another model, closes again, and no pod is made for its sake', () => {
    const simulation = new Simulation(single);
    simulation.run(60);
    const pods = simulation.podsMade;
    simulation.edit(withUri(single, OTHER_URI));
    const seen: boolean[] = [];
    simulation.run(60, () => seen.push(isOpen(simulation)));
    expect(seen.filter((open, second) => open !== seen[second - 1])).toEqual([true, false]);
    expect(simulation.podsMade).toBe(pods + 1);
  });

  it('goes at once where a Job fetches from now on', () => {
    const simulation = new Simulation(single);
    simulation.run(60);
    simulation.edit(withUri(shared, OTHER_URI));
    simulation.run(60);
    expect(simulation.status.phase).toBe('Running');
    expect(simulation.names('NetworkPolicy')).toEqual(['llama', 'llama-fetcher']);
  });
});
