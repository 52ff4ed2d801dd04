import { request } from 'node:http';
import { expect, test } from 'vitest';
import type { ChatPiece, Detail, Overview } from '../../../../cli/ui/api.ts';
import { UiServer } from '../../../../cli/ui/server.ts';
import { connect, KubeClient } from '../../../../operator/kube/index.ts';
import { ECHO, engineOf, models, piece } from '../support/engines.ts';
import { itemsOf, type PodPort } from '../support/forwarding-cluster.ts';
import { live, pod, READY_POD } from '../support/objects.ts';
import { Served } from './support/served.ts';

const OURS = '/apis/trunnion.dev/v1alpha1/namespaces/models';
const PODS = '/api/v1/namespaces/models/pods';
const LLAMA = '?kind=ModelServing&namespace=models&name=llama';
const spec = { engine: { type: 'vllm' }, model: { uri: 'hf://a/b' } };
const status = {
  phase: 'Running',
  selector: 'app=llama',
  readyReplicas: 1,
  conditions: [
    { type: 'Available', status: 'True', reason: 'Available', message: '' },
    { type: 'Ready', status: 'True', reason: 'Ready', message: 'It \u001b[31manswers\u202e.' },
  ],
};

const serving = (fields: object = {}) =>
  live('trunnion.dev/v1alpha1', 'ModelServing', 'llama', { spec, status, ...fields });

/** The types of all that a resource may have, with nothing of them there. */
const EMPTY = Object.fromEntries(
  [
    ...['serviceaccounts', 'configmaps', 'persistentvolumeclaims', 'services', 'events'].map(
      (name) => `/api/v1/${name}`,
    ),
    ...['deployments', 'replicasets'].map((name) => `/apis/apps/v1/${name}`),
    ...['networkpolicies', 'ingresses'].map((name) => `/apis/networking.k8s.io/v1/${name}`),
    '/apis/batch/v1/jobs',
    '/apis/policy/v1/poddisruptionbudgets',
    '/apis/autoscaling/v2/horizontalpodautoscalers',
    '/apis/discovery.k8s.io/v1/endpointslices',
  ].map((path) => [path.replace(/[^/]+$/, 'namespaces/models/$&'), itemsOf()]),
);

/** A server on a cluster with a model, whose pods are those that have a port. */
const served = (
  ports: Readonly<Record<string, PodPort>> = {},
  objects: Readonly<Record<string, object | number>> = {},
) =>
  Served.start({
    ports,
    objects: {
      ...EMPTY,
      [`${OURS}/modelservings`]: itemsOf(serving()),
      [`${OURS}/agentservices`]: itemsOf(),
      [`${OURS}/distributedtrainings`]: itemsOf(),
      [`${OURS}/modelservings/llama`]: serving(),
      [PODS]: itemsOf(...Object.keys(ports).map((name) => pod(name, READY_POD))),
      ...objects,
    },
  });

test('the page, its script and its style need no token, and let nothing else in', async () => {
  const page = await served();
  for (const [path, type] of [
    ['/', 'text/html; charset=utf-8'],
    ['/app.js', 'text/javascript; charset=utf-8'],
    ['/app.css', 'text/css; charset=utf-8'],
  ] as const) {
    const { status, headers } = await page.askBare(path);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': type,
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    });
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
  }
});

test('the token is of 256 bits, another one in each run, and stands where no browser sends it', async () => {
  const [one, other] = [await served(), await served()];
  expect(Buffer.from(one.token, 'base64url')).toHaveLength(32);
  expect(one.token).not.toBe(other.token);
  expect(one.server.url).toBe(`http://127.0.0.1:${one.port}/#token=${one.token}`);
});

test('a refusal is one sentence, and ends the connection', async () => {
  const page = await served();
  const { status, headers, body } = await page.askBare('/api/session');
  expect(status).toBe(401);
  expect(headers).toMatchObject({ connection: 'close', 'www-authenticate': 'Bearer', 'cache-control': 'no-store' });
  expect(JSON.parse(body)).toEqual({
    error: 'the token is missing, or of an earlier run: open the URL that trunnion ui has printed',
  });
});

test('the session says whose cluster it is', async () => {
  const { body } = await (await served()).ask('/api/session');
  expect(JSON.parse(body)).toEqual({ version: '1.2.3', context: 'a', server: 'https://x', namespace: 'models' });
});

test('the overview has a plain line for each resource, and is sent again only where it changed', async () => {
  const page = await served();
  const { status, headers, body } = await page.ask('/api/overview?namespace=models');
  expect(status).toBe(200);
  expect(JSON.parse(body) satisfies Overview).toEqual({
    resources: [
      {
        kind: 'ModelServing',
        namespace: 'models',
        name: 'llama',
        phase: 'Running',
        message: 'It answers\ufffd.',
        state: 'ok',
        createdAt: '2026-01-01T00:00:00Z',
      },
    ],
    notes: [],
  });
  const again = await page.ask('/api/overview?namespace=models', {
    headers: { 'if-none-match': String(headers['etag']) },
  });
  expect(again).toMatchObject({ status: 304, body: '' });
});

test('what may not be seen is the sentence of the command', async () => {
  const page = await served({}, { [`${OURS}/modelservings/llama`]: 403 });
  const { status, body } = await page.ask(`/api/resource${LLAMA}`);
  expect(status).toBe(502);
  expect(JSON.parse(body).error).toMatch(/is forbidden/);
});

test('the detail of a resource has its tree, its pods, and whether it can be asked', async () => {
  const owned = pod('llama-0', READY_POD, {
    metadata: {
      labels: {
        'app.kubernetes.io/part-of': 'trunnion',
        'app.kubernetes.io/name': 'model-serving',
        'app.kubernetes.io/instance': 'llama',
      },
    },
  });
  const page = await served({}, { [PODS]: itemsOf(owned) });
  const { status, body } = await page.ask(`/api/resource${LLAMA}`);
  expect({ status, body }).toMatchObject({ status: 200 });
  const detail = JSON.parse(body) as Detail;
  expect(detail).toMatchObject({
    status: { kind: 'ModelServing', name: 'llama', phase: 'Running' },
    state: 'ok',
    attempts: [],
    events: [],
    pods: [{ name: 'llama-0', containers: ['server'] }],
    isSearch: false,
    chat: { ready: true },
  });
});

test('a resource that is not there, and a search that is none, are not found', async () => {
  const page = await served();
  const none = await page.ask('/api/resource?kind=ModelServing&namespace=models&name=other');
  expect(none.status).toBe(404);
  expect(JSON.parse(none.body)).toEqual({ error: 'there is no ModelServing models/other' });
  const search = await page.ask(`/api/search.svg${LLAMA}`);
  expect(search).toMatchObject({
    status: 404,
    body: '{"error":"ModelServing llama is no search: it has no spec.tuning"}',
  });
});

test('a cluster that does not answer is named, with its context and file', async () => {
  const connection = connect({ from: 'kubeconfig', path: (await served()).cluster.kubeconfig });
  const dead = { ...(await connection.current()), url: 'https://127.0.0.1:1' };
  const source = { current: () => Promise.resolve(dead), reload: () => Promise.resolve(dead) };
  const client = new KubeClient({ connection: source, patient: false });
  const session = { version: '', context: '', server: '', namespace: null };
  const server = await UiServer.start({ client, connection: source, operatorNamespace: 'o', session }, 0);
  const url = new URL(server.url);
  const response = await fetch(new URL('/api/overview', url), {
    headers: { authorization: `Bearer ${url.hash.slice('#token='.length)}` },
  });
  expect(response.status).toBe(502);
  expect(await response.json()).toEqual({
    error: expect.stringMatching(
      /^no answer from the API server https:\/\/127\.0\.0\.1:1 \(context "a" of .*\): nothing listens there/,
    ),
  });
  await server.close();
  await client.close();
});

const ask = (...contents: readonly string[]) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({
    kind: 'ModelServing',
    namespace: 'models',
    name: 'llama',
    messages: contents.map((content) => ({ role: 'user', content })),
  }),
});

const pieces = (body: string): readonly ChatPiece[] =>
  body
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as ChatPiece);

test('a question is answered piece by piece, and its end says how', async () => {
  const page = await served({ 'llama-0': ECHO });
  const { status, headers, body } = await page.ask('/api/chat', ask('Hello?', 'Are you there?'));
  expect(status).toBe(200);
  expect(headers['content-type']).toBe('application/x-ndjson; charset=utf-8');
  const all = pieces(body);
  expect(all.flatMap((each) => ('text' in each ? each.text : [])).join('')).toBe('2: Are you there?');
  expect(all.at(-1)).toMatchObject({ ending: 'stop', tokens: 9, seconds: expect.any(Number) });
});

test('what goes wrong before the first piece has a status; later it is the last piece', async () => {
  const none = await (await served()).ask('/api/chat', ask('Hello?'));
  expect(none.status).toBe(502);
  expect(JSON.parse(none.body).error).toContain('no pod of modelserving/llama is ready');
  const breaking = engineOf({
    '/v1/models': models('llama'),
    '/v1/chat/completions': (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(piece('It '), () => response.destroy());
    },
  });
  const { status, body } = await (await served({ 'llama-0': breaking })).ask('/api/chat', ask('Hello?'));
  expect(status).toBe(200);
  expect(pieces(body)).toEqual([{ text: 'It ' }, { error: expect.stringContaining('the answer broke off') }]);
});

test.for([
  ['{', 'the body must be JSON'],
  ['{"kind":"ModelServing","namespace":"models","name":"llama","messages":[]}', 'messages: '],
  [
    '{"kind":"ModelServing","namespace":"../x","name":"llama","messages":[{"role":"user","content":"a"}]}',
    'namespace must',
  ],
  [
    '{"kind":"Pod","namespace":"models","name":"llama","messages":[{"role":"user","content":"a"}]}',
    'kind must be one of',
  ],
  [
    '{"kind":"ModelServing","namespace":"models","name":"llama","messages":[{"role":"assistant","content":"a"}]}',
    'messages: ',
  ],
  [
    '{"kind":"ModelServing","namespace":"models","name":"llama","messages":[{"role":"tool","content":"a"}]}',
    'messages.0.role: ',
  ],
] as const)('a question that is %s is refused', async ([body, words]) => {
  const answer = await (await served()).ask('/api/chat', { ...ask(), body });
  expect(answer.status).toBe(400);
  expect(JSON.parse(answer.body).error).toContain(words);
});

test('a body that is larger than a MiB is refused, said or not', async () => {
  const page = await served();
  const large = 'x'.repeat(2 ** 20 + 1);
  const { status } = await page.ask('/api/chat', { ...ask(), body: large });
  expect(status).toBe(413);
  const headers = { ...ask().headers, 'transfer-encoding': 'chunked' };
  expect(await page.ask('/api/chat', { ...ask(), headers, body: large })).toMatchObject({ status: 413 });
});

test('no more than four questions are open, and the end of the server ends them at once', async () => {
  const page = await served({ 'llama-0': 'silent' });
  const open = Array.from({ length: 4 }, () => page.ask('/api/chat', ask('Hello?')).catch(() => 'ended'));
  await expect.poll(() => page.cluster.connected.length, { timeout: 10_000 }).toBe(4);
  const { status, body } = await page.ask('/api/chat', ask('Hello?'));
  expect(status).toBe(429);
  expect(JSON.parse(body).error).toContain('4 questions are open');
  const began = performance.now();
  await page.server.close();
  expect(await Promise.all(open)).toEqual(['ended', 'ended', 'ended', 'ended']);
  expect(performance.now() - began).toBeLessThan(1_000);
});

test('a browser that goes away ends its question', async () => {
  const page = await served({ 'llama-0': 'silent' });
  const { headers, body } = ask('Hello?');
  const options = { host: '127.0.0.1', port: page.port, path: '/api/chat', method: 'POST' };
  const leave = () => {
    const asked = request({ ...options, headers: { ...headers, authorization: `Bearer ${page.token}` } });
    asked.on('error', () => undefined).end(body);
    return asked;
  };
  for (let count = 1; count <= 6; count += 1) {
    const asked = leave();
    await expect.poll(() => page.cluster.connected.length, { timeout: 10_000 }).toBe(count);
    const closed = new Promise((resolve) => asked.once('close', resolve));
    asked.destroy();
    await closed;
  }
});

test('a port that is taken is told, with what to do', async () => {
  const { port, cluster } = await served();
  const connection = connect({ from: 'kubeconfig', path: cluster.kubeconfig });
  const client = new KubeClient({ connection, patient: false });
  const session = { version: '', context: '', server: '', namespace: null };
  await expect(UiServer.start({ client, connection, operatorNamespace: 'o', session }, port)).rejects.toThrow(
    `port ${port} is in use: choose another one by --port, or leave it out for one that is free`,
  );
  await client.close();
});
