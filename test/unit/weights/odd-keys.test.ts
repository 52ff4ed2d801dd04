import { readdir } from 'node:fs/promises';
import { AwsV4Signer } from 'aws4fetch';
import { expect, test } from 'vitest';
import { makeVolume } from './support/fetcher.ts';
import { sendJson, startHost } from './support/host.ts';
import type { Seen } from './support/host.ts';

/** Names that somebody may read in another way than they are meant: as they are stored, and as they are on the volume. */
const NAMES = [
  '100%.bin',
  'a b.bin',
  'a%20b.bin',
  'a%2520b.bin',
  'a+b.bin',
  'a%2Bb.bin',
  'a#b.bin',
  'a?b=c&d.bin',
  "it's (1)!*.bin",
  '$HOME;,@:=.bin',
  'ü 🦙 你.bin',
  'a&amp;b<c>"d.bin',
  '~[x]{y}|^`.bin',
];

const KEYS = { AWS_ACCESS_KEY_ID: 'AKIA', AWS_SECRET_ACCESS_KEY: 'secret', AWS_REGION: 'eu-west-1' };

/** What S3 makes of a request: the signature of the path as it came, by another's signer. */
async function signatureOf(seen: Seen, origin: string): Promise<string | null> {
  const names = ['x-amz-content-sha256', 'x-amz-date'];
  const signer = new AwsV4Signer({
    url: origin + seen.url,
    method: seen.method,
    headers: Object.fromEntries(names.map((name) => [name, String(seen.headers[name])])),
    service: 's3',
    region: KEYS.AWS_REGION,
    accessKeyId: KEYS.AWS_ACCESS_KEY_ID,
    secretAccessKey: KEYS.AWS_SECRET_ACCESS_KEY,
    datetime: String(seen.headers['x-amz-date']),
  });
  return (await signer.sign()).headers.get('authorization');
}

const xml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const formed = (text: string): string => new URLSearchParams({ k: text }).toString().slice(2);

const s3Listing = (keyOf: (name: string) => string, type: string) => () =>
  `<ListBucketResult>${type}${NAMES.map((name) => `<Contents><Key>${keyOf(`m 1/${name}`)}</Key><ETag>"e"</ETag><Size>1</Size></Contents>`).join('')}</ListBucketResult>`;

interface Store {
  readonly uri: string;
  readonly variable: string;
  readonly listing: () => string;
  /** The path of an object, before its name. */
  readonly path: string;
}

const s3 = { uri: 's3://models/m%201', variable: 'AWS_ENDPOINT_URL', path: '/models/m%201/' };

const STORES: readonly (readonly [string, Store])[] = [
  ['S3', { ...s3, listing: s3Listing(formed, '<EncodingType>url</EncodingType>') }],
  ['a server that lists plain keys', { ...s3, listing: s3Listing(xml, '') }],
  [
    'Google Cloud Storage',
    {
      uri: 'gs://models/m%201',
      variable: 'STORAGE_EMULATOR_HOST',
      path: '/storage/v1/b/models/o/m%201%2F',
      listing: () =>
        JSON.stringify({ items: NAMES.map((name) => ({ name: `m 1/${name}`, size: '1', generation: '1' })) }),
    },
  ],
  [
    'Azure',
    {
      uri: 'az://acme.blob.core.windows.net/models/m%201',
      variable: 'AZURE_STORAGE_ENDPOINT',
      path: '/models/m%201/',
      listing: () =>
        `<EnumerationResults><Blobs>${NAMES.map((name) => `<Blob><Name>${xml(`m 1/${name}`)}</Name><Properties><Etag>e</Etag><Content-Length>1</Content-Length></Properties></Blob>`).join('')}</Blobs></EnumerationResults>`,
    },
  ],
];

test.each(STORES)('%s: the URI is decoded once, and each object lands under its true name', async (_, store) => {
  const wrong: string[] = [];
  await using host = await startHost(async (_request, response, seen, url) => {
    if (
      store.variable === 'AWS_ENDPOINT_URL' &&
      seen.headers.authorization !== (await signatureOf(seen, host.origin))
    ) {
      wrong.push(`the signature of ${seen.url}`);
    }
    const prefix = url.searchParams.get('prefix');
    if (prefix !== null) {
      if (prefix !== 'm 1/') wrong.push(`the prefix ${prefix}`);
      response.end(store.listing());
      return;
    }
    if (!NAMES.some((name) => url.pathname === new URL(store.path + encodeURIComponent(name), 'http://h').pathname)) {
      wrong.push(`the path ${seen.url}`);
    }
    if (seen.method === 'HEAD') sendJson(response, {}, 200, { 'x-amz-server-side-encryption': 'aws:kms' });
    else response.end('x');
  });
  await using volume = await makeVolume();

  const ended = await volume.run({ TRUNNION_URI: store.uri, [store.variable]: host.origin, ...KEYS });

  expect(wrong).toEqual([]);
  expect(ended.code).toBe(0);
  expect((await readdir(volume.path('weights'))).toSorted()).toEqual(NAMES.toSorted());
});
