import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import {
  added,
  bookmark,
  deleted,
  failure,
  frames,
  initialEnd,
  list,
  modified,
  object,
  status,
} from './support/fake-api-server.ts';
import { reflect, until } from './support/reflect.ts';

describe('what it never misses', () => {
  test.each([
    ['410 when the watch is opened', [status(410, { reason: 'Expired' })]],
    ['410 as a frame', [frames([failure(410, 'Expired')])]],
    ['410 with the reason Gone', [frames([failure(410, 'Gone')])]],
  ])('what happened before a %s: it lists again, once, naming no version', async (_what, watch) => {
    const { server, log } = await reflect({
      stream: [
        frames([added('a', 1), added('b', 2), initialEnd(5)], 'reset'),
        frames([added('b', 2), added('c', 8), initialEnd(9)]),
      ],
      watch: [...watch],
    });
    await until(() => expect(log).toEqual(['added a@1', 'added b@2', 'added c@8', 'deleted a@1']));
    expect(server.count('stream')).toBe(2);
    expect(server.received.at(-1)?.query.has('resourceVersion')).toBe(false);
  });

  test('what happened while a list expired between two pages', async () => {
    const { store, reflector, server } = await reflect({
      stream: [status(422)],
      list: [list(5, [object('a', 1)], 'next'), status(410, { reason: 'Expired' }), list(9, [object('b', 8)])],
      watch: [frames([])],
    });
    await reflector.synced;
    expect([...store.values()].map(({ metadata }) => metadata.name)).toEqual(['b']);
    expect(server.count('list')).toBe(3);
  });

  test('what a server forgot that closes at once where others answer 410', async () => {
    const { log, server } = await reflect({
      stream: [frames([added('a', 1), initialEnd(5)], 'reset'), frames([added('b', 8), initialEnd(9)])],
      watch: [frames([], 'end')],
    });
    await until(() => expect(log).toEqual(['added a@1', 'added b@8', 'deleted a@1']));
    expect(server.count('watch')).toBe(1);
    expect(server.received.at(-1)?.query.get('resourceVersion')).toBe('5');
  });

  test('an object that was deleted and created again in a gap', async () => {
    const { log } = await reflect({
      stream: [frames([added('a', 1, 'old'), initialEnd(5)], 'reset')],
      watch: [frames([modified('a', 8, 'new')])],
    });
    await until(() => expect(log).toEqual(['added a@1', 'deleted a@1', 'added a@8']));
  });

  test.each([
    ['a malformed frame', 'this is not JSON\n'],
    ['an event of an unknown type', { type: 'SURPRISE', object: object('x', 6) }],
    ['an object without a UID', { type: 'ADDED', object: { metadata: { name: 'x', resourceVersion: '6' } } }],
    ['an error that is none of the known', failure(500, 'InternalError')],
  ])('what %s stood for: it lists again, and tells', async (_what, frame) => {
    const { log, events } = await reflect({
      stream: [frames([added('a', 1), initialEnd(5), frame]), frames([added('a', 1), added('b', 8), initialEnd(9)])],
    });
    await until(() => expect(log).toEqual(['added a@1', 'added b@8']));
    expect(events.filter(({ type }) => type === 'failed')).toHaveLength(1);
  });

  test('events that come in pieces while a slow handler runs: they are told in order, one at a time', async () => {
    const lines = Array.from({ length: 50 }, (_, index) => `${JSON.stringify(modified('ä€😀', index + 6))}\n`).join('');
    const bytes = Buffer.from(lines);
    const { log, reflector } = await reflect({
      stream: [
        async (response) => {
          response.writeHead(200);
          response.write(`${JSON.stringify(initialEnd(5))}\n`);
          for (let at = 0; at < bytes.length; at += 97) {
            response.write(bytes.subarray(at, at + 97));
            await sleep(0);
          }
        },
      ],
    });
    reflector.onChange(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2));
    await until(() => expect(log).toHaveLength(50));
    expect(log.map((line) => Number(line.split('@')[1]))).toEqual(Array.from({ length: 50 }, (_, index) => index + 6));
  });
});

describe('what it never does', () => {
  test('go back in time for a list that is older than what it has seen', async () => {
    const { log, store, server } = await reflect({
      stream: [
        frames([added('a', 90), initialEnd(100), 'garbage\n']),
        frames([added('a', 40), initialEnd(50)]),
        frames([added('a', 90), initialEnd(100)]),
      ],
      list: [list(50, [object('a', 40), object('gone', 30)]), list(100, [object('a', 90)])],
      watch: [frames([])],
    });
    await until(() => expect(server.count('list') + server.count('stream')).toBeGreaterThanOrEqual(4));
    await until(() => expect(store.get('d/a')?.metadata.resourceVersion).toBe('90'));
    expect(log).toEqual(['added a@90']);
    expect(server.paths('list').every((path) => path.includes('resourceVersion=100'))).toBe(true);
  });

  test('go back in time for events that are older', async () => {
    const { log } = await reflect({
      stream: [
        frames([added('a', 90), initialEnd(100), modified('a', 80), deleted('a', 85), added('b', 70), added('c', 101)]),
      ],
    });
    await until(() => expect(log).toEqual(['added a@90', 'added c@101']));
  });

  test('believe its old versions after the store was restored from a backup', async () => {
    const { log, server } = await reflect({
      stream: [
        frames([added('a', 90), added('b', 91), initialEnd(100), bookmark(50)]),
        status(504, { message: 'Too large resource version: 100' }),
      ],
      list: [list(50, [object('a', 40)])],
      watch: [frames([modified('a', 51)])],
    });
    await until(() =>
      expect(log).toEqual(['added a@90', 'added b@91', 'updated a@40', 'deleted b@91', 'updated a@51']),
    );
    expect(server.received.find(({ kind }) => kind === 'list')?.query.has('resourceVersion')).toBe(false);
    expect(server.received.at(-1)?.query.get('resourceVersion')).toBe('50');
  });
});
