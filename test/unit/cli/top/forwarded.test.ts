import { hash } from 'node:crypto';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { askEngines, type Dial } from '../../../../cli/top/engines.ts';
import { portForward } from '../../../../cli/kube/port-forward.ts';
import { serverOf } from './support/server.ts';

/** By RFC 6455, section 1.3. */
const MAGIC = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const BINARY = 0x82;
const CLOSE = 8;

/** Gives each whole message of a client to `take`, and its opcode: masked frames, none in pieces. */
function readFrames(socket: Duplex, take: (opcode: number, payload: Buffer) => void): void {
  let rest = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= 2) {
      const short = (rest[1] ?? 0) & 127;
      const from = short === 126 ? 4 : 2;
      if (rest.length < from + 4) return;
      const length = short === 126 ? rest.readUInt16BE(2) : short;
      const mask = rest.subarray(from, from + 4);
      const payload = rest.subarray(from + 4, from + 4 + length);
      if (payload.length < length) return;
      take((rest[0] ?? 0) & 15, payload.map((byte, at) => byte ^ (mask[at % 4] ?? 0)) as Buffer);
      rest = rest.subarray(from + 4 + length);
    }
  });
}

function send(socket: Duplex, channel: number, content: Buffer): void {
  const length = content.length + 1;
  const head = length < 126 ? [BINARY, length] : [BINARY, 126, length >> 8, length & 255];
  socket.write(Buffer.concat([Buffer.from([...head, channel]), content]));
}

/** An API server and kubelet in one: it leads every port to the same port of this machine. Its address. */
async function apiServer(paths: string[]): Promise<string> {
  const server = createServer();
  server.on('upgrade', (request, socket: Duplex) => {
    paths.push(request.url ?? '');
    socket.on('error', () => undefined);
    if (request.headers.authorization !== 'Bearer t') return void socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    const port = Number(new URL(request.url ?? '', 'http://x').searchParams.get('ports'));
    const accept = hash('sha1', `${request.headers['sec-websocket-key']}${MAGIC}`, 'base64');
    const head = ['HTTP/1.1 101 Switching Protocols', 'Upgrade: websocket', 'Connection: Upgrade'];
    socket.write(
      [...head, `Sec-WebSocket-Accept: ${accept}`, 'Sec-WebSocket-Protocol: v4.channel.k8s.io', '', ''].join('\r\n'),
    );
    const number = Buffer.from([port & 255, port >> 8]);
    for (const channel of [0, 1]) send(socket, channel, number);
    const upstream = connect({ port, host: '127.0.0.1' });
    upstream.on('error', ({ message }) => send(socket, 1, Buffer.from(message)));
    // An engine's answer comes in pieces of the network, none longer than a frame of this kind.
    upstream.on('data', (chunk: Buffer) => {
      for (let at = 0; at < chunk.length; at += 10_000) send(socket, 0, chunk.subarray(at, at + 10_000));
    });
    upstream.on('end', () => socket.end(Buffer.from([0x80 | CLOSE, 0])));
    readFrames(socket, (opcode, payload) => {
      if (opcode === CLOSE) upstream.end();
      else upstream.write(payload.subarray(1));
    });
    socket.on('close', () => upstream.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const engine = (name: string, port: number) => ({
  namespace: 'models',
  name,
  isOurs: true,
  label: 'model-serving',
  instance: 'llama',
  gpus: 1,
  node: 'gpu-0',
  metrics: { port, path: '/metrics' },
});

test('engines are asked through the API server, with the credentials of the reader', async () => {
  const padding = '# a comment\n'.repeat(4_000);
  let tokens = 0;
  const port = await serverOf((_, response) => {
    tokens += 400;
    response.end(`${padding}vllm:num_requests_running 2\nvllm:generation_tokens_total ${tokens}\n`);
  });
  const paths: string[] = [];
  const connection = { url: await apiServer(paths), authorization: 'Bearer t', namespace: 'models' };
  const pods = [engine('a', port), engine('closed', 1)];
  const { readings, failures } = await askEngines(
    pods,
    (pod, at, signal) => portForward(connection, pod, at, signal),
    new AbortController().signal,
    200,
  );
  expect(readings.get('models/a')).toEqual({ running: 2, tokensPerSecond: expect.any(Number) });
  expect(readings.get('models/a')?.tokensPerSecond).toBeGreaterThan(0);
  expect(paths).toContain(`/api/v1/namespaces/models/pods/a/portforward?ports=${port}`);
  expect(failures).toEqual([
    {
      pod: 'models/closed',
      words: expect.stringMatching(/^no connection to the pod models\/closed by way of the API server: .*ECONNREFUSED/),
    },
  ]);
});

test('an engine that the reader may not reach is told', async () => {
  const connection = { url: await apiServer([]), authorization: 'Bearer other', namespace: 'models' };
  const dial: Dial = (pod, at, signal) => portForward(connection, pod, at, signal);
  const { failures } = await askEngines([engine('a', 8000)], dial, new AbortController().signal);
  expect(failures.map(({ words }) => words)).toEqual([expect.stringMatching(/: (?:it was refused|Received .*)$/)]);
});

test('an API server that does not answer is given up, and nothing is left open', async () => {
  const server = createServer();
  const closed = new Promise<void>((resolve) => {
    server.on('upgrade', (_, socket: Duplex) => {
      socket.on('error', () => resolve());
      socket.on('end', () => {
        socket.end();
        resolve();
      });
      socket.resume();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
  });
  const connection = { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, namespace: 'models' };
  const dial: Dial = (pod, at, signal) => portForward(connection, pod, at, signal);
  const { failures } = await askEngines([engine('a', 8000)], dial, AbortSignal.timeout(300));
  expect(failures).toEqual([{ pod: 'models/a', words: 'no answer in time' }]);
  await closed;
});
