import type { ServerResponse } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import { AnswerTooLargeError, ApiError, Reflector, Store } from '../../../operator/kube/index.ts';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';
import { REF } from './support/config-maps.ts';
import { FakeApiServer, object, type Reply } from './support/fake-api-server.ts';

/** Sends for as long as it is read, and counts how much. */
function endless(code: number, sent: { bytes: number }): Reply {
  const piece = Buffer.alloc(2 ** 16, '<');
  return (response: ServerResponse) => {
    response.writeHead(code, { 'content-type': 'application/json' });
    const more = (): void => {
      while (!response.destroyed && response.write(piece)) sent.bytes += piece.length;
    };
    response.on('drain', more);
    more();
  };
}

const MEBIBYTE = 2 ** 20;

describe('an answer without an end', () => {
  test('is broken off above what an object can take, and not asked for again', async () => {
    const sent = { bytes: 0 };
    const server = await FakeApiServer.start({ other: [endless(200, sent)] });
    const codes: string[] = [];
    const client = server.client({ observe: ({ code }) => codes.push(code) });
    await expect(client.get(TYPES.configMap, REF)).rejects.toThrow(new AnswerTooLargeError(10 * MEBIBYTE));
    expect(codes).toEqual(['TOO_LARGE']);
    expect(sent.bytes).toBeLessThan(20 * MEBIBYTE);
  });

  test('is broken off above what its reader says', async () => {
    const server = await FakeApiServer.start({ list: [endless(200, { bytes: 0 })] });
    const reading = server.client().list(TYPES.configMap, { namespace: 'd', largestBytes: MEBIBYTE });
    await expect(reading).rejects.toThrow('the answer is larger than 1048576 bytes');
  });

  test('that refuses is cut, and tells that it refuses', async () => {
    const sent = { bytes: 0 };
    const server = await FakeApiServer.start({ other: [endless(403, sent)] });
    await expect(server.client().get(TYPES.configMap, REF)).rejects.toMatchObject({ status: 403, reason: 'Forbidden' });
    expect(sent.bytes).toBeLessThan(10 * MEBIBYTE);
  });
});

test.each([
  ['tags that do not end', '<'],
  ['style sheets that do not end', '<style '],
  ['spaces', ' '],
  ['tags and spaces', '<a>  '],
])('the words of a hostile page cost no more than its length: %s', async (_, part) => {
  const page: Reply = (response) => response.writeHead(403).end(part.repeat(MEBIBYTE / part.length));
  const server = await FakeApiServer.start({ other: [page] });
  const started = performance.now();
  await expect(server.client().get(TYPES.configMap, REF)).rejects.toMatchObject({ status: 403 });
  expect(performance.now() - started).toBeLessThan(1_000);
});

test('a page of a list that would be too large is asked for with fewer objects', async () => {
  const objects = Array.from({ length: 4 }, (_, index) => object(`object-${index}`, index + 1));
  const client = {
    watch: () => Promise.reject(new ApiError(422, {})),
    list: async (_type: unknown, { limit = 0 }: { readonly limit?: number }) => {
      limits.push(limit);
      if (limit > 100) throw new AnswerTooLargeError(1);
      return Promise.resolve({ metadata: { resourceVersion: '9' }, items: objects as never });
    },
  };
  const limits: number[] = [];
  const reflector = new Reflector({ client, type: TYPES.configMap, store: new Store({ transform: (kept) => kept }) });
  onTestFinished(() => reflector.stop());
  reflector.start();
  await reflector.synced;
  expect(limits).toEqual([500, 250, 125, 63]);
});
