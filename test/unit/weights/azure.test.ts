import { createHash, createHmac } from 'node:crypto';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { parseAzurePage } from '../../../fetcher/sources/azure-answers.ts';
import { makeVolume } from './support/fetcher.ts';
import { send, sendJson, startHost } from './support/host.ts';
import type { Host, Seen } from './support/host.ts';
import { weights } from './support/hub.ts';

/*
 * The server behaves as Microsoft's reference of the Blob service says, below
 * https://learn.microsoft.com/rest/api/storageservices/: list-blobs, get-blob, authorize-with-shared-key,
 * status-and-error-codes2. The token is that of
 * https://learn.microsoft.com/entra/identity-platform/v2-oauth2-client-creds-grant-flow, third case.
 */

const uri = 'az://acme.blob.core.windows.net/models/llama-3';
const KEY = Buffer.from('canary-account-key').toString('base64');

interface Options {
  readonly blobs: Readonly<Record<string, Buffer>>;
  readonly folders?: readonly string[];
  readonly sent?: Readonly<Record<string, Buffer>>;
  /** Says who may ask; anybody where it is left out. */
  readonly lets?: (seen: Seen, url: URL) => boolean;
}

const refuse = (code: string): string => `\uFEFF<?xml version="1.0"?><Error><Code>${code}</Code></Error>`;

async function startAzure({ blobs, folders = [], sent = {}, lets = () => true }: Options): Promise<Host> {
  const names = [...Object.keys(blobs), ...folders].toSorted();
  return await startHost(async (request, response, seen, url) => {
    if (!lets(seen, url)) {
      response.writeHead(403).end(refuse('AuthenticationFailed'));
      return;
    }
    // Without a version Azure answers as its first one did.
    if (seen.headers['x-ms-version'] === undefined) {
      response.writeHead(400).end(refuse('MissingRequiredHeader'));
      return;
    }
    if (url.pathname === '/models' && url.searchParams.get('comp') === 'list') {
      const found = names.filter((name) => name.startsWith(url.searchParams.get('prefix') ?? ''));
      const at = Number(/^page!(\d+)$/.exec(url.searchParams.get('marker') ?? '')?.[1] ?? 0);
      response.end(listing(found.slice(at, at + 1), blobs, at + 1 < found.length ? at + 1 : undefined));
      return;
    }
    const name = decodeURIComponent(url.pathname.slice('/models/'.length));
    const content = blobs[name];
    if (!content) response.writeHead(404).end(refuse('BlobNotFound'));
    else if (seen.headers['if-match'] !== '"0x8D1"') response.writeHead(412).end(refuse('ConditionNotMet'));
    else await send(request, response, seen, sent[name] ?? content, { etag: '"0x8D1"' });
  });
}

const xml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

function listing(names: readonly string[], blobs: Options['blobs'], next: number | undefined): string {
  const entries = names.map((name) => {
    const content = blobs[name];
    const md5 = content && `<Content-MD5>${createHash('md5').update(content).digest('base64')}</Content-MD5>`;
    const properties = `<Etag>0x8D1</Etag><Content-Length>${content?.length ?? 0}</Content-Length>${md5 ?? '<Content-MD5 />'}`;
    const metadata = content ? '<Metadata />' : '<Metadata><hdi_isfolder>true</hdi_isfolder></Metadata>';
    return `<Blob><Name>${xml(name)}</Name><Properties>${properties}</Properties>${metadata}<OrMetadata /></Blob>`;
  });
  const marker = next === undefined ? '<NextMarker />' : `<NextMarker>page!${next}</NextMarker>`;
  return `\uFEFF<?xml version="1.0" encoding="utf-8"?><EnumerationResults ContainerName="models"><Prefix>llama-3</Prefix><Blobs>${entries.join('')}</Blobs>${marker}</EnumerationResults>`;
}

const small = { 'llama-3/config.json': Buffer.from('{}') };

test('all blobs of a public container below the prefix are fetched, page by page, without its folders', async () => {
  const tensors = weights(200_000);
  await using azure = await startAzure({
    blobs: { ...small, 'llama-3/a & b/ü%20+#?.bin': tensors, 'llama-3-instruct/config.json': Buffer.from('other') },
    folders: ['llama-3/a & b', 'llama-3/empty'],
  });
  await using volume = await makeVolume();

  const ended = await volume.run({ TRUNNION_URI: uri, AZURE_STORAGE_ENDPOINT: azure.origin });

  expect(ended.lastWord).toContain('"bytes":200002');
  expect(ended.code).toBe(0);
  expect(await readFile(volume.path('weights/a & b/ü%20+#?.bin'))).toEqual(tensors);
  expect((await readdir(volume.path('weights'))).toSorted()).toEqual(['a & b', 'config.json']);
  expect(azure.requests.every(({ headers }) => headers.authorization === undefined)).toBe(true);
});

test('a URI of one blob gives that one file', async () => {
  await using azure = await startAzure({
    blobs: { 'm/model.gguf': Buffer.from('gguf'), 'm/model.gguf.bak': weights(1) },
  });
  await using volume = await makeVolume();

  const ended = await volume.run({
    TRUNNION_URI: 'az://acme.blob.core.windows.net/models/m/model.gguf',
    TRUNNION_FILES: '{"file":"model.gguf"}',
    AZURE_STORAGE_ENDPOINT: azure.origin,
  });

  expect(ended.code).toBe(0);
  expect(await readdir(volume.path('weights'))).toEqual(['model.gguf']);
});

test('damaged bytes are found by the MD5 that the listing has', async () => {
  await using azure = await startAzure({ blobs: { 'llama-3/w': weights(1000) }, sent: { 'llama-3/w': weights(1000) } });
  await using volume = await makeVolume();
  expect((await volume.run({ TRUNNION_URI: uri, AZURE_STORAGE_ENDPOINT: azure.origin })).code).toBe(65);
});

/** The header that a request must have, made from the request as authorize-with-shared-key says. */
function sharedKey({ method, headers }: Seen, { pathname, searchParams }: URL): string {
  const header = (name: string): string => String(headers[name] ?? '');
  const own = Object.keys(headers).filter((name) => name.startsWith('x-ms-'));
  const text = `${method}\n\n\n\n\n\n\n\n${header('if-match')}\n\n\n${header('range')}\n${own
    .toSorted()
    .map((name) => `${name}:${header(name)}\n`)
    .join('')}/acme${pathname}${[...searchParams]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `\n${name}:${value}`)
    .join('')}`;
  return `SharedKey acme:${createHmac('sha256', Buffer.from(KEY, 'base64')).update(text).digest('base64')}`;
}

test.each(['AZURE_STORAGE_KEY', 'TRUNNION_AZURE_STORAGE_KEY_1', 'TRUNNION_AZURE_STORAGE_KEY_2'])(
  'a key of the account, as %s, signs each request',
  async (variable) => {
    await using azure = await startAzure({
      blobs: { ...small, 'llama-3/ü + (1).bin': weights(10) },
      lets: (seen, url) => seen.headers.authorization === sharedKey(seen, url),
    });
    await using volume = await makeVolume();
    const ended = await volume.run({ TRUNNION_URI: uri, AZURE_STORAGE_ENDPOINT: azure.origin, [variable]: KEY });
    expect(ended).toMatchObject({ code: 0 });
  },
);

test('a download that breaks continues from where it was, by the range that was signed', async () => {
  const content = weights(300_000);
  let cut = true;
  await using azure = await startHost(async (request, response, seen, url) => {
    if (seen.headers.authorization !== sharedKey(seen, url))
      response.writeHead(403).end(refuse('AuthenticationFailed'));
    else if (url.searchParams.has('comp')) response.end(listing(['llama-3/w'], { 'llama-3/w': content }, undefined));
    else {
      const fault = cut ? { cutAfter: 100_000 } : {};
      cut = false;
      await send(request, response, seen, content, {}, fault);
    }
  });
  await using volume = await makeVolume();

  const ended = await volume.run({ TRUNNION_URI: uri, AZURE_STORAGE_ENDPOINT: azure.origin, AZURE_STORAGE_KEY: KEY });

  expect(ended.code).toBe(0);
  expect(await readFile(volume.path('weights/w'))).toEqual(content);
  expect(azure.requests.at(-1)?.range).toMatch(/^bytes=[1-9]\d*-$/);
});

test.each(['sv=2022-11-02&sig=canary%2Fsignature%3D', '?sv=2022-11-02&sig=canary%2Fsignature%3D'])(
  'a shared access signature goes with each request, and into no log: %s',
  async (AZURE_STORAGE_SAS_TOKEN) => {
    await using azure = await startAzure({
      blobs: small,
      lets: (_, url) => url.searchParams.get('sig') === 'canary/signature=' && url.searchParams.get('sv') !== null,
    });
    await using volume = await makeVolume();
    const env = { TRUNNION_URI: uri, AZURE_STORAGE_ENDPOINT: azure.origin, AZURE_STORAGE_SAS_TOKEN };
    const ended = await volume.run(env);
    const refused = await (await makeVolume()).run({ ...env, AZURE_STORAGE_SAS_TOKEN: 'sv=1&sig=canary' });
    expect(ended.code).toBe(0);
    expect(refused.code).toBe(67);
    expect(ended.output + refused.output + refused.lastWord).not.toContain('canary');
  },
);

test('a server that repeats the signature in an error does not get it into a log', async () => {
  await using azure = await startHost((_request, response, _seen, url) => {
    const sig = url.searchParams.get('sig') ?? '';
    response.writeHead(400).end(`sig ${sig} of ${encodeURIComponent(sig)} in ${url.search} is odd`);
  });
  await using volume = await makeVolume();
  const ended = await volume.run({
    TRUNNION_URI: uri,
    AZURE_STORAGE_ENDPOINT: azure.origin,
    AZURE_STORAGE_SAS_TOKEN: '?sv=2022-11-02&sig=canary%2Fsignature%3D',
  });
  expect(ended.lastWord).toContain('is odd');
  expect(ended.output + ended.lastWord).not.toContain('canary');
});

test('the identity that the webhook gives the pod is traded for a token', async () => {
  const asked: string[] = [];
  await using login = await startHost(async (request, response) => {
    for await (const chunk of request) asked.push(String(chunk));
    sendJson(response, { token_type: 'Bearer', expires_in: 3599, access_token: 'canary.token' });
  });
  await using azure = await startAzure({
    blobs: small,
    lets: ({ headers }) => headers.authorization === 'Bearer canary.token',
  });
  await using volume = await makeVolume();
  const file = volume.path('token');
  await writeFile(file, 'canary.jwt\n');

  const ended = await volume.run({
    TRUNNION_URI: uri,
    AZURE_STORAGE_ENDPOINT: azure.origin,
    AZURE_CLIENT_ID: 'client',
    AZURE_TENANT_ID: 'tenant',
    AZURE_FEDERATED_TOKEN_FILE: file,
    AZURE_AUTHORITY_HOST: `${login.origin}/`,
  });

  expect(ended.code).toBe(0);
  expect(login.requests.map(({ url }) => url)).toEqual(['/tenant/oauth2/v2.0/token']);
  expect(Object.fromEntries(new URLSearchParams(asked[0]))).toEqual({
    grant_type: 'client_credentials',
    client_id: 'client',
    scope: 'https://storage.azure.com/.default',
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: 'canary.jwt',
  });
  expect(ended.output).not.toContain('canary');
});

test('an identity that Azure does not know is reported with its own code, and not tried again', async () => {
  await using login = await startHost((_request, response) =>
    sendJson(response, { error: 'invalid_client', error_description: 'AADSTS70021: No matching record' }, 401),
  );
  await using volume = await makeVolume();
  const file = volume.path('token');
  await writeFile(file, 'canary.jwt');
  const ended = await volume.run({
    TRUNNION_URI: uri,
    AZURE_CLIENT_ID: 'client',
    AZURE_TENANT_ID: 'tenant',
    AZURE_FEDERATED_TOKEN_FILE: file,
    AZURE_AUTHORITY_HOST: login.origin,
  });
  expect(ended.code).toBe(67);
  expect(ended.lastWord).toContain('(401 invalid_client AADSTS70021): check the federated credential');
  expect(login.requests).toHaveLength(1);
});

test.each([
  [403, 'AuthorizationPermissionMismatch', 67, 'Storage Blob Data Reader'],
  [409, 'PublicAccessNotPermitted', 67, 'Storage Blob Data Reader'],
  [404, 'ContainerNotFound', 66, 'or it is not public'],
])('a container that answers %d %s fails at once and says what to do', async (status, code, exit, words) => {
  await using azure = await startHost((_request, response) => void response.writeHead(status).end(refuse(code)));
  await using volume = await makeVolume();
  const ended = await volume.run({ TRUNNION_URI: uri, AZURE_STORAGE_ENDPOINT: azure.origin });
  expect(ended.code).toBe(exit);
  expect(ended.lastWord).toContain(code);
  expect(ended.lastWord).toContain(words);
  expect(azure.requests).toHaveLength(1);
});

const blob = (inner: string): string => `<EnumerationResults><Blobs><Blob>${inner}</Blob></Blobs></EnumerationResults>`;

test.each([
  [
    'a folder of a hierarchical namespace',
    '<Name>a</Name><Properties><Content-Length>0</Content-Length><ResourceType>directory</ResourceType></Properties>',
    [],
  ],
  [
    'a file whose metadata calls it a folder',
    '<Name>a</Name><Properties><Content-Length>5</Content-Length></Properties><Metadata><hdi_isfolder>true</hdi_isfolder></Metadata>',
    ['a'],
  ],
  [
    'a name that XML can not hold',
    '<Name Encoded="true">a%20b%EF%BF%BE</Name><Properties><Content-Length>5</Content-Length></Properties>',
    ['a b\uFFFE'],
  ],
  [
    'a name with a percent sign',
    '<Name>a%20b</Name><Properties><Content-Length>5</Content-Length></Properties>',
    ['a%20b'],
  ],
])('in a listing, %s', (_, inner, keys) => {
  expect(parseAzurePage(blob(inner)).items.map(({ key }) => key)).toEqual(keys);
});

test.each([
  '<Name>a</Name>',
  '<Properties><Content-Length>1</Content-Length></Properties>',
  '<Name Encoded="true">%zz</Name><Content-Length>1</Content-Length>',
])('a listing with %s may come right the next time', (inner) => {
  expect(() => parseAzurePage(blob(inner))).toThrow(expect.objectContaining({ name: 'FetchError', retry: true }));
});
