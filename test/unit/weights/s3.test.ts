import { createHash } from 'node:crypto';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { AwsV4Signer } from 'aws4fetch';
import { expect, test } from 'vitest';
import { makeVolume } from './support/fetcher.ts';
import { send, startHost } from './support/host.ts';
import type { Host, Seen } from './support/host.ts';
import { weights } from './support/hub.ts';

const KEYS = { AWS_ACCESS_KEY_ID: 'AKIACANARY', AWS_SECRET_ACCESS_KEY: 'canary/secret', AWS_REGION: 'eu-west-1' };

interface Options {
  readonly objects: Readonly<Record<string, Buffer>>;
  readonly keys?: typeof KEYS | { readonly [key: string]: string };
  readonly partBytes?: number;
  readonly encryption?: string;
  /** What is sent in place of an object. */
  readonly sent?: Readonly<Record<string, Buffer>>;
  /** Answered to the first requests, in order, in place of what was asked. */
  readonly refusals?: { status: number; headers?: Record<string, string>; body?: string }[];
}

const md5 = (content: Buffer): Buffer => createHash('md5').update(content).digest();

function etagOf(content: Buffer, partBytes: number | undefined): string {
  if (partBytes === undefined) return md5(content).toString('hex');
  const parts = Array.from({ length: Math.ceil(content.length / partBytes) }, (_, index) =>
    md5(content.subarray(index * partBytes, (index + 1) * partBytes)),
  );
  return `${md5(Buffer.concat(parts)).toString('hex')}-${parts.length}`;
}

/** The signature that a request must have, created again from the request. */
async function signatureOf(seen: Seen, origin: string, keys: Readonly<Record<string, string>>): Promise<string> {
  const authorization = seen.headers.authorization ?? '';
  const signed = /SignedHeaders=([^,]+)/.exec(authorization)?.[1]?.split(';') ?? [];
  const headers = Object.fromEntries(
    signed.filter((name) => name !== 'host').map((name) => [name, String(seen.headers[name])]),
  );
  const signer = new AwsV4Signer({
    url: origin + seen.url,
    method: seen.method,
    headers,
    service: 's3',
    region: /\/([^/]+)\/s3\/aws4_request/.exec(authorization)?.[1] ?? '',
    accessKeyId: keys['AWS_ACCESS_KEY_ID'] ?? '',
    secretAccessKey: keys['AWS_SECRET_ACCESS_KEY'] ?? '',
    datetime: String(seen.headers['x-amz-date']),
  });
  return (await signer.sign()).headers.get('authorization') ?? '';
}

async function startS3({ objects, keys, partBytes, encryption, sent = {}, refusals = [] }: Options): Promise<Host> {
  const host: Host = await startHost(async (request, response, seen, url) => {
    const refusal = refusals.shift();
    if (refusal) {
      response.writeHead(refusal.status, refusal.headers).end(refusal.body);
      return;
    }
    if (keys && seen.headers.authorization !== (await signatureOf(seen, host.origin, keys))) {
      const reported = `<Error><Code>SignatureDoesNotMatch</Code><Key>${seen.headers.authorization}</Key></Error>`;
      response.writeHead(403).end(reported);
      return;
    }
    if (url.pathname === '/models') {
      response.end(listing(objects, url.searchParams, partBytes));
      return;
    }
    const key = decodeURIComponent(url.pathname.slice('/models/'.length));
    const content = objects[key];
    if (!content) {
      response.writeHead(404).end('<Error><Code>NoSuchKey</Code></Error>');
      return;
    }
    const etag = `"${etagOf(content, partBytes)}"`;
    if (request.headers['if-match'] !== undefined && request.headers['if-match'] !== etag) {
      response.writeHead(412).end('<Error><Code>PreconditionFailed</Code></Error>');
      return;
    }
    const headers = { etag, ...(encryption !== undefined && { 'x-amz-server-side-encryption': encryption }) };
    if (request.method === 'HEAD') {
      const first = url.searchParams.has('partNumber') && partBytes !== undefined ? partBytes : content.length;
      response.writeHead(200, { ...headers, 'content-length': Math.min(first, content.length) }).end();
      return;
    }
    await send(request, response, seen, sent[key] ?? content, headers);
  });
  return host;
}

/** One object a page, so that every listing of several has pages. */
function listing(
  objects: Readonly<Record<string, Buffer>>,
  query: URLSearchParams,
  partBytes: number | undefined,
): string {
  const keys = Object.keys(objects)
    .filter((key) => key.startsWith(query.get('prefix') ?? ''))
    .toSorted();
  const at = Number(query.get('continuation-token') ?? 0);
  const key = keys[at];
  const content = key === undefined ? undefined : objects[key];
  const contents = content
    ? `<Contents><Key>${encodeURIComponent(key ?? '').replaceAll('%20', '+')}</Key><ETag>&quot;${etagOf(content, partBytes)}&quot;</ETag><Size>${content.length}</Size></Contents>`
    : '';
  const next = at + 1 < keys.length ? `<NextContinuationToken>${at + 1}</NextContinuationToken>` : '';
  return `<?xml version="1.0"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><EncodingType>url</EncodingType>${contents}${next}</ListBucketResult>`;
}

const uri = 's3://models/llama-3';

test('all objects below the prefix are fetched with signed requests, and no neighbour of the prefix', async () => {
  const tensors = weights(200_000);
  await using s3 = await startS3({
    keys: KEYS,
    objects: {
      'llama-3/': Buffer.alloc(0),
      'llama-3/config.json': Buffer.from('{}'),
      'llama-3/a + b(1)/ü.safetensors': tensors,
      'llama-3-instruct/config.json': Buffer.from('other'),
    },
  });
  await using volume = await makeVolume();

  const ended = await volume.run({ TRUNNION_URI: uri, AWS_ENDPOINT_URL: s3.origin, ...KEYS });

  expect(ended.lastWord).toContain('"bytes":200002');
  expect(ended.code).toBe(0);
  expect(JSON.parse(ended.lastWord)).toMatchObject({ revision: expect.stringMatching(/^[0-9a-f]{40}$/) as unknown });
  expect(await readFile(volume.path('weights/a + b(1)/ü.safetensors'))).toEqual(tensors);
  expect((await readdir(volume.path('weights'))).toSorted()).toEqual(['a + b(1)', 'config.json']);
});

test('a URI of one object gives that one file', async () => {
  await using s3 = await startS3({
    objects: { 'm/model.gguf': Buffer.from('gguf'), 'm/model.gguf.bak': Buffer.from('x') },
  });
  await using volume = await makeVolume();

  const ended = await volume.run({
    TRUNNION_URI: 's3://models/m/model.gguf',
    TRUNNION_FILES: '{"file":"model.gguf"}',
    AWS_ENDPOINT_URL: s3.origin,
  });

  expect(ended.code).toBe(0);
  expect(await readdir(volume.path('weights'))).toEqual(['model.gguf']);
});

test.each([
  ['one part', {}],
  ['several parts', { partBytes: 30_000 }],
])('an object that was uploaded in %s is verified by its ETag', async (_name, options) => {
  const content = weights(100_000);
  await using s3 = await startS3({
    objects: { 'llama-3/w': content },
    sent: { 'llama-3/w': weights(100_000) },
    ...options,
  });
  await using intact = await startS3({ objects: { 'llama-3/w': content }, ...options });
  await using volume = await makeVolume();

  const damaged = await volume.run({ TRUNNION_URI: uri, AWS_ENDPOINT_URL: s3.origin });
  const fine = await volume.run({ TRUNNION_URI: uri, AWS_ENDPOINT_URL: intact.origin });

  expect(damaged.code).toBe(65);
  expect(damaged.lastWord).toContain('w is damaged at its source');
  expect(fine.code).toBe(0);
  expect(await readFile(volume.path('weights/w'))).toEqual(content);
});

test('an object under a key of KMS, whose ETag is no checksum, is fetched by its size', async () => {
  const content = weights(1000);
  await using s3 = await startS3({
    objects: { 'llama-3/w': weights(1000) },
    sent: { 'llama-3/w': content },
    encryption: 'aws:kms',
  });
  await using volume = await makeVolume();

  expect((await volume.run({ TRUNNION_URI: uri, AWS_ENDPOINT_URL: s3.origin })).code).toBe(0);
});

test('credentials that do not fit fail at once, name the Secret, and are not repeated', async () => {
  await using s3 = await startS3({ objects: {}, keys: { ...KEYS, AWS_SECRET_ACCESS_KEY: 'another' } });
  await using volume = await makeVolume();

  const ended = await volume.run({ TRUNNION_URI: uri, AWS_ENDPOINT_URL: s3.origin, ...KEYS });

  expect(ended.code).toBe(67);
  expect(ended.lastWord).toMatch(/s3:\/\/models\/llama-3 may not be read \(403 SignatureDoesNotMatch\)/);
  expect(ended.lastWord).toContain('AWS_SECRET_ACCESS_KEY');
  expect(ended.output + ended.lastWord).not.toMatch(/canary/i);
  expect(s3.requests).toHaveLength(1);
});

test('a prefix without objects fails at once', async () => {
  await using s3 = await startS3({ objects: { other: Buffer.from('x') } });
  await using volume = await makeVolume();

  const ended = await volume.run({ TRUNNION_URI: uri, AWS_ENDPOINT_URL: s3.origin });

  expect(ended).toMatchObject({ code: 66, lastWord: 'there is no object at s3://models/llama-3: check model.uri' });
});

test('a bucket of another region is asked again in its own', async () => {
  await using s3 = await startS3({
    objects: { 'llama-3/config.json': Buffer.from('{}') },
    keys: KEYS,
    refusals: [{ status: 301, headers: { 'x-amz-bucket-region': 'us-west-2' } }],
  });
  await using volume = await makeVolume();

  const ended = await volume.run({ TRUNNION_URI: uri, AWS_ENDPOINT_URL: s3.origin, ...KEYS });

  expect(ended.code).toBe(0);
  expect(s3.requests.at(-1)?.headers.authorization).toContain('/us-west-2/s3/');
});

test('a host that asks for patience is asked again no sooner than it said', async () => {
  await using s3 = await startS3({
    objects: { 'llama-3/config.json': Buffer.from('{}') },
    refusals: [{ status: 429, headers: { 'retry-after': '1' } }, { status: 503 }],
  });
  await using volume = await makeVolume();
  const began = performance.now();

  const ended = await volume.run({ TRUNNION_URI: uri, AWS_ENDPOINT_URL: s3.origin });

  expect(ended.code).toBe(0);
  expect(performance.now() - began).toBeGreaterThan(1000);
});

test('the identity of the ServiceAccount is exchanged for keys', async () => {
  const answer = `<AssumeRoleWithWebIdentityResponse><Credentials><AccessKeyId>${KEYS.AWS_ACCESS_KEY_ID}</AccessKeyId><SecretAccessKey>${KEYS.AWS_SECRET_ACCESS_KEY}</SecretAccessKey><SessionToken>session</SessionToken><Expiration>2999-01-01T00:00:00Z</Expiration></Credentials></AssumeRoleWithWebIdentityResponse>`;
  const asked: string[] = [];
  await using sts = await startHost(async (request, response) => {
    for await (const chunk of request) asked.push(String(chunk));
    response.end(answer);
  });
  await using s3 = await startS3({ objects: { 'llama-3/config.json': Buffer.from('{}') }, keys: KEYS });
  await using volume = await makeVolume();
  const token = volume.path('token');
  await writeFile(token, 'canary.jwt\n');

  const ended = await volume.run({
    TRUNNION_URI: uri,
    AWS_ENDPOINT_URL: s3.origin,
    AWS_ENDPOINT_URL_STS: sts.origin,
    AWS_ROLE_ARN: 'arn:aws:iam::1:role/reader',
    AWS_WEB_IDENTITY_TOKEN_FILE: token,
  });

  expect(ended.code).toBe(0);
  expect(asked).toHaveLength(1);
  expect(Object.fromEntries(new URLSearchParams(asked[0]))).toMatchObject({
    Action: 'AssumeRoleWithWebIdentity',
    RoleArn: 'arn:aws:iam::1:role/reader',
    WebIdentityToken: 'canary.jwt',
  });
  expect(s3.requests[0]?.headers['x-amz-security-token']).toBe('session');
});
