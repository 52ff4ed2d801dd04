import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { KubeObject } from '../../../operator/kube/index.ts';
import {
  added,
  bookmark,
  frames,
  initialEnd,
  json,
  list,
  modified,
  object,
  status,
} from './support/fake-api-server.ts';
import { QUICK, reflect, until } from './support/reflect.ts';

describe('what it asks for', () => {
  test('a streamed list with bookmarks and a limited time, and from then on nothing more', async () => {
    const { server, log, reflector } = await reflect(
      { stream: [frames([added('a', 1), initialEnd(5), modified('a', 6)])] },
      { namespace: 'd', labelSelector: 'x=y' },
    );
    await until(() => expect(log).toEqual(['added a@1', 'updated a@6']));
    expect(reflector.state).toEqual({ state: 'live', message: '' });
    const query = server.received[0]?.query;
    expect(server.received[0]?.path).toBe('/api/v1/namespaces/d/configmaps');
    expect(Object.fromEntries(query ?? [])).toMatchObject({
      watch: 'true',
      sendInitialEvents: 'true',
      resourceVersionMatch: 'NotOlderThan',
      allowWatchBookmarks: 'true',
      labelSelector: 'x=y',
    });
    expect(query?.has('resourceVersion')).toBe(false);
    expect(Number(query?.get('timeoutSeconds'))).toBeGreaterThanOrEqual(300);
    expect(Number(query?.get('timeoutSeconds'))).toBeLessThanOrEqual(600);
    await sleep(100);
    expect(server.received).toHaveLength(1);
  });

  test('pages where the server cannot stream, which is tried once only', async () => {
    const { server, log, events } = await reflect({
      stream: [status(422, { reason: 'Invalid' })],
      list: [list(5, [object('a', 1)], 'next'), list(5, [object('b', 2)])],
      watch: [frames([added('c', 6)], 'reset'), frames([])],
    });
    await until(() => expect(server.count('watch')).toBe(2));
    expect(log).toEqual(['added a@1', 'added b@2', 'added c@6']);
    expect(server.count('stream')).toBe(1);
    expect(server.paths('list').map((path) => path.replace(/.*\?/, ''))).toEqual([
      'limit=500',
      'limit=500&continue=next',
    ]);
    expect(server.received.find(({ kind }) => kind === 'watch')?.query.get('resourceVersion')).toBe('5');
    expect(events).toContainEqual(expect.objectContaining({ type: 'listed', objects: 2, streamed: false }));
  });

  test.each([
    ['ends the stream without having ended the list', frames([added('a', 1)], 'end')],
    ['never ends the list', frames([added('a', 1)])],
    ['answers 500 to the stream', status(500)],
  ])('pages where the server %s', async (_what, reply) => {
    const { store, reflector, server } = await reflect(
      { stream: [reply], list: [list(5, [object('a', 1), object('b', 2)])], watch: [frames([])] },
      { timing: { ...QUICK, initialIdleMs: 100 } },
    );
    await reflector.synced;
    expect(store.size).toBe(2);
    expect(server.count('list')).toBe(1);
  });
});

describe('what it never does', () => {
  test('open watches in a tight loop when the server closes them at once', async () => {
    const { server } = await reflect(
      { stream: [frames([initialEnd(5)], 'end')], list: [list(5, [])], watch: [frames([bookmark(6)], 'end')] },
      { timing: {} },
    );
    await sleep(1_500);
    expect(server.received.length).toBeLessThanOrEqual(3);
  });

  test('open a second watch for a quiet one', async () => {
    const { server, reflector } = await reflect(
      { stream: [frames([initialEnd(5), bookmark(6)])] },
      { timing: { ...QUICK, idleMs: 5_000 } },
    );
    await reflector.synced;
    await sleep(300);
    expect(server.received).toHaveLength(1);
  });

  test('give up a watch that says something now and then', async () => {
    const { server, log } = await reflect(
      {
        stream: [
          async (response) => {
            response.writeHead(200);
            response.write(`${JSON.stringify(initialEnd(1))}\n`);
            for (let version = 2; version <= 12; version += 1) {
              await sleep(50);
              response.write(`${JSON.stringify(version < 12 ? bookmark(version) : added('a', version))}\n`);
            }
          },
        ],
      },
      { timing: { ...QUICK, idleMs: 250 } },
    );
    await until(() => expect(log).toEqual(['added a@12']));
    expect(server.received).toHaveLength(1);
  });

  test('ask, tell or complain after it was stopped', async () => {
    const { server, log, events, reflector } = await reflect({ stream: [frames([added('a', 1), initialEnd(5)])] });
    await reflector.synced;
    await reflector.stop();
    const before = server.received.length;
    await sleep(100);
    expect(server.received).toHaveLength(before);
    expect(log).toEqual(['added a@1']);
    expect(events).toHaveLength(1);
  });

  test('ask after it was stopped while it waited to try again', async () => {
    const { server, events, reflector } = await reflect({ stream: [status(503)] }, { timing: { waitFactor: 0.2 } });
    await until(() => expect(events).toHaveLength(1));
    await reflector.stop();
    await sleep(500);
    expect(server.received).toHaveLength(1);
    await expect(reflector.synced).rejects.toThrow('stopped');
  });

  test('keep a list item without the type that the server left out', async () => {
    const { apiVersion: _apiVersion, kind: _kind, ...bare } = object('a', 1) as KubeObject;
    const { store, reflector } = await reflect({ stream: [status(422)], list: [list(5, [bare])], watch: [json({})] });
    await reflector.synced;
    expect(store.get('d/a')).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap' });
  });
});
