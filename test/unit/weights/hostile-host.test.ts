import { lstat, mkdir, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { stage } from '../../../fetcher/volume.ts';
import { makeVolume } from './support/fetcher.ts';
import type { Ended, Volume } from './support/fetcher.ts';
import { send, sendJson, startHost } from './support/host.ts';
import type { Handler } from './support/host.ts';
import { COMMIT, startHub, weights } from './support/hub.ts';

const MIB = 2 ** 20;

/** Sends pieces until nobody listens; answers how many bytes that were. */
async function endlessly(response: ServerResponse, piece: Buffer): Promise<number> {
  let sent = 0;
  const pieces = function* (): Generator<Buffer> {
    for (; sent < 512 * MIB; sent += piece.length) yield piece;
  };
  // It ends by the other side's hanging up.
  await pipeline(pieces(), response).catch(() => undefined);
  return sent;
}

/** Fetches from a host of any of the kinds, which answers all requests alike. */
async function fetchFrom(
  scheme: 'hf' | 's3' | 'gs',
  handle: Handler,
  act: (volume: Volume, env: Readonly<Record<string, string>>) => Promise<Ended> = (volume, env) => volume.run(env),
): Promise<Ended> {
  await using host = await startHost(handle);
  await using volume = await makeVolume();
  const uris = { hf: 'hf://acme/tiny', s3: 's3://models/llama', gs: 'gs://models/llama' };
  return await act(volume, {
    TRUNNION_URI: uris[scheme],
    TRUNNION_ATTEMPTS: '2',
    HF_ENDPOINT: host.origin,
    AWS_ENDPOINT_URL: host.origin,
    STORAGE_EMULATOR_HOST: host.origin,
    // Less than an endless answer that is kept.
    NODE_OPTIONS: '--max-old-space-size=96',
  });
}

const schemes = ['hf', 's3', 'gs'] as const;

describe.each(schemes)('a host of %s://', (scheme) => {
  test.each([400, 403, 500])(
    'that answers %i with a body that never ends is read no further than its words',
    async (status) => {
      const sent: number[] = [];
      const ended = await fetchFrom(scheme, async (_request, response) => {
        response.writeHead(status);
        sent.push(await endlessly(response, Buffer.alloc(64 * 1024, 'x')));
      });

      expect(ended.code).toBe(status === 403 ? 67 : 1);
      expect(ended.lastWord.length).toBeLessThan(1000);
      // What the kernel and both ends keep in their buffers is sent as well.
      expect(Math.max(...sent)).toBeLessThan(16 * MIB);
    },
  );

  test('that answers a listing that never ends is given up after 8 MiB', async () => {
    const sent: number[] = [];
    const ended = await fetchFrom(scheme, async (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      sent.push(await endlessly(response, Buffer.alloc(64 * 1024, ' ')));
    });

    expect(ended).toMatchObject({ code: 69 });
    expect(ended.lastWord).toMatch(/answered with more than 8388608 bytes$/);
    expect(Math.max(...sent)).toBeLessThan(32 * MIB);
  });

  test('that answers a listing that unzips without an end is given up after 8 MiB', async () => {
    const bomb = Buffer.concat(Array<Buffer>(64).fill(gzipSync(Buffer.alloc(MIB, ' '))));
    const ended = await fetchFrom(scheme, (_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb);
    });

    expect(ended.lastWord).toMatch(/answered with more than 8388608 bytes$/);
  });

  test('that trickles is given up when its time is over', async () => {
    const began = performance.now();
    const ended = await fetchFrom(
      scheme,
      async (_request, response) => {
        response.writeHead(200);
        while (!response.destroyed) {
          response.write(' ');
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
      },
      (volume, env) => volume.run({ ...env, TRUNNION_STALL_MS: '1000' }),
    );

    expect(ended.code).toBe(1);
    expect(ended.lastWord).toMatch(/sent no more than \d+ bytes for 1 s$/);
    expect(performance.now() - began).toBeLessThan(20_000);
  });

  test('whose words would move a terminal, or hide, says them as plain text', async () => {
    const evil = '\u001b]52;c;ZXZpbA==\u0007\u001b[2J\u009b1A\u202e\u2066\u200b\u2028\u0000✓ Ready\r\n\u007f';
    const ended = await fetchFrom(scheme, (_request, response) => {
      response.writeHead(418).end(evil);
    });

    expect(ended.lastWord).toMatch(/answered 418: .*✓ Ready/);
    for (const text of [ended.lastWord, ended.lines.map(({ error }) => error).join(' ')]) {
      expect(text).not.toMatch(/[\p{Cc}\u200b-\u200f\u2028-\u202e\u2060-\u2069]/u);
    }
  });

  test('that sends its callers round and round is given up', async () => {
    let requests = 0;
    const ended = await fetchFrom(scheme, (_request, response, _seen, url) => {
      requests += 1;
      response.writeHead(302, { location: `${url.pathname}?${requests}` }).end();
    });

    expect(ended.code).toBe(1);
    expect(requests).toBeLessThanOrEqual(24);
  });
});

test('a redirect is followed to another place of the same kind, and to no other', async () => {
  for (const location of ['file:///etc/hostname', 'data:text/plain,x', 'ftp://h/x', 'http://[', 'http://u:p@h/x']) {
    const ended = await fetchFrom('hf', (_request, response) => void response.writeHead(302, { location }).end());
    expect(ended.code).toBe(1);
    expect(ended.lastWord).toContain('which is no https URL');
  }
});

const file = (path: string, size: number): object => ({ type: 'file', path, size, oid: 'a'.repeat(40) });

test.each([
  ['comes again', [[file('a', 1)]], /no end: the page "same" comes again/],
  ['names a file twice', [[file('a', 1), file('a', 1)]], /"a" comes twice/],
  ['names the file of a lock', [[file('.trunnion-lock-1', 1)]], /begins as the fetcher's own files do/],
])('a listing that %s is refused', async (name, [page], message) => {
  const headers: Record<string, string> = name === 'comes again' ? { link: '</?cursor=same>; rel="next"' } : {};
  const ended = await fetchFrom('hf', (_request, response, _seen, url) => {
    if (url.pathname.includes('/revision/')) sendJson(response, { sha: COMMIT });
    else sendJson(response, page, 200, headers);
  });

  expect(ended.code).toBe(69);
  expect(ended.lastWord).toMatch(message);
});

test('a host that sends a byte and hangs up, each time, is given up', async () => {
  let downloads = 0;
  const content = Buffer.alloc(1000, 'x');
  const ended = await fetchFrom('hf', async (request, response, seen, url) => {
    if (url.pathname.includes('/revision/')) sendJson(response, { sha: COMMIT });
    else if (url.pathname.includes('/tree/')) sendJson(response, [file('model.safetensors', 1000)]);
    else {
      downloads += 1;
      await send(request, response, seen, content, {}, { cutAfter: 1 });
    }
  });

  expect(ended.code).toBe(1);
  expect(downloads).toBe(2);
});

test('links that lie on the volume are not written through, and leave no file in the model', async () => {
  const tensors = weights(400_000);
  await using hub = await startHub({
    'config.json': { content: Buffer.from('{}') },
    'sub/a': { content: Buffer.from('a') },
    'model.safetensors': { content: tensors, lfs: true, fault: (time) => (time === 0 ? { pauseMs: 50 } : {}) },
  });
  await using volume = await makeVolume();
  const env = { TRUNNION_URI: 'hf://acme/tiny', HF_ENDPOINT: hub.origin };
  await writeFile(volume.path('victim'), 'of others');
  await mkdir(volume.path('elsewhere'));
  const killed = volume.start(env);
  await killed.line((line) => Number(line['bytes']) > 50_000);
  killed.kill('SIGKILL');
  await killed.ended;
  const staging = (await readdir(volume.root)).find((name) => name.startsWith('.trunnion-staging-')) ?? '';
  for (const [target, path] of [
    [volume.path('victim'), 'parts/config.json'],
    [volume.path('elsewhere'), 'files/sub'],
    [volume.path('elsewhere'), 'parts/sub'],
    ['/etc/hostname', 'files/tokenizer.json'],
  ] as const) {
    await rm(volume.path(`${staging}/${path}`), { recursive: true, force: true });
    await symlink(target, volume.path(`${staging}/${path}`));
  }
  await symlink(volume.path('victim'), volume.path('.trunnion-complete.json'));
  await mkdir(volume.path('.trunnion-lock-Infinity'));
  await symlink('elsewhere', volume.path('weights'));

  const ended = await volume.run(env);

  expect(ended.code).toBe(0);
  expect(await readFile(volume.path('victim'), 'utf8')).toBe('of others');
  expect(await readdir(volume.path('elsewhere'))).toEqual([]);
  expect((await readdir(volume.path('weights'))).toSorted()).toEqual(['config.json', 'model.safetensors', 'sub']);
  expect((await lstat(volume.path('weights'))).isDirectory()).toBe(true);
  expect(await readFile(volume.path('weights/model.safetensors'))).toEqual(tensors);
});

test('a file that another listing of the same revision left is no part of the model', async () => {
  await using volume = await makeVolume();
  const listing = (path: string) => ({ revision: 'same', files: [{ path, bytes: 1 }] });
  const first = await stage(volume.root, 'https://h/m', listing('evil'));
  await writeFile(join(first.files, 'evil'), 'x');

  const again = await stage(volume.root, 'https://h/m', listing('evil'));
  expect(await readdir(again.files)).toEqual(['evil']);
  const second = await stage(volume.root, 'https://h/m', listing('good'));
  expect(await readdir(second.files)).toEqual([]);
});
