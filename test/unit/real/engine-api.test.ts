import { expect, test } from 'vitest';
import { eventsOf, MODEL, post, startEngine } from './support/engine.ts';

const chat = { messages: [{ role: 'user', content: 'one two' }] };

test('a completion has as many tokens as were asked for, or ends by itself', async () => {
  const { url } = await startEngine([], { LIGHT_EOS_AFTER: '4' });
  const answers = await Promise.all(
    [
      { prompt: 'one two', max_tokens: 3 },
      { prompt: 'one two', max_tokens: 6 },
      { prompt: 'one two', max_tokens: 6, ignore_eos: true },
      { prompt: 'one two', ignore_eos: true },
    ].map(async (body) => (await post(`${url}/v1/completions`, body)).json()),
  );
  expect(answers).toMatchObject([
    { choices: [{ text: 't1 t2 t3', finish_reason: 'length' }], usage: { prompt_tokens: 2, completion_tokens: 3 } },
    { choices: [{ finish_reason: 'stop' }], usage: { completion_tokens: 4 } },
    { choices: [{ finish_reason: 'length' }], usage: { completion_tokens: 6 } },
    // vLLM's own default for completions.
    { choices: [{ finish_reason: 'length' }], usage: { completion_tokens: 16 } },
  ]);
});

test('chat answers with a message, and a stream of it begins with the role', async () => {
  const { url } = await startEngine();
  const whole = await post(`${url}/v1/chat/completions`, { ...chat, max_tokens: 2 });
  expect(await whole.json()).toMatchObject({
    object: 'chat.completion',
    model: MODEL,
    choices: [{ message: { role: 'assistant', content: 't1 t2' }, finish_reason: 'length' }],
  });
  const options = { stream: true, stream_options: { include_usage: true } };
  const streamed = await post(`${url}/v1/chat/completions`, { ...chat, ...options, max_tokens: 2 });
  expect(streamed.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  expect(await eventsOf(streamed)).toMatchObject([
    { choices: [{ delta: { role: 'assistant', content: '' }, finish_reason: null }] },
    { choices: [{ delta: { content: 't1' }, finish_reason: null }] },
    { choices: [{ delta: { content: ' t2' }, finish_reason: 'length' }] },
    { choices: [], usage: { completion_tokens: 2 } },
  ]);
});

test('a stream of a completion has a piece for each token, and no usage that nobody asked for', async () => {
  const { url } = await startEngine();
  const events = await eventsOf(await post(`${url}/v1/completions`, { prompt: 'x', max_tokens: 3, stream: true }));
  expect(events.map(({ choices }) => choices[0]?.text)).toEqual(['t1', ' t2', ' t3']);
  expect(events.every(({ usage }) => usage === undefined)).toBe(true);
});

test('it tells its model, its version and its health', async () => {
  const { url } = await startEngine(['--max-model-len=128']);
  expect(await (await fetch(`${url}/v1/models`)).json()).toMatchObject({
    object: 'list',
    data: [{ id: MODEL, object: 'model', owned_by: 'vllm', max_model_len: 128 }],
  });
  expect(await (await fetch(`${url}/version`)).json()).toEqual({ version: '0.30.0' });
  const health = await fetch(`${url}/health`);
  expect([health.status, await health.text()]).toEqual([200, '']);
});

test.for([
  ['another model', { model: 'other', prompt: 'x' }, 404, 'The model `other` does not exist.'],
  ['no prompt', {}, 400, 'Either prompt or prompt_embeds must be provided'],
  ['no token', { prompt: 'x', max_tokens: 0 }, 400, 'max_tokens must be at least 1, got 0.'],
  ['a prompt that is too long', { prompt: 'x '.repeat(200) }, 400, 'exceeds model'],
] as const)('it refuses %s as vLLM does', async ([, body, code, message]) => {
  const { url } = await startEngine(['--max-model-len=128']);
  const response = await post(`${url}/v1/completions`, body);
  expect(response.status).toBe(code);
  expect(await response.json()).toMatchObject({ error: { code, message: expect.stringContaining(message) } });
});

test('it refuses a body that is no JSON or does not say so, and a path that it does not have', async () => {
  const { url } = await startEngine();
  const ask = (type: string, body: string) =>
    fetch(`${url}/v1/completions`, { method: 'POST', headers: { 'Content-Type': type }, body });
  expect((await ask('application/json', '{')).status).toBe(400);
  const plain = await ask('text/plain', JSON.stringify({ model: MODEL, prompt: 'x' }));
  expect([plain.status, await plain.text()]).toEqual([400, expect.stringContaining('Unsupported Media Type')]);
  const nothing = await fetch(`${url}/v1/nothing`);
  expect([nothing.status, await nothing.json()]).toEqual([404, { detail: 'Not Found' }]);
  expect((await fetch(`${url}/hidden/unhealthy`, { method: 'POST' })).status).toBe(404);
});
