import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { ENGINE_TABLE } from '../../../constructs/model-serving/engine.table.ts';
import { eventually } from '../../cluster/support/eventually.ts';
import { parseServe } from '../../real/engine/command-line.ts';
import { readKnobs } from '../../real/engine/knobs.ts';
import { eventsOf, launchEngine, MODEL, modelFolder, post, samplesOf, startEngine } from './support/engine.ts';

const RUNNING = `vllm:num_requests_running{engine="0",model_name="${MODEL}"}`;
const long = { prompt: 'x', max_tokens: 20_000, ignore_eos: true, stream: true };

test('it reads the command line that the construct renders', () => {
  const { command = [], args } = ENGINE_TABLE.vllm;
  const rendered = args({
    modelPath: '/models/a',
    servedName: 'llama',
    port: 8000,
    ipFamily: 'IPv6',
    tensor: 2,
    pipeline: 1,
    data: 1,
    expert: false,
    drainSeconds: 30,
    isOwnOnCpus: true,
  });
  const serve = parseServe([...command, ...rendered].slice(1));
  expect(serve).toMatchObject({ model: '/models/a', servedName: 'llama', host: '::', port: 8000, shutdownTimeout: 0 });
});

test('it takes flags of vLLM that it has no use for, with and without values', () => {
  const serve = parseServe(['serve', '--enforce-eager', '/m', '--dtype', 'half', '--max_num_seqs', '3']);
  expect(serve).toMatchObject({ model: '/m', servedName: '/m', host: '0.0.0.0', port: 8000, maxNumSeqs: 3 });
});

test.for([
  [['chat'], 'only "serve" is known'],
  [['serve'], 'no model is given'],
  [['serve', '/a', '/b'], 'unrecognized arguments: /b'],
  [['serve', '/a', '--port=x'], 'argument --port: it is "x"'],
  [['serve', '/a', '--port'], 'argument --port: expected one argument'],
] as const)('a command line that vLLM refuses ends it with 2: %s', async ([args, message]) => {
  expect(() => parseServe(args)).toThrow(message);
  const engine = launchEngine(args);
  expect(await engine.ended).toBe(2);
});

test('a knob that is no number is refused by its name', () => {
  expect(() => readKnobs({ LIGHT_EXIT_CODE: 'x' })).toThrow('LIGHT_EXIT_CODE is "x"; give a number from 0 on');
  expect(() => readKnobs({ LIGHT_CONTROL_PATH: 'x' })).toThrow('give a path such as "/hidden"');
});

test('without a model in its folder it ends with 1, as vLLM', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'trunnion-model-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const engine = launchEngine(['serve', folder, '--port=0']);
  expect(await engine.ended).toBe(1);
  expect(engine.log()).toContain(`Invalid repository ID or local directory specified: '${folder}'`);
});

test('it can end instead of listening, with a code', async () => {
  const engine = launchEngine(['serve', modelFolder(), '--port=0'], { LIGHT_EXIT_CODE: '7' });
  expect(await engine.ended).toBe(7);
});

test('SIGTERM before it listens does not end it, as vLLM', async () => {
  const args = ['serve', modelFolder(), '--host=127.0.0.1', '--port=0'];
  const engine = launchEngine(args, { LIGHT_START_SECONDS: '1' });
  await eventually(() => expect(engine.log()).toContain('light engine'));
  engine.process.kill('SIGTERM');
  await eventually(() => expect(engine.log()).toContain('Starting vLLM server'));
  expect(engine.log()).toContain('ignores the signal');
  engine.process.kill('SIGTERM');
  expect(await engine.ended).toBe(0);
});

test('a hidden path makes it unhealthy, takes memory, and ends it', async () => {
  const { url, log, ended } = await startEngine([], { LIGHT_CONTROL_PATH: '/hidden', LIGHT_ALLOCATE_MIB: '2' });
  const order = (path: string) => fetch(`${url}/hidden/${path}`, { method: 'POST' });
  expect(log()).toContain('allocated 2 MiB');
  expect((await order('nothing')).status).toBe(404);
  await order('allocate/3');
  await eventually(() => expect(log()).toContain('allocated 3 MiB'));
  expect((await fetch(`${url}/health`)).status).toBe(200);
  await order('unhealthy');
  expect((await fetch(`${url}/health`)).status).toBe(503);
  await order('exit/3');
  expect(await ended).toBe(3);
});

test('SIGTERM stops the tokens of what is in flight, which then waits for nothing until its client leaves', async () => {
  const engine = await startEngine();
  const gone = new AbortController();
  const stream = await post(`${engine.url}/v1/completions`, long, gone.signal);
  let received = 0;
  const read = stream.body?.pipeTo(new WritableStream({ write: () => void (received += 1) })).catch(() => 'gone');
  await eventually(() => expect(received).toBeGreaterThan(5));
  engine.process.kill('SIGTERM');
  await eventually(async () => {
    await expect(fetch(`${engine.url}/health`)).rejects.toThrow('fetch failed');
  });
  // What was on its way may still come; then nothing does, in a time in which 40 tokens were made before.
  await eventually(async () => {
    const before = received;
    await sleep(200);
    expect(received).toBe(before);
  });
  expect(engine.process.exitCode).toBeNull();
  gone.abort();
  expect(await read).toBe('gone');
  expect(await engine.ended).toBe(0);
});

test('with a time for it, SIGTERM lets what is in flight end, and refuses what is new', async () => {
  const engine = await startEngine(['--shutdown-timeout=60', '--max-num-seqs=1']);
  const asked = { ...long, max_tokens: 200 };
  const streams = await Promise.all([1, 2].map(() => post(`${engine.url}/v1/completions`, asked)));
  engine.process.kill('SIGTERM');
  await eventually(() => expect(engine.log()).toContain('mode=drain timeout=60s'));
  const late = await post(`${engine.url}/v1/completions`, asked);
  expect([late.status, await late.text()]).toEqual([500, expect.stringContaining('after shutdown')]);
  expect((await fetch(`${engine.url}/health`)).status).toBe(200);
  for (const stream of streams) expect((await eventsOf(stream)).at(-1)?.choices[0]?.finish_reason).toBe('length');
  expect(await engine.ended).toBe(0);
});

test('what is not done in that time waits for nothing', async () => {
  const engine = await startEngine(['--shutdown-timeout=1']);
  const gone = new AbortController();
  const answer = post(`${engine.url}/v1/completions`, { ...long, stream: false }, gone.signal).catch(() => 'gone');
  await eventually(async () => expect([...(await samplesOf(engine.url))]).toContainEqual([RUNNING, 1]));
  engine.process.kill('SIGTERM');
  await eventually(() => expect(engine.log()).toContain('shutting down FastAPI HTTP server'));
  expect(engine.process.exitCode).toBeNull();
  gone.abort();
  expect(await answer).toBe('gone');
  expect(await engine.ended).toBe(0);
});

test('a connection at rest does not hold up its end', async () => {
  const engine = await startEngine();
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  const [response] = (await once(get(`${engine.url}/health`, { agent }), 'response')) as [NodeJS.ReadableStream];
  response.resume();
  await once(response, 'end');
  const start = performance.now();
  engine.process.kill('SIGTERM');
  expect(await engine.ended).toBe(0);
  expect(performance.now() - start).toBeLessThan(4_000);
});
