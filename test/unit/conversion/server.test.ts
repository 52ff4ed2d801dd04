import { request } from 'node:https';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { selfSigned } from '../../../certificates/index.ts';
import { serveConversions } from '../../../operator/conversion/server.ts';

const certificate = selfSigned('acme');
const LARGEST_BYTES = 100;

/** A server whose answers are the requests, once they may be given. */
async function start() {
  const may = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  const server = await serveConversions({
    port: 0,
    host: '127.0.0.1',
    certificate,
    largestBytes: LARGEST_BYTES,
    answer: async (body) => {
      asked.resolve();
      await may.promise;
      if (body === 'fail') throw new Error('no answer');
      return body;
    },
  });
  onTestFinished(() => server.close());
  const ask = (pieces: readonly string[]): Promise<string> =>
    new Promise((resolve, reject) => {
      const call = request(
        {
          port: server.port,
          host: '127.0.0.1',
          ca: certificate.certificate,
          path: '/convert',
          method: 'POST',
          agent: false,
        },
        (response) => void text(response).then((body) => resolve(`${response.statusCode} ${body}`), reject),
      );
      call.on('error', reject);
      for (const piece of pieces) call.write(piece);
      call.end();
    });
  return { server, ask, may, asked: asked.promise };
}

test('requests that come at once have so many bytes together, and more are told to ask again', async () => {
  const { ask, may, asked } = await start();
  const first = ask(['a'.repeat(60)]);
  await asked;
  expect(await ask(['b'.repeat(60)])).toBe('503 too much is under way: ask again\n');
  may.resolve();
  expect(await first).toBe(`200 ${'a'.repeat(60)}`);
  expect(await ask(['b'.repeat(60)])).toBe(`200 ${'b'.repeat(60)}`);
});

test('a request that does not say how long it is may be no longer than others', async () => {
  const { ask, may } = await start();
  may.resolve();
  expect(await ask(['a'.repeat(60), 'a'.repeat(60)])).toBe('413 a request has at most 100 bytes\n');
  expect(await ask(['a'.repeat(40), 'b'.repeat(40)])).toBe(`200 ${'a'.repeat(40)}${'b'.repeat(40)}`);
});

test('a request that can not be answered ends, and the next one is answered', async () => {
  const { ask, may } = await start();
  may.resolve();
  await expect(ask(['fail'])).rejects.toThrow('socket hang up');
  expect(await ask(['a'])).toBe('200 a');
});

test('the end waits for what is under way', async () => {
  const { server, ask, may, asked } = await start();
  const answer = ask(['a']);
  await asked;
  const end = server.close();
  may.resolve();
  expect(await answer).toBe('200 a');
  await end;
});
