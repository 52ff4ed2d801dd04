import { expect, it, test } from 'vitest';
import type { ObservedContainer, ObservedPod } from '../../../../operator/engine/api/observed.ts';
import { container, decide, deployment, resourceOf, server, service, shared, START } from './support.ts';

const HOUR = 3_600_000;
const starting = { running: { startedAt: '2026-01-01T00:00:00Z' }, startupSeconds: 800 };

/** A server that is deleted 20 s into its start, with an hour to stop in. */
const leaving = (of: Partial<ObservedContainer> = starting, over: Partial<ObservedPod> = {}) =>
  server(shared, {
    deleting: true,
    goneBy: START + HOUR,
    unreadySince: START - 60_000,
    containers: [container('server', of)],
    ...over,
  });

const removals = (...pods: readonly ObservedPod[]) =>
  decide({ resource: resourceOf(shared), children: [deployment({ ready: 0 }), service()], pods }, START + 20_000)
    .removePods;

it('a server that is deleted before it ever started is given seconds to stop, and not the time of a drain', () => {
  expect(removals(leaving())).toEqual([{ name: 'llama-server-1', uid: 'uid-of-llama-server-1', graceSeconds: 5 }]);
});

test.each([
  ['started', leaving({ ...starting, started: true })],
  ['serves', leaving({ ...starting, started: true, ready: true }, {})],
  ['was ready before its kubelet started again', leaving(starting, { unreadySince: START + 10_000 })],
  [
    'is ready, for all that is known',
    server(shared, { deleting: true, goneBy: START + HOUR, containers: [container('server', starting)] }),
  ],
  ['has no startup probe', leaving({ running: starting.running })],
  ['still fetches its weights', leaving({ startupSeconds: 800, waiting: { reason: 'PodInitializing', message: '' } })],
  ['is gone within seconds anyway', leaving(starting, { goneBy: START + 25_000 })],
  ['is not deleted', leaving(starting, { deleting: false })],
])('one that %s is left alone', (_what, pod) => {
  expect(removals(pod)).toBeUndefined();
});
