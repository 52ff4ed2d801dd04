import { createHash, createVerify, generateKeyPairSync } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { crc32c } from '../../../fetcher/crc32c.ts';
import { makeVolume } from './support/fetcher.ts';
import { send, sendJson, startHost } from './support/host.ts';
import type { Host } from './support/host.ts';
import { weights } from './support/hub.ts';

const uri = 'gs://models/llama-3/';

interface GcsObject {
  readonly content: Buffer;
  /** A composed object has no MD5. */
  readonly composed?: boolean;
  readonly sent?: Buffer;
}

const base64 = (value: number): string => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes.toString('base64');
};

async function startGcs(objects: Readonly<Record<string, GcsObject>>, token?: string): Promise<Host> {
  return await startHost(async (request, response, seen, url) => {
    if (token !== undefined && request.headers.authorization !== `Bearer ${token}`) {
      sendJson(response, { error: { message: `no ${String(request.headers.authorization)}` } }, 401);
      return;
    }
    if (url.pathname === '/storage/v1/b/models/o') {
      const names = Object.keys(objects).filter((name) => name.startsWith(url.searchParams.get('prefix') ?? ''));
      const at = Number(url.searchParams.get('pageToken') ?? 0);
      const items = names.slice(at, at + 1).map((name) => itemOf(name, objects[name]));
      sendJson(response, { items, ...(at + 1 < names.length && { nextPageToken: String(at + 1) }) });
      return;
    }
    const object = objects[decodeURIComponent(url.pathname.slice('/storage/v1/b/models/o/'.length))];
    if (!object || url.searchParams.get('generation') !== '7') sendJson(response, {}, 404);
    else await send(request, response, seen, object.sent ?? object.content);
  });
}

function itemOf(name: string, object: GcsObject | undefined): object {
  const content = object?.content ?? Buffer.alloc(0);
  return {
    name,
    size: String(content.length),
    generation: '7',
    crc32c: base64(crc32c(content)),
    ...(object?.composed !== true && { md5Hash: createHash('md5').update(content).digest('base64') }),
  };
}

test('CRC-32C gives the values of RFC 3720, however the bytes are cut', () => {
  expect(crc32c(Buffer.alloc(32))).toBe(0x8a9136aa);
  expect(crc32c(Buffer.alloc(32, 0xff))).toBe(0x62a8ab43);
  expect(crc32c(Buffer.from('123456789'))).toBe(0xe3069283);
  expect(crc32c(Buffer.from('6789'), crc32c(Buffer.from('12345')))).toBe(0xe3069283);
});

test('all objects below the prefix are fetched', async () => {
  const tensors = weights(100_000);
  await using gcs = await startGcs({
    'llama-3/config.json': { content: Buffer.from('{}') },
    'llama-3/deep er/model.safetensors': { content: tensors, composed: true },
  });
  await using volume = await makeVolume();

  const ended = await volume.run({ TRUNNION_URI: uri, STORAGE_EMULATOR_HOST: gcs.origin });

  expect(ended.code).toBe(0);
  expect(JSON.parse(ended.lastWord)).toMatchObject({ bytes: 100_002 });
  expect(await readFile(volume.path('weights/deep er/model.safetensors'))).toEqual(tensors);
});

test.each([
  ['MD5', false],
  ['CRC-32C', true],
])('damaged bytes are found by %s', async (_name, composed) => {
  await using gcs = await startGcs({ 'llama-3/w': { content: weights(1000), sent: weights(1000), composed } });
  await using volume = await makeVolume();

  const ended = await volume.run({ TRUNNION_URI: uri, STORAGE_EMULATOR_HOST: gcs.origin });

  expect(ended.code).toBe(65);
});

test("a service account's key is traded for a token by a signed assertion", async () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const bodies: string[] = [];
  await using google = await startHost(async (request, response) => {
    for await (const chunk of request) bodies.push(String(chunk));
    sendJson(response, { access_token: 'ya29.canary', expires_in: 3600 });
  });
  await using gcs = await startGcs({ 'llama-3/config.json': { content: Buffer.from('{}') } }, 'ya29.canary');
  await using volume = await makeVolume();
  const key = {
    client_email: 'reader@acme.iam.gserviceaccount.com',
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    token_uri: `${google.origin}/token`,
  };

  const ended = await volume.run({
    TRUNNION_URI: uri,
    STORAGE_EMULATOR_HOST: gcs.origin,
    TRUNNION_GOOGLE_APPLICATION_CREDENTIALS_JSON_1: JSON.stringify(key),
  });

  expect(ended.code).toBe(0);
  expect(bodies).toHaveLength(1);
  const [header, claims, signature] = (new URLSearchParams(bodies[0]).get('assertion') ?? '').split('.');
  const verify = createVerify('RSA-SHA256').update(`${header}.${claims}`);
  expect(verify.verify(publicKey, signature ?? '', 'base64url')).toBe(true);
  expect(JSON.parse(Buffer.from(claims ?? '', 'base64url').toString())).toMatchObject({
    iss: key.client_email,
    aud: key.token_uri,
    scope: 'https://www.googleapis.com/auth/devstorage.read_only',
  });
});

test('the identity of the pod comes from the metadata server where the spec says so', async () => {
  await using metadata = await startHost((request, response) => {
    if (request.headers['metadata-flavor'] === 'Google')
      sendJson(response, { access_token: 'from-metadata', expires_in: 60 });
    else sendJson(response, {}, 403);
  });
  await using gcs = await startGcs({ 'llama-3/config.json': { content: Buffer.from('{}') } }, 'from-metadata');
  await using volume = await makeVolume();

  const ended = await volume.run({
    TRUNNION_URI: uri,
    STORAGE_EMULATOR_HOST: gcs.origin,
    TRUNNION_WORKLOAD_IDENTITY: 'true',
    GCE_METADATA_HOST: new URL(metadata.origin).host,
  });

  expect(ended.code).toBe(0);
});

test('without a right to read it fails at once and says which key the Secret must have', async () => {
  await using gcs = await startGcs({}, 'right');
  await using volume = await makeVolume();

  const ended = await volume.run({ TRUNNION_URI: uri, STORAGE_EMULATOR_HOST: gcs.origin });

  expect(ended.code).toBe(67);
  expect(ended.lastWord).toContain('GOOGLE_APPLICATION_CREDENTIALS_JSON');
});

test('a key that is no key is told without being repeated', async () => {
  await using gcs = await startGcs({}, 'right');
  await using volume = await makeVolume();

  const ended = await volume.run({
    TRUNNION_URI: uri,
    STORAGE_EMULATOR_HOST: gcs.origin,
    GOOGLE_APPLICATION_CREDENTIALS_JSON: '{"private_key": "canary"',
  });

  expect(ended.code).toBe(67);
  expect(ended.lastWord).toContain('is not the JSON file that Google gives');
  expect(ended.output).not.toContain('canary');
});
