import { readFile, readdir } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { makeVolume } from './support/fetcher.ts';
import { send, startHost } from './support/host.ts';
import { COMMIT, startHub, weights } from './support/hub.ts';

const uri = 'hf://acme/tiny';

test('a repository is fetched at the commit of its branch, verified, and marked complete', async () => {
  const tensors = weights(300_000);
  await using hub = await startHub({
    '.gitattributes': { content: Buffer.from('*') },
    'config.json': { content: Buffer.from('{}') },
    'model.safetensors': { content: tensors, lfs: true },
    'sub folder/tokenizer.json': { content: Buffer.from('{"a":1}') },
  });
  await using volume = await makeVolume();

  const ended = await volume.run({ TRUNNION_URI: uri, HF_ENDPOINT: hub.origin });

  expect(ended).toMatchObject({ code: 0 });
  expect(JSON.parse(ended.lastWord)).toEqual({ revision: COMMIT, bytes: 300_009, totalBytes: 300_009 });
  expect(await readFile(volume.path('weights/model.safetensors'))).toEqual(tensors);
  expect(await readFile(volume.path('weights/sub folder/tokenizer.json'), 'utf8')).toBe('{"a":1}');
  expect(JSON.parse(await readFile(volume.path('.trunnion-complete.json'), 'utf8'))).toEqual({
    uri,
    revision: COMMIT,
    files: 3,
    bytes: 300_009,
  });
  expect((await readdir(volume.path('weights'))).toSorted()).toEqual([
    'config.json',
    'model.safetensors',
    'sub folder',
  ]);
});

test('what is complete is not asked for again', async () => {
  await using hub = await startHub({ 'config.json': { content: Buffer.from('{}') } });
  await using volume = await makeVolume();
  const env = { TRUNNION_URI: uri, HF_ENDPOINT: hub.origin };
  await volume.run(env);
  hub.requests.length = 0;

  const again = await volume.run(env);

  expect(again.code).toBe(0);
  expect(JSON.parse(again.lastWord)).toEqual({ revision: COMMIT, bytes: 2, totalBytes: 2 });
  expect(hub.requests).toEqual([]);
});

test('progress is told as lines of JSON whose bytes grow to the total', async () => {
  await using hub = await startHub({
    'model.safetensors': { content: weights(400_000), lfs: true, fault: () => ({ pauseMs: 5 }) },
  });
  await using volume = await makeVolume();

  const { lines } = await volume.run({ TRUNNION_URI: uri, HF_ENDPOINT: hub.origin });

  const bytes = lines.filter((line) => 'totalBytes' in line).map((line) => Number(line['bytes']));
  expect(bytes.length).toBeGreaterThan(3);
  expect(bytes).toEqual(bytes.toSorted((a, b) => a - b));
  expect(bytes.at(-1)).toBe(400_000);
});

test('after a kill in the middle the next run continues, and no byte is fetched twice', async () => {
  const tensors = weights(2_000_000);
  await using hub = await startHub({
    'config.json': { content: Buffer.from('{}') },
    'model.safetensors': { content: tensors, lfs: true, fault: (time) => (time === 0 ? { pauseMs: 10 } : {}) },
  });
  await using volume = await makeVolume();
  const env = { TRUNNION_URI: uri, HF_ENDPOINT: hub.origin };

  const first = volume.start(env);
  await first.line((line) => Number(line['bytes']) > 400_000);
  first.kill('SIGKILL');
  await first.ended;
  hub.requests.length = 0;
  const second = await volume.run(env);

  expect(second.code).toBe(0);
  expect(await readFile(volume.path('weights/model.safetensors'))).toEqual(tensors);
  const downloads = hub.requests.filter(({ url }) => url.includes('/resolve/'));
  expect(downloads.map(({ url }) => url)).toEqual([`/acme/tiny/resolve/${COMMIT}/model.safetensors`]);
  const from = Number(/^bytes=(\d+)-$/.exec(downloads[0]?.range ?? '')?.[1]);
  expect(from).toBeGreaterThan(400_000);
  expect(downloads[0]?.sent).toBe(tensors.length - from);
});

test('a connection that breaks is taken up where it broke, as often as it brings something', async () => {
  const tensors = weights(1_000_000);
  await using hub = await startHub({
    'model.safetensors': { content: tensors, lfs: true, fault: () => ({ cutAfter: 60_000 }) },
  });
  await using volume = await makeVolume();

  const ended = await volume.run({ TRUNNION_URI: uri, HF_ENDPOINT: hub.origin, TRUNNION_ATTEMPTS: '2' });

  expect(ended.output).toContain('"revision"');
  expect(ended.code).toBe(0);
  expect(await readFile(volume.path('weights/model.safetensors'))).toEqual(tensors);
});

test('a host that stalls is given up and asked again', async () => {
  const tensors = weights(200_000);
  await using hub = await startHub({
    'model.safetensors': {
      content: tensors,
      lfs: true,
      fault: (time) => (time === 0 ? { stallAfter: 80_000 } : {}),
    },
  });
  await using volume = await makeVolume();

  const ended = await volume.run({ TRUNNION_URI: uri, HF_ENDPOINT: hub.origin, TRUNNION_STALL_MS: '200' });

  expect(ended.code).toBe(0);
  expect(await readFile(volume.path('weights/model.safetensors'))).toEqual(tensors);
});

test('a host that only stalls ends in a failure that may be tried again, and says so', async () => {
  await using hub = await startHub({
    'model.safetensors': { content: weights(200_000), lfs: true, fault: () => ({ stallAfter: 0 }) },
  });
  await using volume = await makeVolume();

  const ended = await volume.run({
    TRUNNION_URI: uri,
    HF_ENDPOINT: hub.origin,
    TRUNNION_STALL_MS: '100',
    TRUNNION_ATTEMPTS: '2',
  });

  expect(ended.code).toBe(1);
  expect(ended.lastWord).toContain('sent nothing for 0.1 s');
});

test('a host that does not know Range is asked for all of the file, and the result is right', async () => {
  const tensors = weights(300_000);
  await using hub = await startHub({
    'model.safetensors': {
      content: tensors,
      lfs: true,
      fault: (time) => (time === 0 ? { cutAfter: 100_000 } : { whole: true }),
    },
  });
  await using volume = await makeVolume();

  const ended = await volume.run({ TRUNNION_URI: uri, HF_ENDPOINT: hub.origin });

  expect(ended.code).toBe(0);
  expect(JSON.parse(ended.lastWord)).toMatchObject({ bytes: 300_000 });
  expect(await readFile(volume.path('weights/model.safetensors'))).toEqual(tensors);
});

test.each(['model.safetensors', 'config.json'])(
  'bytes of %s that were damaged on the way are fetched again',
  async (path) => {
    const content = weights(100_000);
    const damaged = Buffer.from(content);
    damaged[50_000] = (damaged[50_000] ?? 0) ^ 1;
    await using hub = await startHub({
      [path]: { content, lfs: path.endsWith('safetensors'), sent: (time) => (time === 0 ? damaged : content) },
    });
    await using volume = await makeVolume();

    const ended = await volume.run({ TRUNNION_URI: uri, HF_ENDPOINT: hub.origin });

    expect(ended.code).toBe(0);
    expect(JSON.parse(ended.lastWord)).toMatchObject({ bytes: 100_000 });
    expect(await readFile(volume.path(`weights/${path}`))).toEqual(content);
  },
);

test('bytes that are damaged at their source never become a model', async () => {
  const content = weights(100_000);
  await using hub = await startHub({ 'model.safetensors': { content, lfs: true, sent: () => weights(100_000) } });
  await using volume = await makeVolume();

  const ended = await volume.run({ TRUNNION_URI: uri, HF_ENDPOINT: hub.origin });

  expect(ended.code).toBe(65);
  expect(ended.lastWord).toMatch(
    /^model\.safetensors is damaged at its source \(sha256 is [0-9a-f]{64}, not [0-9a-f]{64}, twice\)/,
  );
  expect(await readdir(volume.root)).not.toContain('weights');
  expect(await readdir(volume.root)).not.toContain('.trunnion-complete.json');
});

test('the token opens a private repository and does not follow a redirect to another host', async () => {
  const content = weights(100_000);
  await using cdn = await startHost((request, response, seen) => send(request, response, seen, content));
  await using hub = await startHub(
    { 'model.safetensors': { content, lfs: true, cdn: cdn.origin } },
    'hf_canary0123456789',
  );
  await using volume = await makeVolume();

  const ended = await volume.run({ TRUNNION_URI: uri, HF_ENDPOINT: hub.origin, HF_TOKEN: 'hf_canary0123456789\n' });

  expect(ended.code).toBe(0);
  expect(ended.output).not.toContain('canary');
  expect(cdn.requests.map(({ headers }) => headers.authorization)).toEqual([undefined]);
});

test('the key of the Secret may have another usual name', async () => {
  await using hub = await startHub({ 'config.json': { content: Buffer.from('{}') } }, 'hf_canary');
  await using volume = await makeVolume();

  const ended = await volume.run({ TRUNNION_URI: uri, HF_ENDPOINT: hub.origin, TRUNNION_HF_TOKEN_2: 'hf_canary' });

  expect(ended.code).toBe(0);
});

test.each([
  [{}, 'no token was given'],
  [{ HF_TOKEN: 'hf_wrongcanary' }, 'the token HF_TOKEN may not read it, or is not valid'],
])('a private repository with %o fails at once and names the Secret', async (env, words) => {
  await using hub = await startHub({}, 'hf_right');
  await using volume = await makeVolume();

  const ended = await volume.run({ TRUNNION_URI: uri, HF_ENDPOINT: hub.origin, ...env });

  expect(ended.code).toBe(67);
  expect(ended.lastWord).toContain(words);
  expect(ended.lastWord).toContain('model.credentials.secretName');
  expect(ended.output + ended.lastWord).not.toContain('canary');
  expect(hub.requests).toHaveLength(1);
});

test('a revision that is not there fails at once', async () => {
  await using hub = await startHub({});
  await using volume = await makeVolume();

  const ended = await volume.run({ TRUNNION_URI: `${uri}@v9`, HF_ENDPOINT: hub.origin });

  expect(ended.code).toBe(66);
  expect(ended.lastWord).toBe('hf://acme/tiny has no revision v9: check model.uri');
});

test.each(['../outside.bin', '/etc/passwd', 'a/../../b', 'a\\b', 'a//b', 'nul\u0000'])(
  'the name %j is refused before anything is written',
  async (name) => {
    await using hub = await startHub({ [name]: { content: Buffer.from('x') } });
    await using volume = await makeVolume();

    const ended = await volume.run({ TRUNNION_URI: uri, HF_ENDPOINT: hub.origin });

    expect(ended.code).toBe(69);
    expect(hub.requests.filter(({ url }) => url.includes('/resolve/'))).toEqual([]);
  },
);
