import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { selfSigned } from './support/certificate.ts';
import { makeVolume } from './support/fetcher.ts';
import type { Ended, Volume } from './support/fetcher.ts';
import { send, startHost } from './support/host.ts';
import type { Handler, Host } from './support/host.ts';
import { weights } from './support/hub.ts';

const certificate = selfSigned();
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trunnion-https-'));
  await writeFile(join(folder, 'ca.pem'), certificate.cert);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

const serve = (handle: Handler): Promise<Host> => startHost(handle, certificate);

const sha256Of = (content: Buffer): string => createHash('sha256').update(content).digest('hex');

const run = (volume: Volume, uri: string, env: Readonly<Record<string, string>> = {}): Promise<Ended> =>
  volume.run({ TRUNNION_URI: uri, NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem'), ...env });

test('one file is fetched, and its ETag is the revision', async () => {
  const content = weights(50_000);
  await using host = await serve((request, response, seen) => send(request, response, seen, content, { etag: '"v1"' }));
  await using volume = await makeVolume();

  const ended = await run(volume, `${host.origin}/dir/model.gguf?download=true`);

  expect(ended.code).toBe(0);
  expect(JSON.parse(ended.lastWord)).toEqual({ revision: 'v1', bytes: 50_000, totalBytes: 50_000 });
  expect(await readFile(volume.path('weights/model.gguf'))).toEqual(content);
});

test('a file whose size the host does not say is fetched as well', async () => {
  const content = weights(5000);
  await using host = await serve((_request, response) => {
    response.writeHead(200, { 'transfer-encoding': 'chunked' }).end(content);
  });
  await using volume = await makeVolume();

  const ended = await run(volume, `${host.origin}/model.gguf`);

  expect(ended.code).toBe(0);
  expect(await readFile(volume.path('weights/model.gguf'))).toEqual(content);
});

test('a checksum in the URI is verified, and is the revision', async () => {
  const content = weights(5000);
  await using host = await serve((request, response, seen) => send(request, response, seen, content));
  await using volume = await makeVolume();

  const wrong = await run(volume, `${host.origin}/m.gguf#sha256=${'0'.repeat(64)}`);
  const right = await run(volume, `${host.origin}/m.gguf#sha256=${sha256Of(content)}`);

  expect(wrong.code).toBe(65);
  expect(right.code).toBe(0);
  expect(JSON.parse(right.lastWord)).toMatchObject({ revision: sha256Of(content) });
});

test('a file that changes while it is fetched is not mixed: all of the new one is taken', async () => {
  const [old, fresh] = [weights(200_000), weights(200_000)];
  let time = 0;
  await using host = await serve((request, response, seen) => {
    time += 1;
    const changed = time > 2;
    const whole = changed && request.headers['if-range'] !== '"new"';
    const fault = time === 2 ? { cutAfter: 80_000 } : { whole };
    return send(request, response, seen, changed ? fresh : old, { etag: changed ? '"new"' : '"old"' }, fault);
  });
  await using volume = await makeVolume();

  const ended = await run(volume, `${host.origin}/m.gguf`);

  expect(ended.code).toBe(0);
  expect(await readFile(volume.path('weights/m.gguf'))).toEqual(fresh);
});

test.each([
  ['a token', { TOKEN: 'canary-token' }, 'Bearer canary-token'],
  ['a user', { USERNAME: 'canaryuser', PASSWORD: 'canary:pass' }, `Basic ${btoa('canaryuser:canary:pass')}`],
])('%s opens a file', async (_name, env, authorization) => {
  await using host = await serve((request, response, seen) => {
    if (request.headers.authorization !== authorization) response.writeHead(401).end();
    else return send(request, response, seen, Buffer.from('x'));
    return undefined;
  });
  await using volume = await makeVolume();

  const ended = await run(volume, `${host.origin}/m.gguf`, env);
  const without = await run(volume, `${host.origin}/m.gguf#sha256=${sha256Of(Buffer.from('x'))}`);

  expect(ended.code).toBe(0);
  expect(ended.output).not.toContain('canary');
  expect(without.code).toBe(67);
  expect(without.lastWord).toContain('TOKEN, or USERNAME and PASSWORD');
});

test('what is not there fails at once, and the signature in the query is not reported', async () => {
  await using host = await serve((_request, response) => void response.writeHead(404).end());
  await using volume = await makeVolume();

  const ended = await run(volume, `${host.origin}/m.gguf?X-Amz-Signature=canary`);

  expect(ended).toMatchObject({ code: 66, lastWord: `there is nothing at ${host.origin}/m.gguf: check model.uri` });
});

test('a host that does not answer is reported with what to look at', async () => {
  const host = await serve(() => undefined);
  await host[Symbol.asyncDispose]();
  await using volume = await makeVolume();

  const ended = await run(volume, `${host.origin}/m.gguf`, { TRUNNION_ATTEMPTS: '2' });

  expect(ended.code).toBe(1);
  expect(ended.lastWord).toMatch(
    /^no connection to https:\/\/127\.0\.0\.1:\d+\/m\.gguf \(is this egress allowed\?\): .*ECONNREFUSED/,
  );
});

/** An archive of what `fill` puts into a folder. */
async function archive(args: readonly string[], fill: (path: string) => Promise<unknown>): Promise<Buffer> {
  const path = await mkdtemp(join(folder, 'archive-'));
  await mkdir(join(path, 'in'));
  await fill(join(path, 'in'));
  execFileSync('tar', ['-c', '-f', join(path, 'out'), ...args], { cwd: join(path, 'in') });
  return await readFile(join(path, 'out'));
}

test.each([
  ['tar.gz', ['-z', '.']],
  ['tgz', ['-z', 'config.json', 'sub']],
  ['tar', ['.']],
])('an archive .%s is unpacked, and only its content stays', async (ending, args) => {
  const content = await archive(args, async (path) => {
    await mkdir(join(path, 'sub'));
    await writeFile(join(path, 'config.json'), '{}');
    await writeFile(join(path, 'sub', 'w'), 'weights');
    await symlink('w', join(path, 'sub', 'link'));
  });
  await using host = await serve((request, response, seen) => send(request, response, seen, content));
  await using volume = await makeVolume();

  const ended = await run(volume, `${host.origin}/model.${ending}`);

  expect(ended.code).toBe(0);
  expect((await readdir(volume.path('weights'))).toSorted()).toEqual(['config.json', 'sub']);
  expect(await readFile(volume.path('weights/sub/link'), 'utf8')).toBe('weights');
  expect((await readdir(volume.root)).filter((name) => name.includes('staging'))).toEqual([]);
});

test.each([
  ['a name that leaves it', ['-P', '../in/config.json'], () => Promise.resolve()],
  ['a link that leaves it', ['.'], (path: string) => symlink('../../outside', join(path, 'link'))],
  ['an absolute link', ['.'], (path: string) => symlink('/etc/passwd', join(path, 'link'))],
  ['a link to what only its reader has', ['.'], (path: string) => symlink('/proc/self/environ', join(path, 'env'))],
  [
    'a link that leads out of it through another link',
    ['.'],
    async (path: string) => {
      await mkdir(join(path, 'a/b/c'), { recursive: true });
      await symlink('../../..', join(path, 'a/b/c/up'));
      // As text it stays in `a`; followed, it leaves the folder by three.
      await symlink('a/b/c/up/../../../etc/hostname', join(path, 'tokenizer.json'));
    },
  ],
  ['a pipe', ['.'], (path: string) => Promise.resolve(execFileSync('mkfifo', [join(path, 'pipe')]))],
])('an archive with %s is refused', async (_name, args, fill) => {
  const content = await archive(args, async (path) => {
    await writeFile(join(path, 'config.json'), '{}');
    await fill(path);
  });
  await using host = await serve((request, response, seen) => send(request, response, seen, content));
  await using volume = await makeVolume();

  const ended = await run(volume, `${host.origin}/model.tar`);

  expect(ended.code).toBe(69);
  expect(ended.lastWord).toMatch(/^the archive is not unpacked: /);
  expect(await readdir(volume.root)).not.toContain('weights');
});

test('an archive that is none fails at once', async () => {
  await using host = await serve((request, response, seen) => send(request, response, seen, Buffer.from('<html>')));
  await using volume = await makeVolume();

  expect((await run(volume, `${host.origin}/model.tar.gz`)).code).toBe(65);
});
