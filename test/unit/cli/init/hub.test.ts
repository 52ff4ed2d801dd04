import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { hubModelOf } from '../../../../cli/init/hub-answer.ts';
import { askHub } from '../../../../cli/init/hub.ts';
import { parseModelUri, type HuggingFaceUri } from '../../../../constructs/parts/weights/index.ts';

const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function listening(server: Server): Promise<string> {
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const hub = (answer: RequestListener): Promise<string> => listening(createServer(answer));

const uri = parseModelUri('hf://owner/model@v1') as HuggingFaceUri;

const MODEL = {
  gated: false,
  safetensors: { total: 1_000_000_000 },
  siblings: [
    { rfilename: 'config.json', size: 600 },
    { rfilename: 'model.safetensors', size: 2_000_000_000 },
    { rfilename: 'pytorch_model.bin', size: 2_000_000_100 },
    { rfilename: 'original/consolidated.00.pth', size: 2_000_000_200 },
  ],
};

const CONFIG = { num_hidden_layers: 2 };

test('it asks for the files of the revision and its config.json, with the token, and for nothing else', async () => {
  const asked: (string | undefined)[] = [];
  const endpoint = await hub((request, response) => {
    asked.push(request.url, request.headers.authorization);
    response.end(JSON.stringify(request.url?.startsWith('/api/') ? MODEL : CONFIG));
  });
  expect(await askHub(uri, { HF_ENDPOINT: `${endpoint}/`, HF_TOKEN: ' secret\n' })).toEqual({
    config: CONFIG,
    from: endpoint,
    parameters: 1_000_000_000,
    weightBytes: 2_000_000_000,
    fileBytes: 2_000_000_600,
    isGated: false,
  });
  expect(asked).toEqual([
    '/api/models/owner/model/revision/v1?blobs=true',
    'Bearer secret',
    '/owner/model/resolve/v1/config.json',
    'Bearer secret',
  ]);
});

test.for([
  [401, {}, /owner\/model does not exist or is private: set HF_TOKEN/],
  [403, {}, /is gated: accept its terms/],
  [401, { 'x-error-code': 'GatedRepo' }, /is gated: accept its terms/],
  [404, {}, /no such model, no such revision/],
  [500, {}, /it answered 500/],
] as const)('it tells what %d means, with the host', async ([status, headers, words]) => {
  const endpoint = await hub((_, response) => void response.writeHead(status, headers).end());
  const { problem } = (await askHub(uri, { HF_ENDPOINT: endpoint })) as { problem: string };
  expect(problem).toMatch(words);
  expect(problem).toContain(`${endpoint} was asked for hf://owner/model@v1`);
});

test('a host that does not answer is given up', async () => {
  const endpoint = await hub(() => undefined);
  expect(await askHub(uri, { HF_ENDPOINT: endpoint }, 100)).toEqual({
    problem: expect.stringContaining('no answer in 0.1 s'),
  });
});

test('an answer without an end is given up', async () => {
  const endpoint = await hub((_, response) => {
    const more = (): void =>
      void (response.write('x'.repeat(1 << 20)) ? setImmediate(more) : response.once('drain', more));
    more();
  });
  expect(await askHub(uri, { HF_ENDPOINT: endpoint })).toEqual({
    problem: expect.stringContaining('more than 8388608 bytes'),
  });
});

test.for(['no URL', 'http://127.0.0.1:1'])('%s as HF_ENDPOINT is told', async (endpoint) => {
  expect(await askHub(uri, { HF_ENDPOINT: endpoint })).toEqual({ problem: expect.stringContaining(endpoint) });
});

test('it goes through the proxy that the environment names, but for hosts of NO_PROXY', async () => {
  const answer: RequestListener = (request, response) =>
    void response.end(JSON.stringify(request.url?.includes('/api/') ? MODEL : CONFIG));
  const endpoint = await hub(answer);
  const asked: (string | undefined)[] = [];
  const proxy = await hub((request, response) => {
    asked.push(request.url);
    answer(request, response);
  });
  const http_proxy = proxy.replace('http://', '');
  expect(await askHub(uri, { HF_ENDPOINT: endpoint, http_proxy })).toMatchObject({ config: CONFIG });
  expect(asked).toHaveLength(2);
  expect(asked[0]).toContain(`${endpoint}/api/models/owner/model`);
  // That of another scheme is not for this host.
  expect(await askHub(uri, { HF_ENDPOINT: endpoint, https_proxy: proxy })).toMatchObject({ config: CONFIG });
  const direct = { HF_ENDPOINT: endpoint, http_proxy, NO_PROXY: '127.0.0.0/8' };
  expect(await askHub(uri, direct)).toMatchObject({ config: CONFIG });
  expect(asked).toHaveLength(2);
});

test('a proxy that speaks no HTTP is told, without what may be a password', async () => {
  const env = { HF_ENDPOINT: 'http://hub.example', http_proxy: 'socks5://user:secret@proxy.example' };
  const { problem } = (await askHub(uri, env)) as { problem: string };
  expect(problem).toContain('names no HTTP proxy');
  expect(problem).not.toContain('secret');
});

test('of packed weights the values are not taken for parameters', () => {
  expect(hubModelOf(MODEL, { quantization_config: {} }, '')).not.toHaveProperty('parameters');
});

test('gated and private models are told, and an answer that says nothing is no error', () => {
  expect(hubModelOf({ gated: 'manual' }, {}, '')).toMatchObject({ isGated: true });
  expect(hubModelOf({ private: true }, {}, '')).toMatchObject({ isGated: true });
  expect(hubModelOf(undefined, undefined, 'x')).toEqual({ config: undefined, from: 'x', isGated: false });
});
