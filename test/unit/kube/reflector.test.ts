import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  ApiError,
  digestOf,
  type KubeObject,
  type ListOptions,
  Reflector,
  type ReflectorEvent,
  type ReflectorOptions,
  type ReflectorTiming,
  Store,
} from '../../../operator/kube/index.ts';
import { selfSigned } from '../weights/support/certificate.ts';
import {
  added,
  bookmark,
  deleted,
  failure,
  FakeApiServer,
  frames,
  initialEnd,
  json,
  list,
  modified,
  object,
  type Script,
  status,
} from './support/fake-api-server.ts';

const CONFIG_MAPS = { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps' };

/** Waits shortened a hundredfold. */
const QUICK: Partial<ReflectorTiming> = { waitFactor: 0.01 };

async function reflect(script: Script, options: Partial<ReflectorOptions<KubeObject>> = {}, running?: FakeApiServer) {
  const server = running ?? (await FakeApiServer.start(script));
  const log: string[] = [];
  const events: ReflectorEvent[] = [];
  const store = new Store<KubeObject>({ transform: (kept) => kept });
  const reflector = new Reflector({
    client: server.client(),
    type: CONFIG_MAPS,
    store,
    timing: QUICK,
    tell: (event) => events.push(event),
    ...options,
  });
  onTestFinished(() => reflector.stop());
  reflector.onChange((change) => {
    const { metadata } = change.type === 'deleted' ? change.before : change.value;
    log.push(`${change.type} ${metadata.name}@${metadata.resourceVersion}`);
  });
  reflector.start();
  return { server, log, events, store, reflector };
}

const until = (check: () => void) => vi.waitFor(check, { timeout: 8_000, interval: 5 });

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
      { timing: { ...QUICK, initialSilenceMs: 100 } },
    );
    await reflector.synced;
    expect(store.size).toBe(2);
    expect(server.count('list')).toBe(1);
  });
});

describe('what it survives', () => {
  test('an API server that is killed and started again', async () => {
    const certificate = selfSigned();
    const first = await FakeApiServer.start({ stream: [frames([added('a', 1), initialEnd(5)])] }, certificate);
    const { port } = first;
    const { log, reflector, store } = await reflect({}, {}, first);
    await reflector.synced;
    await first.stop();
    await until(() => expect(reflector.state.state).toBe('retrying'));
    expect(store.size).toBe(1);
    const second = await FakeApiServer.start({ watch: [frames([added('b', 6)])] }, certificate, port);
    await until(() => expect(log).toEqual(['added a@1', 'added b@6']));
    expect(second.received[0]?.query.get('resourceVersion')).toBe('5');
    expect(reflector.state.state).toBe('live');
  });

  test.each([
    ['a 500', status(500)],
    ['a 429', status(429, {}, { 'retry-after': '1' })],
    [
      'a 502 with an HTML page',
      (response: { writeHead(code: number): { end(text: string): void } }) =>
        response.writeHead(502).end('<html><h1>Bad Gateway</h1></html>'),
    ],
    ['a 401', status(401)],
    ['a reset connection', frames([], 'reset')],
    ['a body that is cut off', frames(['{"type":"ADDED","obj'], 'end')],
  ])('%s on the first list and on the watch', async (_what, reply) => {
    const { log, reflector, server } = await reflect({
      stream: [
        reply,
        frames([added('a', 1), initialEnd(5)], 'reset'),
        frames([added('a', 1), added('b', 6), initialEnd(6)]),
      ],
      list: [list(5, [object('a', 1)])],
      watch: [reply, frames([added('b', 6)])],
    });
    await until(() => expect(log).toEqual(['added a@1', 'added b@6']));
    expect(reflector.state.state).toBe('live');
    expect(server.received.length).toBeLessThan(7);
  });

  test('a 403 and a missing CRD, which it shows, and asks about after a while', async () => {
    const forbidden = await reflect(
      { stream: [status(403, { reason: 'Forbidden', message: 'no rights' })] },
      { timing: {} },
    );
    const missing = await reflect({ stream: [status(404)] }, { timing: {} });
    await until(() => expect(forbidden.reflector.state).toEqual({ state: 'forbidden', message: 'no rights' }));
    await until(() => expect(missing.reflector.state.state).toBe('missing'));
    expect(forbidden.events).toMatchObject([{ type: 'failed', waitMs: expect.any(Number) }]);
    for (const event of [...forbidden.events, ...missing.events]) {
      expect(event.type === 'failed' && event.waitMs).toBeGreaterThanOrEqual(800);
    }
  });

  test('a 403 that is lifted', async () => {
    const { reflector } = await reflect(
      { stream: [status(403), frames([initialEnd(5)])] },
      { timing: { waitFactor: 0.001 } },
    );
    await reflector.synced;
    expect(reflector.state.state).toBe('live');
  });

  test('a connection that says nothing any more', async () => {
    const { log, server, events } = await reflect(
      { stream: [frames([added('a', 1), initialEnd(5)])], watch: [frames([added('b', 6)])] },
      { timing: { ...QUICK, silenceMs: 100 } },
    );
    await until(() => expect(log).toEqual(['added a@1', 'added b@6']));
    expect(server.count('stream')).toBe(1);
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'failed', error: expect.objectContaining({ code: 'SILENT' }) }),
    );
  });

  test('a handler and a transform that throw', async () => {
    const store = new Store<string>({
      transform: ({ metadata }) => {
        if (metadata.name === 'poison') throw new Error('not this one');
        return metadata.name;
      },
    });
    const server = await FakeApiServer.start({
      stream: [frames([added('poison', 1), added('a', 2), initialEnd(5), modified('a', 6)])],
    });
    const events: ReflectorEvent[] = [];
    const reflector = new Reflector({
      client: server.client(),
      type: CONFIG_MAPS,
      store,
      tell: (event) => events.push(event),
    });
    onTestFinished(() => reflector.stop());
    const seen: string[] = [];
    reflector.onChange(() => {
      throw new Error('handler');
    });
    reflector.onChange((change) => seen.push(change.key));
    reflector.start();
    await until(() => expect(seen).toEqual(['d/a', 'd/a']));
    expect(events.filter(({ type }) => type === 'threw')).toHaveLength(3);
  });
});

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

  test('an object that was deleted and made anew in a gap', async () => {
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
      { timing: { ...QUICK, silenceMs: 5_000 } },
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
      { timing: { ...QUICK, silenceMs: 250 } },
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

  test.each(['streams', 'lists'])('hold the event loop for long while it %s 10,000 objects', async (how) => {
    const objects = Array.from({ length: 10_000 }, (_, index) => object(`object-${index}`, index + 1));
    const lines = [...objects.map((made) => ({ type: 'ADDED', object: made })), initialEnd(20_000)];
    const bytes = Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    const chunks = Array.from({ length: Math.ceil(bytes.length / 65_536) }, (_, index) =>
      bytes.subarray(index * 65_536, (index + 1) * 65_536),
    );
    // All of it is there at once, which is harder than any network.
    const client = {
      watch: async () => (how === 'streams' ? Readable.from(chunks) : Promise.reject(new ApiError(422, {}))),
      list: async (_type: unknown, { limit = 0, continue: token = '0' }: ListOptions) => {
        const end = Number(token) + limit;
        const items = objects.slice(Number(token), end) as KubeObject[];
        return { metadata: { resourceVersion: '20000', continue: end < objects.length ? `${end}` : '' }, items };
      },
    };
    const store = new Store<string>({ transform: (kept) => digestOf(kept) });
    const reflector = new Reflector({ client, type: CONFIG_MAPS, store });
    onTestFinished(() => reflector.stop());
    let longest = 0;
    let last = performance.now();
    const tick = () => {
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
    };
    const ticking = setInterval(tick, 1);
    reflector.start();
    await reflector.synced;
    clearInterval(ticking);
    tick();
    expect(store.size).toBe(10_000);
    expect(longest).toBeLessThan(50);
  });

  test('keep a list item without the type that the server left out', async () => {
    const { apiVersion: _apiVersion, kind: _kind, ...bare } = object('a', 1) as KubeObject;
    const { store, reflector } = await reflect({ stream: [status(422)], list: [list(5, [bare])], watch: [json({})] });
    await reflector.synced;
    expect(store.get('d/a')).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap' });
  });
});
