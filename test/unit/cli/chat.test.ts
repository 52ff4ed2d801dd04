import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { Readable } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { ask } from '../../../cli/chat/ask.ts';
import { events } from '../../../cli/chat/events.ts';
import { wordsOfFigures } from '../../../cli/chat/figures.ts';
import { type Api, bodyOf, CHAT, COMPLETIONS } from '../../../cli/chat/question.ts';
import { event, piece, stream } from './support/engines.ts';

const QUESTION = { model: 'tiny', messages: [{ role: 'user', content: 'Hello?' }] } as const;

/** Asks a server that answers as `chat` says. */
async function askServer(chat: RequestListener, api: Api = CHAT, quietSeconds = 10) {
  const server = createServer(chat);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  let [text, thought] = ['', ''];
  const there = async () => connect((server.address() as AddressInfo).port, '127.0.0.1');
  const answer = await ask({ connect: there, quietSeconds }, api, QUESTION, {
    write: (one) => (text += one),
    think: (one) => (thought += one),
    signal: AbortSignal.timeout(10_000),
  });
  expect(answer.text).toBe(text);
  return { ...answer, thought };
}

test('an answer is written while it comes, and its tokens are those that the server counts', async () => {
  const answer = await askServer((_, response) =>
    stream(
      response,
      piece('Hel'),
      piece('lo.'),
      event({ choices: [{ delta: {}, finish_reason: 'length' }] }),
      event({ choices: [], usage: { completion_tokens: 7 } }),
      event('[DONE]'),
    ),
  );
  expect(answer).toMatchObject({ text: 'Hello.', tokens: 7, ending: 'length', hasThought: false });
});

test('a server that counts no tokens has one for each piece', async () => {
  const { tokens } = await askServer((_, response) => stream(response, piece('a'), piece('b'), event('[DONE]')));
  expect(tokens).toBe(2);
});

test('what a model thinks before it answers is told apart, by both names that engines have for it', async () => {
  const answer = await askServer((_, response) =>
    stream(
      response,
      event({ choices: [{ delta: { reasoning: 'Hm' } }] }),
      event({ choices: [{ delta: { reasoning_content: '…' } }] }),
      piece('Yes.'),
      event('[DONE]'),
    ),
  );
  expect(answer).toMatchObject({ text: 'Yes.', thought: 'Hm…', hasThought: true, tokens: 3 });
});

test('what a model writes can not steer the terminal', async () => {
  const { text } = await askServer((_, response) => stream(response, piece('\u001B]0;mine\u0007ok'), event('[DONE]')));
  expect(text).toBe('\u241B]0;mine\u2407ok');
});

test('a server that sends no stream is understood too', async () => {
  const whole = { choices: [{ message: { content: 'Hello.' } }], usage: { completion_tokens: 3 } };
  const answer = await askServer((_, response) =>
    response.setHeader('content-type', 'application/json').end(JSON.stringify(whole)),
  );
  expect(answer).toMatchObject({ text: 'Hello.', tokens: 3 });
});

test('a continued text is read from where completions have it', async () => {
  const answer = await askServer(
    (_, response) => stream(response, event({ choices: [{ text: ' there' }] }), event('[DONE]')),
    COMPLETIONS,
  );
  expect(answer.text).toBe(' there');
});

test.for<[string, string, string]>([
  ['text/plain', 'It is open.', 'It is open.'],
  ['application/json', '{"answer":"open"}', '{\n  "answer": "open"\n}'],
])('what an agent with an HTTP of its own sends as %s is taken as it is', async ([type, sent, text]) => {
  const own = { form: 'own', path: '/ask', field: 'question' } as const;
  const answer = await askServer((_, response) => response.setHeader('content-type', type).end(sent), own);
  expect(answer.text).toBe(text);
  expect(answer.tokens).toBeUndefined();
});

test.for<[string, RequestListener, string]>([
  [
    'refuses',
    (_, response) => response.writeHead(400).end('{"error":{"message":"max_tokens is too large"}}'),
    'the server answers /v1/chat/completions with status 400: max_tokens is too large',
  ],
  ['has no such API', (_, response) => response.writeHead(404).end('Not Found'), 'with status 404: Not Found'],
  [
    'asks for a key',
    (_, response) => response.writeHead(401).end('{"error":"Unauthorized"}'),
    'with status 401: Unauthorized; it asks for an API key, or for another one: put it in a variable, and name that with --api-key-env',
  ],
  ['breaks off', (_, response) => stream(response, piece('Hel')), 'the answer broke off: the server ended it'],
  [
    'gives up',
    (_, response) =>
      stream(response, piece('Hel'), event({ choices: [{ delta: {}, finish_reason: 'abort' }] }), event('[DONE]')),
    'the answer broke off: the server ended it with "abort"; trunnion status says how it is',
  ],
  [
    'loses its connection',
    (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(piece('Hel'), () => response.destroy());
    },
    'the answer broke off: the connection to the pod ended',
  ],
  ['hangs up', (_, response) => response.destroy(), 'there is no answer: the connection to the pod ended'],
  [
    'fails in the middle',
    (_, response) => stream(response, piece('H'), event({ error: { message: 'OOM' } })),
    'the server says: OOM',
  ],
  [
    'sends no JSON',
    (_, response) => stream(response, event('<html>')),
    'does not have the form of OpenAI’s HTTP: <html>',
  ],
  [
    'answers otherwise',
    (_, response) => response.setHeader('content-type', 'application/json').end('{"answer":"open"}'),
    'for one of its own, say --path and --field',
  ],
  ['is silent', () => undefined, 'the server sent nothing for 0.2 s. It may be busy, or hang: --timeout waits longer'],
  [
    'falls silent',
    (_, response) => void response.writeHead(200, { 'content-type': 'text/event-stream' }).write(piece('Hel')),
    'the server sent nothing for 0.2 s',
  ],
])('a server that %s is told in one sentence', async ([, chat, message]) => {
  await expect(askServer(chat, CHAT, 0.2)).rejects.toThrow(message.replace('’', "'"));
});

test('an event without an end fills no memory', async () => {
  const endless = Readable.from(Array.from({ length: 40 }, () => `data: ${'x'.repeat(60_000)}`));
  await expect(Array.fromAsync(events(endless))).rejects.toThrow('longer than 1 MiB');
});

test.for<[string, Parameters<typeof bodyOf>, object]>([
  [
    'chat',
    [CHAT, { ...QUESTION, maxTokens: 5, temperature: 0 }],
    { model: 'tiny', messages: QUESTION.messages, max_tokens: 5, temperature: 0 },
  ],
  ['chat without a model', [CHAT, { messages: QUESTION.messages }], { messages: QUESTION.messages }],
  [
    'a continued text, which would not end by itself',
    [COMPLETIONS, { model: 'tiny', messages: [{ role: 'system', content: 'Be short.' }, ...QUESTION.messages] }],
    { model: 'tiny', prompt: 'Be short.\n\nHello?', max_tokens: 256 },
  ],
])('what is sent for %s', ([, given, body]) => {
  expect(bodyOf(...given)).toEqual({ ...body, stream: true, stream_options: { include_usage: true } });
});

test('an HTTP of its own gets the prompt in its field and nothing else', () => {
  expect(bodyOf({ form: 'own', path: '/ask', field: 'question' }, QUESTION)).toEqual({ question: 'Hello?' });
});

test('a rate is told of what comes after the first token', () => {
  expect(wordsOfFigures({ tokens: 41, firstTokenSeconds: 0.5, streamSeconds: 2 })).toBe(
    '41 tokens, the first after 0.50 s, then 20.0 tokens a second',
  );
  expect(wordsOfFigures({ tokens: 1, firstTokenSeconds: 0.5, streamSeconds: 0 })).toBe(
    '1 token, the first after 0.50 s',
  );
  expect(wordsOfFigures({ firstTokenSeconds: 0.5, streamSeconds: 1 })).toBe('all of it after 1.50 s');
});
