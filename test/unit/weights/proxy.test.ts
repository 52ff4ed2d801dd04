import { createServer } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { fetchEgress } from '../../../constructs/parts/weights/index.ts';
import { isExempt } from '../../../fetcher/no-proxy.ts';
import { parseProxy, PROXY_VARIABLES } from '../../../constructs/parts/weights/proxy.ts';
import { makeVolume } from './support/fetcher.ts';
import { sendJson, startHost } from './support/host.ts';
import { startHub } from './support/hub.ts';

test.each([
  ['http://proxy.corp.example:3128', 'http://proxy.corp.example:3128', 3128],
  ['proxy.corp.example:3128', 'http://proxy.corp.example:3128', 3128],
  [' proxy.corp.example:3128/\n', 'http://proxy.corp.example:3128/', 3128],
  ['proxy', 'http://proxy', 80],
  ['https://proxy', 'https://proxy', 443],
  ['user:p@ss:w@proxy:3128', 'http://user:p@ss:w@proxy:3128', 3128],
  ['http://user:p%40ss@10.0.0.1:8080/', 'http://user:p%40ss@10.0.0.1:8080/', 8080],
  ['[2001:db8::1]:3128', 'http://[2001:db8::1]:3128', 3128],
  ['HTTP://proxy:3128', 'http://proxy:3128', 3128],
  ['HTTPS://user:p%25w@Proxy', 'https://user:p%25w@Proxy', 443],
  ['DOMAIN%5Cuser:pw@proxy:3128', 'http://DOMAIN%5Cuser:pw@proxy:3128', 3128],
  ['http://u:p@[::1]:3128', 'http://u:p@[::1]:3128', 3128],
])('%j names a proxy: %s on port %s', (text, url, port) => {
  expect(parseProxy(text)).toEqual({ url, port });
});

test.each([
  '',
  'socks5://proxy:1080',
  'ftp://proxy',
  '2001:db8::1',
  'http://',
  'proxy:port',
  'proxy:99999',
  'proxy:0',
  'http://proxy/path',
  'a proxy:1',
  // Go refuses these (net/url of Go 1.25), and curl takes them as they are.
  'http://user:50%off@proxy:3128',
  'http://DOMAIN\\user:pw@proxy:3128',
  'http://user:p"w@proxy:3128',
  'http://user:pä@proxy:3128',
  // Bytes that are no text.
  'http://user:%E9@proxy:3128',
  // Numbers, which a URL takes for an address.
  '3128',
  'http://127.1:3128',
])('%j names none', (text) => {
  expect(parseProxy(text)).toBeUndefined();
});

test.each(PROXY_VARIABLES)('the port of the proxy that %s names is opened, with a scheme and without', (name) => {
  const ports = (value: string) =>
    fetchEgress({ model: { uri: 'hf://acme/tiny' }, env: [{ name, value }] }).flatMap((rule) =>
      (rule.ports ?? []).map(({ port }) => port),
    );
  expect(ports('http://proxy.corp.example:3128')).toContain(3128);
  expect(ports('proxy.corp.example:3128')).toContain(3128);
  expect(ports('me:secret@[2001:db8::1]:3128')).toContain(3128);
});

test.each([
  ['*', 'https://example.com', true],
  ['other.example, *', 'https://example.com', true],
  ['example.com', 'https://example.com', true],
  ['example.com', 'https://s3.example.com', true],
  ['.example.com', 'https://s3.example.com', true],
  ['*.example.com', 'https://s3.example.com', true],
  ['.svc', 'http://minio.storage.svc:9000', true],
  ['EXAMPLE.com', 'https://s3.Example.COM', true],
  ['example.com', 'https://badexample.com', false],
  ['example.com:8443', 'https://example.com:8443', true],
  ['example.com:443', 'https://example.com', true],
  ['example.com:8443', 'https://example.com', false],
  ['10.0.0.0/8', 'http://10.1.2.3:9000', true],
  ['10.0.0.0/8', 'http://11.1.2.3:9000', false],
  ['10.0.0.0/99', 'http://10.1.2.3', false],
  ['10.1.2.3', 'http://10.1.2.3', true],
  ['10.1.2.3:80', 'http://10.1.2.3', true],
  ['fd00::/8', 'http://[fd12::1]:9000', true],
  ['fd12::1', 'http://[fd12:0::1]', true],
  ['[fd12::1]', 'http://[fd12::1]', true],
  ['[fd12::1]:9000', 'http://[fd12::1]:9000', true],
  ['[fd12::1]:9001', 'http://[fd12::1]:9000', false],
  ['0.0.0.0/0', 'https://example.com', false],
  ['0.0.0.0/0', 'http://[fd12::1]', false],
  ['', 'https://example.com', false],
  [' , ,.', 'https://example.com', false],
])('NO_PROXY=%j exempts %s: %s', (noProxy, url, expected) => {
  const { protocol, hostname, port } = new URL(url);
  expect(isExempt(noProxy, hostname, Number(port || (protocol === 'https:' ? 443 : 80)))).toBe(expected);
});

/** A proxy that remembers what it was asked to connect to, and as whom. */
async function startProxy() {
  const asked: { readonly target: string; readonly authorization: string | undefined }[] = [];
  const server = createServer();
  server.on('connect', (request, socket) => {
    const target = request.url ?? '';
    asked.push({ target, authorization: request.headers['proxy-authorization'] });
    const [, port] = target.split(':');
    const upstream = connect(Number(port), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      upstream.pipe(socket);
      socket.pipe(upstream);
    });
    for (const each of [upstream, socket]) each.on('error', () => each.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    asked,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

describe('the fetcher', () => {
  const uri = 'hf://acme/tiny';
  const file = { 'config.json': { content: Buffer.from('{}') } };

  test.each([
    ['HTTP_PROXY', (port: number) => `127.0.0.1:${port}`],
    ['http_proxy', (port: number) => `http://127.0.0.1:${port}/`],
    ['ALL_PROXY', (port: number) => `127.0.0.1:${port}\n`],
  ])('goes through the proxy that %s names', async (name, value) => {
    await using hub = await startHub(file);
    await using proxy = await startProxy();
    await using volume = await makeVolume();
    const ended = await volume.run({ TRUNNION_URI: uri, HF_ENDPOINT: hub.origin, [name]: value(proxy.port) });
    expect(ended).toMatchObject({ code: 0 });
    expect(proxy.asked.map(({ target }) => target)).toContain(new URL(hub.origin).host);
  });

  test('says who it is to a proxy that wants to know, and to nobody else', async () => {
    await using hub = await startHub(file);
    await using proxy = await startProxy();
    await using volume = await makeVolume();
    const HTTP_PROXY = `me:canary-password@127.0.0.1:${proxy.port}`;
    const ended = await volume.run({ TRUNNION_URI: uri, HF_ENDPOINT: hub.origin, HTTP_PROXY });
    expect(ended).toMatchObject({ code: 0 });
    const basic = `Basic ${Buffer.from('me:canary-password').toString('base64')}`;
    expect(proxy.asked[0]?.authorization).toBe(basic);
    expect(ended.output).not.toContain('canary-password');
  });

  test('goes past the proxy where NO_PROXY says so, and an empty variable is none', async () => {
    await using hub = await startHub(file);
    await using proxy = await startProxy();
    await using volume = await makeVolume();
    const HTTP_PROXY = `127.0.0.1:${proxy.port}`;
    const env = { TRUNNION_URI: uri, HF_ENDPOINT: hub.origin, http_proxy: '', HTTPS_PROXY: ' ', HTTP_PROXY };
    expect(await volume.run({ ...env, NO_PROXY: '127.0.0.1' })).toMatchObject({ code: 0 });
    expect(proxy.asked).toEqual([]);
  });

  test.each(['127.0.0.0/8', 'proxy.example, *', '127.0.0.1:PORT'])(
    'goes past the proxy for every form of NO_PROXY that curl and Go know: %s',
    async (form) => {
      await using hub = await startHub(file);
      await using proxy = await startProxy();
      await using volume = await makeVolume();
      const ended = await volume.run({
        TRUNNION_URI: uri,
        HF_ENDPOINT: hub.origin,
        HTTP_PROXY: `127.0.0.1:${proxy.port}`,
        NO_PROXY: form.replace('PORT', new URL(hub.origin).port),
      });
      expect(ended).toMatchObject({ code: 0 });
      expect(proxy.asked).toEqual([]);
    },
  );

  test('has no proxy see what the node hands out: tokens of Google, and keys of EKS Pod Identity', async () => {
    await using node = await startHost((_, response, seen) =>
      sendJson(
        response,
        seen.url.startsWith('/computeMetadata')
          ? { access_token: 'token', expires_in: 3600 }
          : { AccessKeyId: 'a', SecretAccessKey: 'b', Token: 'c', Expiration: '2999-01-01T00:00:00Z' },
      ),
    );
    await using store = await startHost((_, response) => void response.writeHead(404).end());
    await using proxy = await startProxy();
    await using volume = await makeVolume();
    const HTTP_PROXY = `127.0.0.1:${proxy.port}`;
    await volume.run({
      TRUNNION_URI: 'gs://models/m',
      HTTP_PROXY,
      STORAGE_EMULATOR_HOST: store.origin,
      GCE_METADATA_HOST: new URL(node.origin).host,
      TRUNNION_WORKLOAD_IDENTITY: 'true',
    });
    await volume.run({
      TRUNNION_URI: 's3://models/m',
      HTTP_PROXY,
      AWS_ENDPOINT_URL: store.origin,
      AWS_CONTAINER_CREDENTIALS_FULL_URI: `${node.origin}/v1/credentials`,
    });
    expect(node.requests).toHaveLength(2);
    expect(store.requests).toHaveLength(2);
    expect(new Set(proxy.asked.map(({ target }) => target))).toEqual(new Set([new URL(store.origin).host]));
  });

  test('refuses at once, by its name, what is not a proxy that it can use, and shows no password', async () => {
    await using volume = await makeVolume();
    const ended = await volume.run({
      TRUNNION_URI: uri,
      HTTPS_PROXY: 'socks5://me:canary-password@proxy:1080',
      http_proxy: 'ftp://proxy',
    });
    expect(ended.code).toBe(64);
    expect(ended.lastWord).toBe(
      'HTTPS_PROXY must name an HTTP proxy, for instance http://proxy.example:3128, not "proxy:1080"; http_proxy must name an HTTP proxy, for instance http://proxy.example:3128, not "ftp://proxy"',
    );
    expect(ended.output).not.toContain('canary-password');
  });

  test.each(['http://me:50%canary@proxy:3128', 'CORP\\me:canary@proxy:3128', 'http://me:%E9canary@proxy:3128'])(
    'refuses at once a user and a password that programs read in different ways, and shows neither: %s',
    async (HTTPS_PROXY) => {
      await using volume = await makeVolume();
      const ended = await volume.run({ TRUNNION_URI: uri, HTTPS_PROXY });
      expect(ended.code).toBe(64);
      expect(ended.lastWord).toBe(
        'HTTPS_PROXY must have its user and password percent-encoded: % as %25, a backslash as %5C',
      );
      expect(ended.output).not.toContain('canary');
    },
  );

  test.each(['http://me:canary', 'http://me:p@canary/x', 'socks5://me:canary'])(
    'shows no password where the value names no host: %s',
    async (HTTPS_PROXY) => {
      await using volume = await makeVolume();
      const ended = await volume.run({ TRUNNION_URI: uri, HTTPS_PROXY });
      expect(ended.code).toBe(64);
      expect(ended.output).not.toContain('canary');
    },
  );
});
