import { describe, expect, onTestFinished, test } from 'vitest';
import { Reflector, type ReflectorEvent, Store, TransportError } from '../../../operator/kube/index.ts';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';
import { selfSigned } from '../weights/support/certificate.ts';
import { added, FakeApiServer, frames, initialEnd, list, modified, object, status } from './support/fake-api-server.ts';
import { QUICK, reflect, until } from './support/reflect.ts';

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

  test('a watch that breaks off again and again, after which it never waits for long', async () => {
    const breaks = Array.from({ length: 8 }, (_, index) => frames([modified('a', 6 + index)], 'reset'));
    const { events, log } = await reflect({
      stream: [frames([added('a', 1), initialEnd(5)], 'reset')],
      watch: [...breaks, frames([modified('a', 20)])],
    });
    await until(() => expect(log.at(-1)).toBe('updated a@20'));
    for (const event of events) {
      if (event.type !== 'failed') continue;
      expect(event.error).toBeInstanceOf(TransportError);
      expect(event.waitMs).toBeLessThanOrEqual(4_000 * (QUICK.waitFactor ?? 1));
    }
    expect(events.filter(({ type }) => type === 'failed')).toHaveLength(9);
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
      { timing: { ...QUICK, idleMs: 100 } },
    );
    await until(() => expect(log).toEqual(['added a@1', 'added b@6']));
    expect(server.count('stream')).toBe(1);
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'failed', error: expect.objectContaining({ code: 'SILENT' }) }),
    );
  });

  test('an etcd that was put back to an earlier copy, on which a watch from a later version is silent', async () => {
    const { log, server, store } = await reflect(
      {
        stream: [frames([added('a', 90), added('gone', 95), initialEnd(100)])],
        // As long as it is behind that version, the server says nothing at all.
        watch: [frames([]), frames([added('b', 41)])],
        list: [list(40, [object('a', 20)]), list(40, [object('a', 20)])],
      },
      { timing: { ...QUICK, idleMs: 100 } },
    );
    await until(() => expect(log).toContain('added b@41'));
    expect(log.slice(2)).toEqual(['updated a@20', 'deleted gone@95', 'added b@41']);
    expect([...store.values()].map(({ metadata: { name } }) => name)).toEqual(['a', 'b']);
    const lists = server.paths('list').map((path) => path.split('?')[1]);
    expect(lists.slice(0, 2)).toEqual(['limit=1', 'limit=500']);
  });

  test('a silent watch of a server that is not behind continues from where it was', async () => {
    const { log, server } = await reflect(
      {
        stream: [frames([added('a', 1), initialEnd(5)])],
        watch: [frames([]), frames([added('b', 6)])],
        list: [list(5, [object('a', 1)])],
      },
      { timing: { ...QUICK, idleMs: 100 } },
    );
    await until(() => expect(log).toEqual(['added a@1', 'added b@6']));
    expect(server.paths('list').map((path) => path.split('?')[1])).toEqual(['limit=1', 'limit=1']);
    expect(server.count('stream')).toBe(1);
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
      type: TYPES.configMap,
      store,
      report: (event) => events.push(event),
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
