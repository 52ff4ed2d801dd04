import { describe, expect, it } from 'vitest';
import { changesOf, hotLoopsOf, vainWritesOf, trafficOf, writesIn } from '../../../testing/faults/observe.ts';
import type { Written } from '../../../testing/faults/proxy/answers.ts';
import { parseExchange } from '../../../testing/faults/proxy/exchange.ts';
import type { FaultProxy, Passed } from '../../../testing/faults/proxy/proxy.ts';
import { leasesIn } from '../../../testing/faults/world.ts';

const passed = (method: string, path: string, status = 200, written?: Written, at = 0): Passed => ({
  exchange: parseExchange(method, path),
  status,
  at,
  ...(written !== undefined && { written }),
});

const world = (log: readonly Passed[], reported: readonly string[] = []) => ({
  proxy: { log, reported: new Set(reported) } as unknown as FaultProxy,
});

const MAPS = '/api/v1/namespaces/a/configmaps';

describe('the changes of an operator', () => {
  it('are objects that were created and deleted, by their names', () => {
    const log = [
      passed('PATCH', `${MAPS}/x`, 201),
      passed('PATCH', `${MAPS}/x`),
      passed('POST', MAPS, 201, { name: 'y' }),
      passed('POST', MAPS, 409),
      passed('DELETE', `${MAPS}/x`),
      passed('DELETE', `${MAPS}/gone`, 404),
      passed('POST', '/api/v1/namespaces/a/events', 201, { name: 'e' }),
    ];
    expect(changesOf(world(log))).toEqual({
      'create configmaps/x': 1,
      'create configmaps/y': 1,
      'delete configmaps/x': 1,
    });
  });

  it('have no names that are others in each run', () => {
    const log = [
      passed('POST', MAPS, 201, { name: 'x-abcde', generateName: 'x-' }),
      passed('POST', MAPS, 201, { name: 'x-fghij', generateName: 'x-' }),
      passed('DELETE', `${MAPS}/x-abcde`),
      passed('POST', '/apis/batch/v1/namespaces/a/jobs', 201, { name: 'backup-1764326400' }),
      passed('DELETE', '/api/v1/namespaces/a/pods/web-5d4f8-abcde'),
      passed('DELETE', MAPS),
    ];
    expect(changesOf(world(log))).toEqual({
      'create configmaps/x-*': 2,
      'delete configmaps/x-*': 1,
      'create jobs/backup-<number>': 1,
      'delete pods/web-5d4f8': 1,
      'delete configmaps/*': 1,
    });
  });
});

describe('what an operator does too often', () => {
  it('is a request that is repeated without a pause, and told by its worst second', () => {
    const often = (second: number, times: number) =>
      Array.from({ length: times }, () => passed('GET', `${MAPS}/x`, 200, undefined, second * 1_000));
    expect(hotLoopsOf(world([...often(1, 30), ...often(2, 50), ...often(3, 5)]))).toEqual([
      `get ${MAPS}/x: 50 times in a second`,
    ]);
    expect(hotLoopsOf(world(often(1, 20)))).toEqual([]);
  });

  it('is a write that changed nothing', () => {
    const log = ['5', '6', '6'].map((version) => passed('PATCH', `${MAPS}/x`, 200, { version }));
    expect(vainWritesOf(world(log))).toEqual([`patch ${MAPS}/x changed nothing`]);
  });

  it('is not a read, a dry run or a refused write', () => {
    const log = [passed('GET', MAPS), passed('PATCH', `${MAPS}/x?dryRun=All`), passed('PATCH', `${MAPS}/x`, 409)];
    expect(writesIn(log)).toEqual([]);
  });
});

describe('what an operator watches', () => {
  it('is what it has a watch of, and was told of', () => {
    const log = [
      passed('GET', '/apis/apps/v1/namespaces/a/deployments?watch=1'),
      passed('GET', '/api/v1/namespaces/a/secrets?watch=1'),
      passed('GET', '/api/v1/namespaces/a/pods'),
    ];
    const traffic = { watched: ['deployments'], watches: 2, reads: 1, streamsLists: false, takesOldLists: false };
    expect(trafficOf(world(log, ['deployments', 'pods']))).toEqual(traffic);
    const streamed = passed('GET', '/api/v1/namespaces/a/pods?watch=1&sendInitialEvents=true');
    expect(trafficOf(world([...log, streamed], ['pods']))).toEqual({
      ...traffic,
      watched: ['pods'],
      watches: 3,
      streamsLists: true,
      takesOldLists: true,
    });
    const fromCache = passed('GET', '/api/v1/namespaces/a/pods?resourceVersion=0');
    expect(trafficOf(world([...log, fromCache]))).toMatchObject({ streamsLists: false, takesOldLists: true });
  });

  it('has Leases beside it, which it writes', () => {
    const leases = '/apis/coordination.k8s.io/v1/namespaces/a/leases';
    const log = [passed('GET', `${leases}/seen`), passed('PUT', `${leases}/held`), passed('PUT', `${leases}/held`)];
    expect(leasesIn(log)).toEqual([{ namespace: 'a', name: 'held' }]);
  });
});
