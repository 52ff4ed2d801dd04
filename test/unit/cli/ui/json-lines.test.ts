import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { JsonLines } from '../../../../cli/ui/json-lines.ts';

/** Both ends of an answer. */
async function answer() {
  const begun = Promise.withResolvers<ServerResponse>();
  const server = createServer((_, response) => begun.resolve(response)).listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  const asked = get({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', agent: false });
  const answered = once(asked, 'response') as Promise<[IncomingMessage]>;
  const response = await begun.promise;
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  return { lines: new JsonLines<object>(response, gone.signal), answered, response, gone };
}

test('each piece is a line of plain JSON, in its order', async () => {
  const { lines, answered } = await answer();
  expect(lines.hasBegun).toBe(false);
  expect(lines.write({ a: 1 })).toBeUndefined();
  expect(lines.write({ text: 'a\u001b[31mred\u0007\nb' })).toBeUndefined();
  lines.end({ last: true });
  const [response] = await answered;
  expect(response.headers['content-type']).toBe('application/x-ndjson; charset=utf-8');
  expect(await text(response)).toBe('{"a":1}\n{"text":"ared␇\\nb"}\n{"last":true}\n');
});

test('an answer may begin before its first piece, and end without one', async () => {
  const { lines, answered } = await answer();
  lines.begin();
  expect(lines.hasBegun).toBe(true);
  const [response] = await answered;
  lines.end();
  expect(await text(response)).toBe('');
});

test('who writes waits for a browser that does not read, and nothing is lost', async () => {
  const { lines, answered } = await answer();
  const piece = { text: 'x'.repeat(100_000) };
  let count = 0;
  let waiting: Promise<void> | undefined;
  for (let isSlow = false; !isSlow; count += 1) {
    waiting = lines.write(piece);
    isSlow = waiting !== undefined && (await Promise.race([waiting, sleep()])) === 'slow';
  }
  expect(count).toBeLessThan(500);
  const [response] = await answered;
  const all = text(response);
  await waiting;
  lines.end();
  expect((await all).split('\n')).toHaveLength(count + 1);
});

const sleep = () => new Promise<'slow'>((resolve) => setTimeout(resolve, 200, 'slow'));

test('what is written to a browser that is gone is dropped, and nobody waits for it', async () => {
  const { lines, answered, response, gone } = await answer();
  const piece = { text: 'x'.repeat(100_000) };
  while (lines.write(piece) === undefined);
  const waiting = lines.write(piece);
  const [read] = await answered;
  response.destroy();
  await expect(text(read)).rejects.toThrow('aborted');
  await waiting;
  expect(gone.signal.aborted).toBe(true);
  expect(lines.write(piece)).toBeUndefined();
  lines.end({ last: true });
});
