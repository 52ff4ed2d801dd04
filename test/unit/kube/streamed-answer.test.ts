import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { TransportError } from '../../../operator/kube/index.ts';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';
import { FakeApiServer } from './support/fake-api-server.ts';

/** A watch whose answer the test writes itself. */
async function opened(signal = new AbortController().signal) {
  const answering = Promise.withResolvers<ServerResponse>();
  const server = await FakeApiServer.start({
    watch: [
      (response) => {
        response.writeHead(200).flushHeaders();
        answering.resolve(response);
      },
    ],
  });
  const body = await server.client().watch(TYPES.configMap, 'd', {}, signal);
  return { body, response: await answering.promise };
}

const textOf = async (body: AsyncIterable<Uint8Array>) => Buffer.concat(await Array.fromAsync(body)).toString();

describe('a body that is read as it comes', () => {
  test('is whole and in order, whether its reader or its writer is the quicker one', async () => {
    const { body, response } = await opened();
    const text = textOf(body);
    for (const piece of ['a', 'b', 'c']) {
      response.write(piece);
      await sleep(5);
    }
    for (let piece = 0; piece < 100; piece += 1) response.write(`-${piece}`);
    response.end();
    expect(await text).toBe(`abc${Array.from({ length: 100 }, (_, piece) => `-${piece}`).join('')}`);
  });

  test('makes its server wait while nobody reads it, and comes whole once somebody does', async () => {
    const { body, response } = await opened();
    const size = 64 * 2 ** 20;
    response.end(Buffer.alloc(size, 'x'));
    let sent = false;
    void once(response, 'finish').then(() => (sent = true));
    await sleep(500);
    expect(sent).toBe(false);
    expect((await textOf(body)).length).toBe(size);
    expect(sent).toBe(true);
  });

  test('is read up to where its connection broke, and says then that it did', async () => {
    const { body, response } = await opened();
    response.write('a');
    await sleep(50);
    response.destroy();
    await sleep(50);
    const pieces = body[Symbol.asyncIterator]();
    expect(await pieces.next()).toEqual({ done: false, value: Buffer.from('a') });
    await expect(pieces.next()).rejects.toThrow('other side closed');
  });

  test('breaks with its connection while its reader waits', async () => {
    const { body, response } = await opened();
    const text = textOf(body);
    response.destroy();
    await expect(text).rejects.toThrow('other side closed');
  });

  test('is aborted when its reader stops', async () => {
    const { body, response } = await opened();
    response.write('a');
    for await (const _ of body) break;
    await once(response, 'close');
    expect(response.writableFinished).toBe(false);
  });

  test('ends with its signal at once, and what was not read is dropped', async () => {
    const stop = new AbortController();
    const { body, response } = await opened(stop.signal);
    response.write('a');
    await sleep(50);
    stop.abort(new Error('enough'));
    await expect(textOf(body)).rejects.toThrow('enough');
    await once(response, 'close');
  });

  test('begins with the answer itself, whatever a proxy sends before it', async () => {
    const server = await FakeApiServer.start({
      watch: [
        (response) => {
          response.writeProcessing();
          response.writeEarlyHints({ link: '</style.css>; rel=preload' });
          response.end('a');
        },
      ],
    });
    const body = await server.client().watch(TYPES.configMap, 'd', {}, new AbortController().signal);
    expect(await textOf(body)).toBe('a');
  });

  test('has no answer where its head does not come in time', async () => {
    const server = await FakeApiServer.start({ watch: [() => undefined] });
    const stop = new AbortController();
    const watch = server.client().watch(TYPES.configMap, 'd', {}, stop.signal);
    await sleep(50);
    stop.abort(new TransportError('enough', 'DEADLINE', true));
    await expect(watch).rejects.toThrow('enough');
  });
});
