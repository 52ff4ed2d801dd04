import { readFile, readdir } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { isSameModel, weightsKey, weightsOf, weightsPath } from '../../../constructs/parts/weights/index.ts';
import { makeVolume } from './support/fetcher.ts';
import { startHub, weights } from './support/hub.ts';

const uri = 'hf://acme/tiny';
const LARGE = 11 * 1024 * 1024;
const files = (selection: object) => ({ TRUNNION_FILES: JSON.stringify(selection) });

const small = Buffer.from('{}');
const mistral = {
  'config.json': { content: small },
  'model-00001-of-00001.safetensors': { content: weights(1000), lfs: true },
  'consolidated.safetensors': { content: weights(LARGE), lfs: true },
};

describe('a fetch', () => {
  test('leaves out a second copy of the weights, and asks the volume for the rest alone', async () => {
    await using hub = await startHub(mistral);
    await using volume = await makeVolume();

    const ended = await volume.run({ TRUNNION_URI: uri, HF_ENDPOINT: hub.origin });

    expect(JSON.parse(ended.lastWord)).toMatchObject({ bytes: 1002, totalBytes: 1002 });
    expect((await readdir(volume.path('weights'))).toSorted()).toEqual(Object.keys(mistral).slice(0, 2).toSorted());
  });

  test('brings other files again, where others were asked for on the same volume', async () => {
    await using hub = await startHub(mistral);
    await using volume = await makeVolume();
    const env = { TRUNNION_URI: uri, HF_ENDPOINT: hub.origin };
    await volume.run({ ...env, ...files({ include: ['*.json'] }) });

    const ended = await volume.run({ ...env, ...files({ include: ['consolidated*'] }) });

    expect(ended.code).toBe(0);
    expect(await readdir(volume.path('weights'))).toEqual(['consolidated.safetensors']);
    expect(JSON.parse(await readFile(volume.path('.trunnion-complete.json'), 'utf8'))).toMatchObject({
      uri,
      selection: '{"include":["consolidated*"]}',
      files: 1,
    });
  });

  test('of what is there already asks for nothing, and lets go anyone who waits for these files', async () => {
    await using hub = await startHub(mistral);
    await using volume = await makeVolume();
    const env = { TRUNNION_URI: uri, HF_ENDPOINT: hub.origin, ...files({ exclude: ['*.json'] }) };
    await volume.run(env);
    hub.requests.length = 0;

    expect((await volume.run(env)).code).toBe(0);
    expect((await volume.run({ ...env, TRUNNION_MODE: 'wait' })).code).toBe(0);
    expect(hub.requests).toEqual([]);
  });

  test('of several quantizations without a name ends for good, and names them', async () => {
    await using hub = await startHub({
      'tiny-Q4_K_M.gguf': { content: weights(100), lfs: true },
      'tiny-Q8_0.gguf': { content: weights(200), lfs: true },
    });
    await using volume = await makeVolume();
    const env = { TRUNNION_URI: uri, HF_ENDPOINT: hub.origin };

    const refused = await volume.run(env);
    const fine = await volume.run({ ...env, ...files({ file: 'tiny-Q8_0.gguf' }) });

    expect(refused.code).toBe(64);
    expect(refused.lastWord).toContain('"tiny-Q4_K_M.gguf", "tiny-Q8_0.gguf"');
    expect(fine.code).toBe(0);
    expect(await readdir(volume.path('weights'))).toEqual(['tiny-Q8_0.gguf']);
  });

  test('of one model in GGUF ends for good before a byte of it is fetched, but for an engine that takes its folder', async () => {
    await using hub = await startHub({ 'tiny-Q8_0.gguf': { content: weights(200), lfs: true } });
    await using volume = await makeVolume();
    const env = { TRUNNION_URI: uri, HF_ENDPOINT: hub.origin };

    const refused = await volume.run(env);
    const left = await readdir(volume.path('.')).then((names) => names.filter((name) => !name.startsWith('.')));
    const fine = await volume.run({ ...env, TRUNNION_GGUF: 'folder' });

    expect(refused.code).toBe(64);
    expect(refused.lastWord).toContain('set spec.model.file: "tiny-Q8_0.gguf"');
    expect(left).toEqual([]);
    expect(fine.code).toBe(0);
    expect(await readdir(volume.path('weights'))).toEqual(['tiny-Q8_0.gguf']);
  });

  test('of a selection that is no JSON ends for good', async () => {
    await using volume = await makeVolume();

    const ended = await volume.run({ TRUNNION_URI: uri, TRUNNION_FILES: '{' });

    expect(ended).toMatchObject({ code: 64, lastWord: expect.stringContaining('TRUNNION_FILES') as unknown });
  });
});

describe('the volume of a model', () => {
  const plain = { uri };

  test('keeps its name where the spec says nothing of files', () => {
    expect(weightsOf(plain)).toBe(uri);
    expect(weightsKey({ uri, files: undefined, file: undefined })).toBe(weightsKey({ uri }));
  });

  test.each([
    { files: { include: ['a'] } },
    { files: { exclude: ['a'] } },
    { files: { include: ['a'], exclude: ['b'] } },
    { files: { include: ['a', 'b'] } },
    { file: 'a.gguf' },
    { file: 'a.gguf', files: { include: ['a'] } },
  ])('has a name of its own for %j', (selection) => {
    expect(isSameModel({ uri, ...selection }, plain)).toBe(false);
    expect(isSameModel({ uri, ...selection }, { uri, ...selection })).toBe(true);
    expect(isSameModel({ uri, ...selection }, { uri, files: { include: ['z'] } })).toBe(false);
  });
});

test.each(['hf://acme/tiny', 's3://models/tiny', 'pvc://models/tiny', 'oci://example.com/tiny:1'])(
  'the engine is given the file that is named of %s',
  (model) => {
    expect(weightsPath({ uri: model, file: 'Q8/a b.gguf' })).toBe('/models/weights/Q8/a b.gguf');
  },
);
