import { once } from 'node:events';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { Readable } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { ask, wordsOfFigures } from '../../../cli/chat/ask.ts';
import { events } from '../../../cli/chat/events.ts';

/** Asks a server whose chat answers as `chat` says. */
async function askServer(chat: RequestListener) {
  const server = createServer((request, response) => {
    if (request.url === '/v1/models') response.end('{"data":[{"id":"tiny"}]}');
    else chat(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  let text = '';
  const figures = await ask(async () => connect((server.address() as AddressInfo).port, '127.0.0.1'), {
    prompt: 'Hello?',
    maxTokens: 5,
    write: (piece) => (text += piece),
    signal: AbortSignal.timeout(10_000),
  });
  return { text, figures };
}

const event = (data: unknown) => `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;
const piece = (content: string) => event({ choices: [{ delta: { content } }] });
const stream = (response: ServerResponse, ...texts: readonly string[]) => response.end(texts.join(''));

test('an answer is written while it comes, and its tokens are those that the server counts', async () => {
  const { text, figures } = await askServer((_, response) =>
    stream(
      response,
      piece('Hel'),
      piece('lo.'),
      event({ choices: [], usage: { completion_tokens: 7 } }),
      event('[DONE]'),
    ),
  );
  expect(text).toBe('Hello.');
  expect(figures.tokens).toBe(7);
});

test('a server that counts no tokens has one for each piece', async () => {
  const { figures } = await askServer((_, response) => stream(response, piece('a'), piece('b'), event('[DONE]')));
  expect(figures.tokens).toBe(2);
});

test('what a model writes can not steer the terminal', async () => {
  const { text } = await askServer((_, response) => stream(response, piece('\u001B]0;mine\u0007ok'), event('[DONE]')));
  expect(text).toBe('\u241B]0;mine\u2407ok');
});

test.for<[string, RequestListener, string]>([
  [
    'refuses',
    (_, response) => response.writeHead(400).end('{"error":{"message":"max_tokens is too large"}}'),
    'the server answers /v1/chat/completions with status 400: max_tokens is too large',
  ],
  ['has no such API', (_, response) => response.writeHead(404).end('Not Found'), 'with status 404: Not Found'],
  ['breaks off', (_, response) => stream(response, piece('Hel')), 'the answer broke off'],
  [
    'fails in the middle',
    (_, response) => stream(response, piece('H'), event({ error: { message: 'OOM' } })),
    'the server says: OOM',
  ],
  ['sends no JSON', (_, response) => stream(response, event('<html>')), 'answers with what is not JSON'],
])('a server that %s is told in one sentence', async ([, chat, message]) => {
  await expect(askServer(chat)).rejects.toThrow(message);
});

test('an event without an end fills no memory', async () => {
  const endless = Readable.from(Array.from({ length: 40 }, () => `data: ${'x'.repeat(60_000)}`));
  await expect(Array.fromAsync(events(endless))).rejects.toThrow('longer than 1 MiB');
});

test('a rate is told of what comes after the first token', () => {
  expect(wordsOfFigures({ tokens: 41, firstTokenSeconds: 0.5, streamSeconds: 2 })).toBe(
    '41 tokens, the first after 0.50 s, then 20.0 tokens a second',
  );
  expect(wordsOfFigures({ tokens: 1, firstTokenSeconds: 0.5, streamSeconds: 0 })).toBe(
    '1 token, the first after 0.50 s',
  );
});
