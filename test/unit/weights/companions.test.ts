import { createHash } from 'node:crypto';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { companionsOf, isSameModel } from '../../../constructs/parts/weights/index.ts';
import { selfSigned } from './support/certificate.ts';
import { makeVolume } from './support/fetcher.ts';
import { send, sendJson, startHost } from './support/host.ts';
import { startHub, weights } from './support/hub.ts';

const uri = 'hf://acme/tiny';
const beside = (companions: object) => ({ TRUNNION_BESIDE: JSON.stringify(companions) });

const repository = {
  'config.json': { content: Buffer.from('{}') },
  'tokenizer.json': { content: Buffer.from('{"a":1}') },
  'model.safetensors': { content: weights(5000), lfs: true },
};

const certificate = selfSigned();
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trunnion-beside-'));
  await writeFile(join(folder, 'ca.pem'), certificate.cert);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

describe('a fetch', () => {
  test('brings a tokenizer without weights, and a draft model, each to a folder beside the model', async () => {
    await using hub = await startHub(repository);
    await using volume = await makeVolume();

    const env = { TRUNNION_URI: uri, HF_ENDPOINT: hub.origin, ...beside({ tokenizer: uri, draft: `${uri}@main` }) };
    const ended = await volume.run(env);

    expect(ended.code).toBe(0);
    expect(JSON.parse(ended.lastWord)).toMatchObject({ bytes: 5009 });
    const names = Object.keys(repository).toSorted();
    expect((await readdir(volume.path('tokenizer'))).toSorted()).toEqual(
      names.filter((name) => name.endsWith('.json')),
    );
    expect((await readdir(volume.path('draft'))).toSorted()).toEqual(names);
    expect((await readdir(volume.path('weights'))).toSorted()).toEqual(names);
  });

  test('brings what is missing beside a model that is there, and who waits, waits for it', async () => {
    await using hub = await startHub(repository);
    await using volume = await makeVolume();
    const env = { TRUNNION_URI: uri, HF_ENDPOINT: hub.origin };
    await volume.run(env);
    hub.requests.length = 0;

    const wait = volume.start({ ...env, ...beside({ tokenizer: uri }), TRUNNION_MODE: 'wait' });
    await wait.line(({ message }) => String(message).includes('waiting'));
    const ended = await volume.run({ ...env, ...beside({ tokenizer: uri }) });

    expect([ended.code, (await wait.ended).code]).toEqual([0, 0]);
    expect(hub.requests.filter(({ url }) => url.includes('safetensors'))).toEqual([]);
  });

  test('that fails at what comes with the model says which it was', async () => {
    await using hub = await startHub(repository);
    await using volume = await makeVolume();

    const ended = await volume.run({
      TRUNNION_URI: uri,
      HF_ENDPOINT: hub.origin,
      ...beside({ draft: 'hf://acme/none' }),
    });

    expect(ended.code).toBe(66);
    expect(ended.lastWord).toMatch(/^model\.draft: hf:\/\/acme\/none/);
    expect(await readdir(volume.root)).not.toContain('weights');
  });

  test('gives the host of the vocabulary none of the credentials of the model', async () => {
    const vocabulary = Buffer.from('IQ== 0\n');
    await using web = await startHost(
      (request, response, seen) => send(request, response, seen, vocabulary),
      certificate,
    );
    await using bucket = await startHost((request, response, seen) => {
      if (request.url?.includes('list-type') !== true) return send(request, response, seen, Buffer.from('{}'));
      const item =
        '<Contents><Key>m/config.json</Key><ETag>&quot;99914b932bd37a50b983c5e7c90ae93b&quot;</ETag><Size>2</Size></Contents>';
      response.end(`<ListBucketResult>${item}</ListBucketResult>`);
      return undefined;
    });
    await using volume = await makeVolume();
    const sha256 = createHash('sha256').update(vocabulary).digest('hex');

    const ended = await volume.run({
      TRUNNION_URI: 's3://models/m',
      AWS_ENDPOINT_URL: bucket.origin,
      NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem'),
      TOKEN: 'canary-0123456789',
      ...beside({ vocabulary: `${web.origin}/encodings/o200k_base.tiktoken#sha256=${sha256}` }),
    });

    expect(ended.code).toBe(0);
    expect(await readFile(volume.path('vocabulary/o200k_base.tiktoken'))).toEqual(vocabulary);
    expect(web.requests.map(({ headers }) => headers.authorization)).toEqual(web.requests.map(() => undefined));
  });

  test('of a vocabulary that cannot be fetched says how to run without it', async () => {
    await using web = await startHost((_request, response) => {
      response.writeHead(404).end();
    }, certificate);
    await using volume = await makeVolume();

    const ended = await volume.run({
      TRUNNION_URI: uri,
      NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem'),
      ...beside({ vocabulary: `${web.origin}/o200k_base.tiktoken` }),
    });

    expect(ended.code).toBe(66);
    expect(ended.lastWord).toMatch(/^model\.vocabulary: .*; to run without it set model\.vocabulary to none$/);
  });

  test('of a vocabulary that is another one ends for good', async () => {
    await using web = await startHost((_request, response) => sendJson(response, {}), certificate);
    await using volume = await makeVolume();

    const ended = await volume.run({
      TRUNNION_URI: uri,
      NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem'),
      ...beside({ vocabulary: `${web.origin}/o200k_base.tiktoken#sha256=${'0'.repeat(64)}` }),
    });

    expect(ended.code).toBe(65);
    expect(ended.lastWord).toContain('model.vocabulary: o200k_base.tiktoken is damaged');
  });
});

// openai/harmony, src/tiktoken_ext/public_encodings.rs: O200kHarmony's public_vocab_file_url, vocab_file_name, expected_hash.
const HARMONY =
  'https://openaipublic.blob.core.windows.net/encodings/o200k_base.tiktoken#sha256=446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d';

describe('what comes with a model', () => {
  test.each(['hf://openai/gpt-oss-20b', 'huggingface://unsloth/GPT-OSS-120b@main', 's3://models/gpt-oss-20b/'])(
    '%s comes with the vocabulary of Harmony, by the name and checksum by which openai-harmony takes it',
    (model) => {
      expect(companionsOf({ uri: model })).toEqual({ vocabulary: HARMONY });
      expect(companionsOf({ uri: model, vocabulary: 'none' })).toEqual({});
    },
  );

  test.each([
    'hf://acme/tiny',
    'pvc://models/gpt-oss-20b',
    'oci://example.com/gpt-oss-20b:1',
    'https://h/gpt-oss.gguf',
  ])('%s comes with none', (model) => {
    expect(companionsOf({ uri: model })).toEqual({});
  });

  test('another model of that format comes with it where its spec says so', () => {
    expect(companionsOf({ uri, vocabulary: 'harmony' })).toEqual({ vocabulary: HARMONY });
  });

  test('it is part of what lies on the volume', () => {
    expect(isSameModel({ uri }, { uri, tokenizer: { uri } })).toBe(false);
    expect(isSameModel({ uri, draft: { uri: 'hf://a/b' } }, { uri, draft: { uri: 'hf://a/c' } })).toBe(false);
    expect(isSameModel({ uri, vocabulary: 'none' }, { uri })).toBe(true);
  });
});
