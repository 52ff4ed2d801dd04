import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createSecureServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  ApiError,
  type Connection,
  type ConnectionSource,
  KubeClient,
  type Observation,
  TransportError,
} from '../../../operator/kube/index.ts';
import { CachedConnection, connect } from '../../../operator/kube/connection.ts';
import { retryDelay } from '../../../operator/kube/retry.ts';
import { selfSigned } from '../weights/support/certificate.ts';
import { FakeApiServer, frames, json, object, type Reply, status } from './support/fake-api-server.ts';

const CONFIG_MAPS = { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps' };
const REF = { namespace: 'd', name: 'x' };
const BODY = { apiVersion: 'v1', kind: 'ConfigMap', metadata: REF };

const ok = json(object('x', 1));
const reset: Reply = (response) => response.socket?.destroy();

describe('connections', () => {
  test('are kept: a hundred requests take two handshakes at most, and fifty at once about fifty', async () => {
    const server = await FakeApiServer.start({ other: [ok] });
    const client = server.client();
    for (let time = 0; time < 100; time += 1) await client.get(CONFIG_MAPS, REF);
    // Two, where the second request comes before the first connection is seen to be free again.
    expect(server.connections).toBeLessThanOrEqual(2);
    await Promise.all(Array.from({ length: 50 }, () => client.get(CONFIG_MAPS, REF)));
    expect(server.connections).toBeLessThanOrEqual(52);
  });

  test('of watches are apart from those of requests, and end with their signal', async () => {
    const server = await FakeApiServer.start({ watch: [frames([object('x', 1)])], other: [ok] });
    const client = server.client();
    const stop = new AbortController();
    const body = await client.watch(CONFIG_MAPS, 'd', {}, stop.signal);
    await client.get(CONFIG_MAPS, REF);
    expect(server.connections).toBe(2);
    stop.abort();
    await expect(body.toArray()).rejects.toThrow('aborted');
  });

  test('speak HTTP/1.1, also where HTTP/2 is offered', async () => {
    const certificate = selfSigned();
    const versions: string[] = [];
    const server = createSecureServer({ ...certificate, allowHTTP1: true }, (request, response) => {
      versions.push(request.httpVersion);
      response.end('{}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const connection = { url: `https://127.0.0.1:${port}`, ca: certificate.cert, namespace: 'd' };
    const client = new KubeClient({ connection: connect({ from: 'fixed', connection }) });
    await client.get(CONFIG_MAPS, REF);
    expect(versions).toEqual(['1.1']);
    await client.close();
    server.close();
  });

  test('refuse a server whose certificate is not of the CA, and one of another name', async () => {
    const server = await FakeApiServer.start({ other: [ok] });
    const fixed = (fields: Partial<Connection>) => {
      const connection = { url: server.url, ca: server.certificate.cert, namespace: 'd', ...fields };
      return new KubeClient({ connection: connect({ from: 'fixed', connection }) });
    };
    for (const client of [fixed({ ca: selfSigned().cert }), fixed({ serverName: 'another.example.org' })]) {
      await expect(client.get(CONFIG_MAPS, REF, { retry: false })).rejects.toThrow(TransportError);
      await client.close();
    }
    expect(server.received).toEqual([]);
  });
});

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
        get: () => client.get(CONFIG_MAPS, REF),
        apply: () => client.apply(CONFIG_MAPS, BODY, { fieldManager: 'trunnion' }),
        create: () => client.create(CONFIG_MAPS, BODY),
        delete: () => client.delete(CONFIG_MAPS, REF, { uid: 'x' }),
        deleteByName: () => client.delete(CONFIG_MAPS, REF),
        jsonPatch: () => client.patch(CONFIG_MAPS, REF, [{ op: 'remove', path: '/data' }]),
      };
      const outcome = await send[verb]().catch((error: unknown) => error);
      expect(server.received).toHaveLength(requests);
      expect(outcome instanceof Error).toBe(requests === 1);
    },
  );

  test('a request that the server asked to hold back, not before the time that it named', async () => {
    const server = await FakeApiServer.start({ other: [status(429, {}, { 'retry-after': '1' }), ok] });
    const started = performance.now();
    await server.client().create(CONFIG_MAPS, BODY);
    expect(performance.now() - started).toBeGreaterThanOrEqual(1_000);
  });

  test('a create that no server was there for, since it cannot have arrived', async () => {
    const certificate = selfSigned();
    const gone = await FakeApiServer.start({ other: [ok] }, certificate);
    const { port } = gone;
    const client = gone.client();
    await gone.stop();
    const creating = client.create(CONFIG_MAPS, BODY);
    await sleep(100);
    const back = await FakeApiServer.start({ other: [ok] }, certificate, port);
    expect((await creating).metadata.name).toBe('x');
    expect(back.received).toHaveLength(1);
  });

  test('never beyond the deadline', async () => {
    const server = await FakeApiServer.start({ other: [status(503)] });
    await expect(server.client().get(CONFIG_MAPS, REF, { deadlineMs: 100 })).rejects.toMatchObject({ status: 503 });
    expect(server.received).toHaveLength(1);
  });

  test('not where what was applied does not fit the type: it never will', () => {
    const message = 'failed to create typed patch object (ns/w): .status.workload: field not declared in schema';
    expect(retryDelay(new ApiError(500, { message }), 1, true, 1)).toBeUndefined();
  });

  test('with waits that double up to a limit, and not for ever', () => {
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
    const waiting = server.client().get(CONFIG_MAPS, REF, { deadlineMs: 200 });
    await expect(waiting).rejects.toMatchObject({ code: 'DEADLINE', mayHaveArrived: true });
  });

  test('ends the wait for the head of a watch that is never answered, by its signal', async () => {
    const server = await FakeApiServer.start({ watch: [() => undefined] });
    const opening = server.client().watch(CONFIG_MAPS, 'd', {}, AbortSignal.timeout(100));
    await expect(opening).rejects.toThrow('timeout');
  });
});

describe('the gate', () => {
  test('keeps back what changes something, and lets reads and trials pass', async () => {
    const server = await FakeApiServer.start({ other: [ok] });
    const asked: string[] = [];
    const client = server.client({
      gate: (method, path) => {
        asked.push(`${method} ${path}`);
        throw new Error('not now');
      },
    });
    await client.get(CONFIG_MAPS, REF);
    await client.apply(CONFIG_MAPS, BODY, { fieldManager: 'f', dryRun: true });
    const writes = [
      client.create(CONFIG_MAPS, BODY),
      client.replace(CONFIG_MAPS, BODY),
      client.apply(CONFIG_MAPS, BODY, { fieldManager: 'f' }),
      client.patch(CONFIG_MAPS, REF, {}),
      client.delete(CONFIG_MAPS, REF, { uid: 'x' }),
    ];
    for (const write of await Promise.allSettled(writes)) {
      expect(write).toMatchObject({ status: 'rejected', reason: new Error('not now') });
    }
    expect(server.received).toHaveLength(2);
    expect(asked).toHaveLength(5);
    expect((await client.get(CONFIG_MAPS, REF)).metadata.name).toBe('x');
  });

  test('is asked again before a repetition', async () => {
    const server = await FakeApiServer.start({ other: [status(503), ok] });
    let asked = 0;
    const client = server.client({
      gate: () => {
        asked += 1;
        if (asked > 1) throw new Error('no longer the leader');
      },
    });
    await expect(client.apply(CONFIG_MAPS, BODY, { fieldManager: 'f' })).rejects.toThrow('no longer the leader');
    expect(server.received).toHaveLength(1);
  });
});

describe('credentials', () => {
  test('are read again, once, when the server refuses them', async () => {
    const server = await FakeApiServer.start({
      other: [(response, request) => (request.authorization === 'Bearer new' ? ok : status(401))(response, request)],
    });
    const base = { url: server.url, ca: server.certificate.cert, namespace: 'd' };
    let token = 'old';
    const source: ConnectionSource = {
      current: async () => ({ ...base, authorization: `Bearer ${token}` }),
      reload: async () => ({ ...base, authorization: `Bearer ${(token = 'new')}` }),
    };
    const client = server.client({ connection: source });
    await client.create(CONFIG_MAPS, BODY);
    expect(server.received.map(({ authorization }) => authorization)).toEqual(['Bearer old', 'Bearer new']);
    token = 'wrong';
    const refusing = server.client({ connection: { ...source, reload: () => source.current() } });
    await expect(refusing.create(CONFIG_MAPS, BODY)).rejects.toMatchObject({ status: 401 });
    expect(server.received).toHaveLength(4);
  });

  test('include the CA, which is read again when the server has a new one', async () => {
    const server = await FakeApiServer.start({ other: [ok] });
    const old = { url: server.url, ca: selfSigned().cert, namespace: 'd' };
    let connection: Connection = old;
    const source: ConnectionSource = {
      current: async () => connection,
      reload: async () => (connection = { ...old, ca: server.certificate.cert }),
    };
    const client = server.client({ connection: source });
    expect((await client.create(CONFIG_MAPS, BODY)).kind).toBe('ConfigMap');
    expect(server.received).toHaveLength(1);
  });

  test('that cannot be read again stay as they were, and many who ask at once read once', async () => {
    let reads = 0;
    const source = new CachedConnection(async () => {
      reads += 1;
      if (reads > 1) throw new Error('no such file');
      return { url: 'a', namespace: 'd' };
    }, 0);
    await Promise.all([source.current(), source.current(), source.current()]);
    expect(reads).toBe(1);
    expect((await source.current()).url).toBe('a');
    expect(reads).toBe(2);
  });

  test('of a pod come from its mounted files', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'mount-'));
    onTestFinished(() => rm(directory, { recursive: true }));
    await Promise.all([
      writeFile(join(directory, 'token'), 'secret\n'),
      writeFile(join(directory, 'ca.crt'), 'PEM'),
      writeFile(join(directory, 'namespace'), 'trunnion-system'),
    ]);
    const source = connect({ from: 'cluster', directory, host: 'fd00::1', port: '443' });
    expect(await source.current()).toEqual({
      url: 'https://[fd00::1]:443',
      ca: 'PEM',
      authorization: 'Bearer secret',
      namespace: 'trunnion-system',
    });
    await expect(connect({ from: 'cluster', directory }).current()).rejects.toThrow('not in a cluster');
  });
});

describe('an error', () => {
  test.each([
    [
      'a Status',
      status(403, { reason: 'Forbidden', message: 'no rights', details: { kind: 'pods' } }),
      { reason: 'Forbidden', message: 'no rights', details: { kind: 'pods' } },
    ],
    [
      'a page of HTML',
      (response) => response.writeHead(403).end('<html><style>p{}</style><h1>Access\n denied</h1></html>'),
      { reason: 'Forbidden', message: 'Access denied' },
    ],
    [
      'nothing',
      (response) => response.writeHead(404).end(),
      { reason: 'NotFound', message: 'the API server answered 404 NotFound' },
    ],
    ['JSON that is no Status', json([1], 404), { reason: 'NotFound', message: '[1]' }],
  ] as const satisfies readonly (readonly [string, Reply, object])[])(
    'tells what the server said with %s',
    async (_what, reply, expected) => {
      const server = await FakeApiServer.start({ other: [reply] });
      await expect(server.client().get(CONFIG_MAPS, REF)).rejects.toMatchObject(expected);
    },
  );

  test('is none where an object may be missing', async () => {
    const server = await FakeApiServer.start({ other: [status(404)] });
    expect(await server.client().find(CONFIG_MAPS, REF)).toBeUndefined();
    expect(await server.client().delete(CONFIG_MAPS, REF, { uid: 'x' })).toBeUndefined();
  });
});

test('what is sent is what Kubernetes expects', async () => {
  const server = await FakeApiServer.start({ other: [ok] });
  const observed: Observation[] = [];
  const client = server.client({ observe: (observation) => observed.push(observation) });
  await client.apply(CONFIG_MAPS, BODY, { fieldManager: 'trunnion', force: true, subresource: 'status' });
  await client.patch(CONFIG_MAPS, REF, { a: null });
  await client.patch(CONFIG_MAPS, REF, []);
  await client.delete(CONFIG_MAPS, REF, { uid: 'u', resourceVersion: '7', propagationPolicy: 'Background' });
  const sent = server.received.map(({ method, path, query, contentType }) => [
    method,
    `${path}?${query.toString()}`,
    contentType,
  ]);
  const path = '/api/v1/namespaces/d/configmaps/x';
  expect(sent).toEqual([
    ['PATCH', `${path}/status?force=true&fieldManager=trunnion`, 'application/apply-patch+yaml'],
    ['PATCH', `${path}?`, 'application/merge-patch+json'],
    ['PATCH', `${path}?`, 'application/json-patch+json'],
    ['DELETE', `${path}?`, 'application/json'],
  ]);
  expect(JSON.parse(server.received[3]?.body ?? '')).toMatchObject({
    preconditions: { uid: 'u', resourceVersion: '7' },
    propagationPolicy: 'Background',
  });
  expect(observed.map(({ verb, resource, code }) => `${verb} ${resource} ${code}`)).toEqual([
    'apply configmaps/status 200',
    'patch configmaps 200',
    'patch configmaps 200',
    'delete configmaps 200',
  ]);
});
