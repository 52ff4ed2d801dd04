import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { ApiError } from '../../../operator/kube/index.ts';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';
import { retryDelay } from '../../../operator/kube/client/retry.ts';
import { selfSigned } from '../weights/support/certificate.ts';
import { BODY, ok, REF } from './support/config-maps.ts';
import { FakeApiServer, type Reply, status } from './support/fake-api-server.ts';

const reset: Reply = (response) => response.socket?.destroy();

describe('what is repeated', () => {
  test.each([
    ['a read after a 500', 'get', status(500), 2],
    ['a read after a 502 with HTML', 'get', (response) => response.writeHead(502).end('<html>'), 2],
    ['a read after a lost answer', 'get', reset, 2],
    ['a read after a 429', 'get', status(429, {}, { 'retry-after': '0' }), 2],
    ['an apply after a 503', 'apply', status(503), 2],
    ['an apply after a lost answer', 'apply', reset, 2],
    ['a create after a 429', 'create', status(429), 2],
    ['a create after a lost answer', 'create', reset, 1],
    ['a create after a 500', 'create', status(500), 1],
    ['a delete by UID after a lost answer', 'delete', reset, 2],
    ['a delete by name after a lost answer', 'deleteByName', reset, 1],
    ['a JSON patch after a lost answer', 'jsonPatch', reset, 1],
    ['a read after a 404', 'get', status(404), 1],
    ['an apply after a 409', 'apply', status(409), 1],
    ['an apply after a 403', 'apply', status(403), 1],
    ['an apply after a 422', 'apply', status(422), 1],
  ] as const satisfies readonly (readonly [string, string, Reply, number])[])(
    '%s',
    async (_what, verb, reply, requests) => {
      const server = await FakeApiServer.start({ other: [reply, ok] });
      const client = server.client();
      const send = {
        get: () => client.get(TYPES.configMap, REF),
        apply: () => client.apply(TYPES.configMap, BODY, { fieldManager: 'trunnion' }),
        create: () => client.create(TYPES.configMap, BODY),
        delete: () => client.delete(TYPES.configMap, REF, { uid: 'x' }),
        deleteByName: () => client.delete(TYPES.configMap, REF),
        jsonPatch: () => client.patch(TYPES.configMap, REF, [{ op: 'remove', path: '/data' }]),
      };
      const outcome = await send[verb]().catch((error: unknown) => error);
      expect(server.received).toHaveLength(requests);
      expect(outcome instanceof Error).toBe(requests === 1);
    },
  );

  test('a request that the server asked to hold back, not before the time that it named', async () => {
    const server = await FakeApiServer.start({ other: [status(429, {}, { 'retry-after': '1' }), ok] });
    const started = performance.now();
    await server.client().create(TYPES.configMap, BODY);
    expect(performance.now() - started).toBeGreaterThanOrEqual(1_000);
  });

  test('a create that no server was there for, since it cannot have arrived', async () => {
    const certificate = selfSigned();
    const gone = await FakeApiServer.start({ other: [ok] }, certificate);
    const { port } = gone;
    const client = gone.client();
    await gone.stop();
    const creating = client.create(TYPES.configMap, BODY);
    await sleep(100);
    const back = await FakeApiServer.start({ other: [ok] }, certificate, port);
    expect((await creating).metadata.name).toBe('x');
    expect(back.received).toHaveLength(1);
  });

  test('never beyond the deadline', async () => {
    const server = await FakeApiServer.start({ other: [status(503)] });
    await expect(server.client().get(TYPES.configMap, REF, { deadlineMs: 100 })).rejects.toMatchObject({ status: 503 });
    expect(server.received).toHaveLength(1);
  });

  test('not where what was applied does not fit the type: it never will', () => {
    const message = 'failed to create typed patch object (ns/w): .status.workload: field not declared in schema';
    expect(retryDelay(new ApiError(500, { message }), 1, true, 1)).toBeUndefined();
  });

  test.each([
    'etcdserver: request is too large',
    'rpc error: code = ResourceExhausted desc = trying to send message larger than max (2501343 vs. 2097152)',
  ])('not where it is larger than etcd takes: %s', (message) => {
    expect(retryDelay(new ApiError(500, { message }), 1, true, 1)).toBeUndefined();
  });

  test('with waits that double up to a limit, and not forever', () => {
    const waits = Array.from({ length: 10 }, (_, index) => retryDelay(new ApiError(503, {}), index + 1, true, 1));
    expect(waits).toEqual([250, 500, 1000, 2000, 4000, 5000, 5000, 5000, 5000, undefined]);
  });
});

describe('a deadline', () => {
  test.each<[string, Reply]>([
    ['that never comes', () => undefined],
    [
      'that trickles',
      async (response) => {
        response.writeHead(200);
        for (let time = 0; time < 40; time += 1) {
          response.write(' ');
          await sleep(20);
        }
      },
    ],
  ])('ends the wait for an answer %s', async (_what, reply) => {
    const server = await FakeApiServer.start({ other: [reply] });
    const waiting = server.client().get(TYPES.configMap, REF, { deadlineMs: 200 });
    await expect(waiting).rejects.toMatchObject({ code: 'DEADLINE', mayHaveArrived: true });
  });

  test('ends the wait for the head of a watch that is never answered, by its signal', async () => {
    const server = await FakeApiServer.start({ watch: [() => undefined] });
    const opening = server.client().watch(TYPES.configMap, 'd', {}, AbortSignal.timeout(100));
    await expect(opening).rejects.toThrow('timeout');
  });
});
