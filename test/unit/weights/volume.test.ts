import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { makeVolume } from './support/fetcher.ts';
import { startHost, sendJson } from './support/host.ts';
import { COMMIT, startHub, weights } from './support/hub.ts';

const uri = 'hf://acme/tiny';
/** Whose locks are taken over soon. */
const mortal = { TRUNNION_LOCK_STALE_MS: '2000' };
const waiting = (line: Readonly<Record<string, unknown>>): boolean => String(line['message']).includes('in use by');

test('two fetchers on one volume fetch once: the second waits for the first, and is done with it', async () => {
  const tensors = weights(500_000);
  await using hub = await startHub({
    'model.safetensors': { content: tensors, lfs: true, fault: () => ({ pauseMs: 20 }) },
  });
  await using volume = await makeVolume();
  const env = { TRUNNION_URI: uri, HF_ENDPOINT: hub.origin };

  const first = volume.start({ ...env, TRUNNION_POD: 'pod-a' });
  await first.line((line) => Number(line['bytes']) > 0);
  const second = volume.start({ ...env, TRUNNION_POD: 'pod-b' });
  await second.line(waiting);

  expect([(await first.ended).code, (await second.ended).code]).toEqual([0, 0]);
  expect((await second.ended).output).toContain('the volume is in use by pod-a; waiting');
  expect(hub.requests.filter(({ url }) => url.includes('/resolve/'))).toHaveLength(1);
  expect(await readFile(volume.path('weights/model.safetensors'))).toEqual(tensors);
});

test('the lock of a fetcher that died is taken over once its heart has stood still for long enough', async () => {
  await using hub = await startHub({
    'model.safetensors': { content: weights(900_000), lfs: true, fault: (time) => (time === 0 ? { pauseMs: 20 } : {}) },
  });
  await using volume = await makeVolume();
  const env = { TRUNNION_URI: uri, HF_ENDPOINT: hub.origin, ...mortal };
  const dead = volume.start({ ...env, TRUNNION_POD: 'pod-a' });
  await dead.line((line) => Number(line['bytes']) > 0);
  dead.kill('SIGKILL');
  await dead.ended;
  const began = performance.now();

  const next = volume.start({ ...env, TRUNNION_POD: 'pod-b' });
  await next.line(waiting);

  expect((await next.ended).code).toBe(0);
  expect(performance.now() - began).toBeGreaterThan(1000);
});

test('a holder that was frozen while another took over stops, and changes nothing any more', async () => {
  const tensors = weights(900_000);
  await using hub = await startHub({
    'model.safetensors': { content: tensors, lfs: true, fault: (time) => (time === 0 ? { pauseMs: 20 } : {}) },
  });
  await using volume = await makeVolume();
  const env = { TRUNNION_URI: uri, HF_ENDPOINT: hub.origin, ...mortal };
  const frozen = volume.start({ ...env, TRUNNION_POD: 'pod-a' });
  await frozen.line((line) => Number(line['bytes']) > 0);
  frozen.kill('SIGSTOP');
  const next = await volume.run({ ...env, TRUNNION_POD: 'pod-b' });
  frozen.kill('SIGCONT');

  const ended = await frozen.ended;

  expect(next.code).toBe(0);
  expect(ended.code).toBe(1);
  expect(await readFile(volume.path('weights/model.safetensors'))).toEqual(tensors);
  expect((await readdir(volume.root)).toSorted()).toEqual(['.trunnion-complete.json', '.trunnion-lock-2', 'weights']);
});

test('SIGTERM ends it promptly, and the next run continues from there', async () => {
  const tensors = weights(900_000);
  await using hub = await startHub({
    'model.safetensors': { content: tensors, lfs: true, fault: (time) => (time === 0 ? { pauseMs: 20 } : {}) },
  });
  await using volume = await makeVolume();
  const env = { TRUNNION_URI: uri, HF_ENDPOINT: hub.origin };
  const first = volume.start(env);
  await first.line((line) => Number(line['bytes']) > 100_000);
  const began = performance.now();
  first.kill('SIGTERM');

  expect((await first.ended).code).toBe(143);
  expect(performance.now() - began).toBeLessThan(1000);
  expect((await volume.run({ ...env, TRUNNION_POD: 'pod-b' })).code).toBe(0);
  expect(hub.requests.at(-1)?.range).toMatch(/^bytes=\d{6}-$/);
  expect(await readFile(volume.path('weights/model.safetensors'))).toEqual(tensors);
});

test('what cannot fit is refused before a byte is fetched, with the size to set', async () => {
  await using host = await startHost((_request, response, _seen, url) => {
    const file = {
      type: 'file',
      path: 'model.safetensors',
      size: 2 ** 50,
      lfs: { oid: 'a'.repeat(64), size: 2 ** 50 },
    };
    sendJson(response, url.pathname.includes('/revision/') ? { sha: COMMIT } : [file]);
  });
  await using volume = await makeVolume();

  const ended = await volume.run({ TRUNNION_URI: uri, HF_ENDPOINT: host.origin });

  expect(ended.code).toBe(68);
  expect(ended.lastWord).toMatch(
    /^the volume is too small: the model has 1048576\.0 GiB and [\d.]+ GiB are free; set storage\.size to 1153435Gi or more$/,
  );
  expect(host.requests).toHaveLength(2);
});

test('what an earlier revision left half done goes, and a model of another URI is no model of this one', async () => {
  await using hub = await startHub({ 'config.json': { content: Buffer.from('{}') } });
  await using volume = await makeVolume();
  await mkdir(volume.path('.trunnion-staging-0123456789abcdef/files'), { recursive: true });
  await mkdir(volume.path('weights'));
  await writeFile(volume.path('weights/old'), 'x');
  await writeFile(volume.path('.trunnion-complete.json'), JSON.stringify({ uri: 'hf://other/model', revision: 'x' }));
  await mkdir(volume.path('lost+found'));

  const ended = await volume.run({ TRUNNION_URI: uri, HF_ENDPOINT: hub.origin });

  expect(ended.code).toBe(0);
  expect(await readdir(volume.path('weights'))).toEqual(['config.json']);
  expect((await readdir(volume.root)).filter((name) => name.includes('staging'))).toEqual([]);
});

test('what an earlier fetcher brought is there, though second copies would not be brought today, and nobody is asked', async () => {
  await using hub = await startHub({});
  await using volume = await makeVolume();
  await mkdir(volume.path('weights'));
  for (const name of ['model.safetensors', 'consolidated.safetensors']) {
    await writeFile(volume.path(`weights/${name}`), 'x');
  }
  const marker = { uri, revision: '0123', files: 2, bytes: 2 };
  await writeFile(volume.path('.trunnion-complete.json'), JSON.stringify(marker));

  const ended = await volume.run({ TRUNNION_URI: uri, HF_ENDPOINT: hub.origin });

  expect(ended.code).toBe(0);
  expect(await readdir(volume.path('weights'))).toHaveLength(2);
  expect(hub.requests).toEqual([]);
});

test('wait ends once the marker of this very URI is there, and asks nobody', async () => {
  await using hub = await startHub({ 'config.json': { content: Buffer.from('{}') } });
  await using volume = await makeVolume();
  const env = { TRUNNION_URI: uri, HF_ENDPOINT: hub.origin };
  const wait = volume.start({ ...env, TRUNNION_MODE: 'wait' });
  await wait.line((line) => String(line['message']).startsWith('waiting'));
  expect(hub.requests).toEqual([]);

  await volume.run(env);

  expect((await wait.ended).code).toBe(0);
  expect(JSON.parse((await wait.ended).lastWord)).toMatchObject({ revision: COMMIT });
});

test('wait is ended by SIGTERM', async () => {
  await using volume = await makeVolume();
  const wait = volume.start({ TRUNNION_URI: uri, TRUNNION_MODE: 'wait' });
  await wait.line((line) => String(line['message']).startsWith('waiting'));
  wait.kill('SIGTERM');
  expect((await wait.ended).code).toBe(143);
});

test('all that is wrong with the settings is reported at once', async () => {
  await using volume = await makeVolume();

  const ended = await volume.run({ TRUNNION_URI: 'ftp://x', TRUNNION_MODE: 'push', TRUNNION_PARALLEL: '-1' });

  expect(ended.code).toBe(64);
  expect(ended.lastWord).toContain('TRUNNION_MODE must be fetch or wait, not "push"');
  expect(ended.lastWord).toContain('"ftp://x" is not a model\'s URI');
  expect(ended.lastWord).toContain('TRUNNION_PARALLEL must be a positive whole number');
});

test('the script of a ConfigMap fetches from the host of its model, and says so of another', async () => {
  await using volume = await makeVolume();
  const env = { TRUNNION_URI: 'hf://acme/model' };
  const { code, lastWord } = await volume.run(env, 's3');
  expect(code).toBe(64);
  expect(lastWord).toContain('this script fetches s3:// and https://, and not hf://: it belongs to another model.uri');
});
