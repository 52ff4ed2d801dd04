import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { askExporters } from '../../../../cli/top/dcgm.ts';
import { askEngines, type Dial, readingOf } from '../../../../cli/top/engines.ts';
import type { TopPod } from '../../../../cli/top/types.ts';
import { pod } from '../support/objects.ts';
import { serverOf } from './support/server.ts';

const NEVER = new AbortController().signal;

/** Every pod is on this machine. */
const dial: Dial = (_, port) =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1' }, () => resolve(socket));
    socket.once('error', reject);
  });

const engine = (name: string, port: number): TopPod => ({
  namespace: 'models',
  name,
  isOurs: true,
  label: 'model-serving',
  instance: 'llama',
  gpus: 1,
  node: 'gpu-0',
  metrics: { port, path: '/metrics' },
});

const vllm = (tokens: number) => `\
# TYPE vllm:num_requests_running gauge
vllm:num_requests_running{engine="0",model_name="llama"} 3.0
vllm:num_requests_waiting{engine="0",model_name="llama"} 2.0
vllm:num_requests_waiting_by_reason{reason="capacity"} 9.0
vllm:generation_tokens_total{engine="0",model_name="llama"} ${tokens}.0
`;

test('engines tell requests, and tokens a second from two readings of a counter', async () => {
  const counts = [1_000, 1_500];
  const counting = await serverOf((_, response) => response.end(vllm(counts.shift() ?? 0)));
  const { readings, failures } = await askEngines([engine('a', counting)], dial, NEVER, 500);
  expect(failures).toEqual([]);
  expect(readings.get('models/a')).toMatchObject({ running: 3, waiting: 2 });
  // 500 tokens in half a second, or in more on a busy machine.
  expect(readings.get('models/a')?.tokensPerSecond).toBeGreaterThan(0);
  expect(readings.get('models/a')?.tokensPerSecond).toBeLessThan(1_050);
});

test('an engine that hangs, breaks off, refuses or floods keeps nobody else from being told', async () => {
  const hanging = await serverOf(() => undefined);
  const half = await serverOf((_, response) => {
    response.writeHead(200);
    response.write('vllm:num_requests_running 1');
  });
  const broken = await serverOf((_, response) => response.end('vllm:num_requests_running x\n'));
  const refusing = await serverOf((_, response) => response.writeHead(404).end());
  const flood = await serverOf((_, response) => response.end('# '.padEnd(2_000, 'x').concat('\n').repeat(1_000)));
  const sglang = await serverOf((_, response) =>
    response.end('sglang:num_running_reqs{tp_rank="0"} 1\nsglang:num_queue_reqs 0\nsglang:gen_throughput 88.5\n'),
  );
  const ports = { hanging, half, broken, refusing, flood, closed: 1, sglang };
  const began = performance.now();
  const { readings, failures } = await askEngines(
    Object.entries(ports).map(([name, port]) => engine(name, port)),
    dial,
    NEVER,
  );
  expect(performance.now() - began).toBeLessThan(8_000);
  expect(Object.fromEntries(readings)).toEqual({ 'models/sglang': { running: 1, waiting: 0, tokensPerSecond: 88.5 } });
  expect(Object.fromEntries(failures.map((each) => [each.pod, each.words]))).toEqual({
    'models/hanging': 'no answer in time',
    'models/half': 'no answer in time',
    'models/broken': "a sample of vllm:num_requests_running can't be read",
    'models/refusing': '/metrics answers with status 404',
    'models/flood': '/metrics answers more than 1048576 bytes',
    'models/closed': expect.stringContaining('ECONNREFUSED'),
  });
}, 20_000);

test('many pods are asked a few at a time', async () => {
  let [now, most] = [0, 0];
  const port = await serverOf((_, response) => {
    now += 1;
    most = Math.max(most, now);
    setTimeout(() => {
      now -= 1;
      response.end('tgi_queue_size 1\ntgi_batch_current_size 1\n');
    }, 5);
  });
  const pods = Array.from({ length: 100 }, (_, index) => engine(`p${index}`, port));
  const { readings } = await askEngines(pods, dial, NEVER);
  expect(readings.size).toBe(100);
  expect(readings.get('models/p0')).toEqual({ running: 1, waiting: 1 });
  expect(most).toBeLessThanOrEqual(16);
}, 20_000);

test('a look that is over asks nobody any more', async () => {
  const port = await serverOf((_, response) => response.end(vllm(1)));
  const { readings, failures } = await askEngines([engine('a', port)], dial, AbortSignal.abort());
  expect([readings.size, failures]).toEqual([0, [{ pod: 'models/a', words: 'no answer in time' }]]);
});

test.each([
  ['a counter that grew', { generatedTokens: 10 }, { generatedTokens: 30 }, { tokensPerSecond: 10 }],
  ['an engine that was started again', { generatedTokens: 10 }, { generatedTokens: 3 }, {}],
  [
    'an engine at rest whose gauge stands',
    { running: 0, tokensPerSecond: 88 },
    undefined,
    { running: 0, tokensPerSecond: 0 },
  ],
  ['nothing', {}, undefined, {}],
])('%s gives its reading', (_, first, second, reading) => {
  expect(readingOf({ figures: first, at: 1_000 }, second && { figures: second, at: 3_000 })).toEqual(reading);
});

test('dcgm-exporter tells how busy the GPUs of a pod are, each once, and nothing of GPUs that no pod holds', async () => {
  const gpu = (index: number, value: string, labels: string) =>
    `DCGM_FI_DEV_GPU_UTIL{gpu="${index}",UUID="GPU-${index}",device="nvidia${index}",modelName="NVIDIA H100",Hostname="gpu-0"${labels}} ${value}\n`;
  const text = [
    '# TYPE DCGM_FI_DEV_GPU_UTIL gauge\n',
    gpu(0, '97', ',container="server",namespace="models",pod="llama-a"'),
    gpu(0, '97', ',container="proxy",namespace="models",pod="llama-a"'),
    gpu(1, '0', ',container="server",namespace="models",pod="llama-a"'),
    gpu(2, '12', ',container_name="rank",pod_namespace="vision",pod_name="resnet-0"'),
    gpu(3, '0', ''),
    gpu(4, '9999', ',container="a",namespace="models",pod="odd"'),
    'DCGM_FI_DEV_FB_USED{gpu="0",namespace="models",pod="llama-a"} 4\n',
  ].join('');
  const port = await serverOf((_, response) => response.end(text));
  const exporter = (name: string, containerPort: number) =>
    pod(name, {}, { spec: { containers: [{ ports: [{ name: 'metrics', containerPort }] }] } });
  const { utilisation, failures } = await askExporters([exporter('a', port), exporter('b', 1)], dial, NEVER);
  expect(Object.fromEntries(utilisation)).toEqual({ 'models/llama-a': [97, 0], 'vision/resnet-0': [12] });
  expect(failures).toEqual([{ pod: 'models/b', words: expect.stringContaining('ECONNREFUSED') }]);
});
