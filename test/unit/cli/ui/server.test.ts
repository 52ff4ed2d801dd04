import { get, type IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import type { Detail, Overview } from '../../../../cli/ui/api.ts';
import { UiServer } from '../../../../cli/ui/server.ts';
import { connect, KubeClient } from '../../../../operator/kube/index.ts';
import { itemsOf } from '../support/forwarding-cluster.ts';
import { live, pod, READY_POD } from '../support/objects.ts';
import { LLAMA, OURS, PODS, served } from './support/model.ts';

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

test('a thousand resources cost as many requests as one, and pages that ask together share them', async () => {
  const many = Array.from({ length: 1_000 }, (_, i) => live('trunnion.dev/v1alpha1', 'ModelServing', `llama-${i}`));
  const pages = [await served(), await served({}, { [`${OURS}/modelservings`]: itemsOf(...many) })] as const;
  for (const page of pages) {
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => page.ask('/api/overview?namespace=models').then(({ body }) => body)),
    );
    expect(new Set(answers).size).toBe(1);
    expect(page.cluster.asked.filter((path) => path.endsWith('/modelservings'))).toHaveLength(1);
  }
  const [few, all] = pages.map(({ cluster }) => cluster.asked.toSorted());
  expect(all).toEqual(few);
  expect(all?.length).toBeLessThan(12);
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

test('a search is drawn, and says that it is one', async () => {
  const tuning = {
    objective: { metric: 'accuracy', goal: 'maximize' },
    maxTrials: 4,
    parameters: { lr: { min: 0.1, max: 1 } },
  };
  const trials = [{ number: 1, phase: 'Completed', value: 0.5, assignments: { lr: '0.5' } }];
  const counts = { running: 0, succeeded: 1, failed: 0 };
  const search = live('trunnion.dev/v1alpha1', 'DistributedTraining', 'search', {
    spec: { tuning },
    status: { phase: 'Running', tuning: { ...counts, trials } },
  });
  const page = await served({}, { [`${OURS}/distributedtrainings/search`]: search });
  const { status, headers, body } = await page.ask(
    '/api/search.svg?kind=DistributedTraining&namespace=models&name=search',
  );
  expect({ status, type: headers['content-type'] }).toEqual({ status: 200, type: 'image/svg+xml; charset=utf-8' });
  expect(body).toMatch(/<svg[^]*accuracy/);
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

test('no more than twenty streams of logs are open, and one that is left makes room', async () => {
  const page = await served();
  const open = () =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const headers = { authorization: `Bearer ${page.token}` };
      const where = { host: '127.0.0.1', port: page.port, path: `/api/logs${LLAMA}` };
      get({ ...where, headers, agent: false }, resolve).on('error', reject);
    });
  const all = await Promise.all(Array.from({ length: 20 }, open));
  for (const each of all) each.on('error', () => undefined);
  expect(all.map(({ statusCode }) => statusCode)).toEqual(Array.from({ length: 20 }, () => 200));
  const { status, body } = await page.ask(`/api/logs${LLAMA}`);
  expect(status).toBe(429);
  expect(JSON.parse(body)).toEqual({ error: '20 streams of logs are open: close a page, or end one of them' });
  all[0]?.destroy();
  await expect.poll(async () => (await open()).statusCode, { timeout: 10_000 }).toBe(200);
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
