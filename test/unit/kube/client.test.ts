import { describe, expect, test } from 'vitest';
import type { Observation } from '../../../operator/kube/index.ts';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';
import { BODY, ok, REF } from './support/config-maps.ts';
import { FakeApiServer, json, type Reply, status } from './support/fake-api-server.ts';

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
    await client.get(TYPES.configMap, REF);
    await client.apply(TYPES.configMap, BODY, { fieldManager: 'f', dryRun: true });
    const writes = [
      client.create(TYPES.configMap, BODY),
      client.replace(TYPES.configMap, BODY),
      client.apply(TYPES.configMap, BODY, { fieldManager: 'f' }),
      client.patch(TYPES.configMap, REF, {}),
      client.delete(TYPES.configMap, REF, { uid: 'x' }),
    ];
    for (const write of await Promise.allSettled(writes)) {
      expect(write).toMatchObject({ status: 'rejected', reason: new Error('not now') });
    }
    expect(server.received).toHaveLength(2);
    expect(asked).toHaveLength(5);
    expect((await client.get(TYPES.configMap, REF)).metadata.name).toBe('x');
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
    await expect(client.apply(TYPES.configMap, BODY, { fieldManager: 'f' })).rejects.toThrow('no longer the leader');
    expect(server.received).toHaveLength(1);
  });
});

describe('a client with options of its own', () => {
  test('has the connections of the first one, and ends with its signal', async () => {
    const server = await FakeApiServer.start({ other: [ok, () => undefined] });
    const client = server.client();
    const ending = new AbortController();
    const bound = client.with({ signal: ending.signal });
    await bound.get(TYPES.configMap, REF);
    const asked = bound.get(TYPES.configMap, REF);
    ending.abort(new Error('enough'));
    await expect(asked).rejects.toThrow('enough');
    expect(server.connections).toBe(1);
  });

  test('takes those of a call before its own', async () => {
    const server = await FakeApiServer.start({ other: [status(503), ok] });
    const bound = server.client().with({ retry: false });
    await expect(bound.get(TYPES.configMap, REF)).rejects.toMatchObject({ status: 503 });
    expect(await bound.get(TYPES.configMap, REF, { retry: true })).toBeDefined();
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
      await expect(server.client().get(TYPES.configMap, REF)).rejects.toMatchObject(expected);
    },
  );

  test('is none where an object may be missing', async () => {
    const server = await FakeApiServer.start({ other: [status(404)] });
    expect(await server.client().find(TYPES.configMap, REF)).toBeUndefined();
    expect(await server.client().delete(TYPES.configMap, REF, { uid: 'x' })).toBeUndefined();
  });
});

test('what is sent is what Kubernetes expects', async () => {
  const server = await FakeApiServer.start({ other: [ok] });
  const observed: Observation[] = [];
  const client = server.client({ observe: (observation) => observed.push(observation) });
  await client.apply(TYPES.configMap, BODY, { fieldManager: 'trunnion', force: true, subresource: 'status' });
  await client.patch(TYPES.configMap, REF, { a: null });
  await client.patch(TYPES.configMap, REF, []);
  await client.delete(TYPES.configMap, REF, { uid: 'u', resourceVersion: '7', propagationPolicy: 'Background' });
  const sent = server.received.map(({ method, path, query, contentType }) => [
    method,
    `${path}?${query.toString()}`,
    contentType,
  ]);
  const path = '/api/v1/namespaces/d/configmaps/x';
  expect(sent).toEqual([
    ['PATCH', `${path}/status?force=true&fieldValidation=Ignore&fieldManager=trunnion`, 'application/apply-patch+yaml'],
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
