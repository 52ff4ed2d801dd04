import { request } from 'node:http';
import { expect, test } from 'vitest';
import type { ChatPiece } from '../../../../cli/ui/api.ts';
import { ECHO, engineOf, event, models, piece, refusal, stream } from '../support/engines.ts';
import { live } from '../support/objects.ts';
import { LLAMA, OURS, served, serving, spec } from './support/model.ts';

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

test('the key of an engine is read with the rights of the user, and never reaches the page', async () => {
  const env = [{ name: 'VLLM_API_KEY', valueFrom: { secretKeyRef: { name: 'keys', key: 'api' } } }];
  const guarded = engineOf({
    '/v1/models': models('llama'),
    '/v1/chat/completions': (response, _, { headers }) =>
      headers.authorization === 'Bearer s3cr3t'
        ? stream(response, piece('Come in.'), event('[DONE]'))
        : refusal(response, 401, 'Unauthorized'),
  });
  const secret = live('v1', 'Secret', 'keys', { data: { api: btoa('s3cr3t') } });
  const objects = {
    [`${OURS}/modelservings/llama`]: serving({ spec: { ...spec, env } }),
    '/api/v1/namespaces/models/secrets/keys': secret,
  };
  const page = await served({ 'llama-0': guarded }, objects);
  const answers = [
    await page.ask('/api/chat', ask('Hello?')),
    await page.ask(`/api/resource${LLAMA}`),
    await page.ask('/api/overview?namespace=models'),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(answers[0]?.body).toContain('Come in.');
  expect(answers.map(({ body }) => body).join('')).not.toMatch(/s3cr3t|czNjcjN0/);
  const hidden = await served({ 'llama-0': guarded }, { ...objects, '/api/v1/namespaces/models/secrets/keys': 403 });
  const refused = await hidden.ask('/api/chat', ask('Hello?'));
  expect(refused.status).toBe(502);
  expect(JSON.parse(refused.body).error).toMatch(
    /--api-key-env \(options are of the command: trunnion chat modelserving\/llama -n models\)$/,
  );
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
