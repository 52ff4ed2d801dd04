import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { freePort } from '../../../cluster/ports.ts';
import { eventually } from '../../cluster/support/eventually.ts';
import { type LoadOptions, startLoad } from '../../real/load/load.ts';
import { type Report, Tally } from '../../real/load/report.ts';
import { run } from '../../support/run.ts';
import { MODEL, startEngine } from './support/engine.ts';
import { misbehaving, TOKENS } from './support/misbehaving.ts';

/** A load that is stopped once some requests have ended. */
async function loaded(options: Omit<LoadOptions, 'model'>, requests = 1): Promise<Report> {
  const load = startLoad({ model: MODEL, tokens: TOKENS, workers: 1, ...options });
  await eventually(() => expect(load.report().requests).toBeGreaterThanOrEqual(requests));
  return load.stop();
}

test.for([
  ['reset', false, 'ECONNRESET'],
  ['unavailable', false, 'status 503'],
  ['wrong-tokens', false, '2 of 3 tokens, ended by abort'],
  ['no-json', false, 'an answer that is no JSON'],
  ['cut-body', false, 'ECONNRESET'],
  ['silent', false, 'no complete answer in 0.2 s'],
  ['reset', true, 'ECONNRESET'],
  ['unavailable', true, 'status 503'],
  ['cut-stream', true, 'cut stream: ECONNRESET'],
  ['no-done', true, 'cut stream: it ended without [DONE]'],
  ['error-event', true, 'error in the answer: engine dead'],
  ['aborted-stream', true, '1 of 3 tokens, ended by abort'],
  ['good', true, 'cut stream: it ended without [DONE]'],
  ['silent', true, 'no complete answer in 0.2 s'],
] as const)('a server that is %s (streamed: %s) fails by: %s', async ([behaviour, stream, cause]) => {
  const { at } = await misbehaving();
  const timeout = behaviour === 'silent' ? 200 : 60_000;
  const { requests, failed, failures, latency } = await loaded({ url: at(behaviour), stream, timeout });
  expect(failures).toEqual({ [cause]: requests });
  expect(failed).toBe(requests);
  expect(latency).toBeUndefined();
});

test('a port that nobody listens on fails by its name, some times a second', async () => {
  const url = `http://127.0.0.1:${await freePort()}/v1/completions`;
  const { failures, requests, seconds } = await loaded({ url }, 3);
  expect(failures).toEqual({ ECONNREFUSED: requests });
  expect(requests / seconds).toBeLessThan(40);
});

test.for([
  ['good', false],
  ['good-stream', true],
] as const)('what is %s does not fail, and has tokens and times', async ([behaviour, stream]) => {
  const { at } = await misbehaving();
  const report = await loaded({ url: at(behaviour), stream }, 20);
  expect(report).toMatchObject({ failed: 0, failures: {}, tokens: report.requests * TOKENS });
  expect(report.latency?.p50).toBeLessThanOrEqual(report.latency?.p99 ?? 0);
  expect(report.timeToFirstToken === undefined).toBe(!stream);
});

test('a connection is made for each request, or kept by each worker', async () => {
  const fresh = await misbehaving();
  const { requests } = await loaded({ url: fresh.at('good'), workers: 2 }, 10);
  expect(fresh.connections()).toBe(requests);
  const kept = await misbehaving();
  expect((await loaded({ url: kept.at('good'), workers: 2, keepAlive: true }, 10)).failed).toBe(0);
  expect(kept.connections()).toBe(2);
});

test('what is in flight when it is stopped is waited for', async () => {
  const { at } = await misbehaving();
  const load = startLoad({ url: at('late'), model: MODEL, tokens: TOKENS, workers: 3 });
  expect(await load.stop()).toMatchObject({ requests: 3, failed: 0 });
});

test('percentiles are of the nearest rank, and those of failed requests do not count', () => {
  const tally = new Tally();
  for (let latency = 1; latency <= 100; latency += 1) {
    tally.add({ failure: undefined, tokens: 1, latency, firstToken: latency / 2 });
  }
  tally.add({ failure: 'status 500', tokens: 0, latency: 9_999, firstToken: undefined });
  expect(tally.report(1.234)).toEqual({
    requests: 101,
    failed: 1,
    failures: { 'status 500': 1 },
    tokens: 100,
    latency: { p50: 50, p95: 95, p99: 99 },
    timeToFirstToken: { p50: 25, p95: 47.5, p99: 49.5 },
    seconds: 1.23,
  });
});

test('an URL that is none of the two is refused', () => {
  expect(() => startLoad({ url: 'http://127.0.0.1/v1/models', model: MODEL })).toThrow('must end in /chat/completions');
  expect(() => startLoad({ url: 'https://127.0.0.1/v1/completions', model: MODEL })).toThrow('only http:// is known');
});

test('the light engine under load fails nothing, by chat and by completions, streamed and whole', async () => {
  const { url } = await startEngine(['--max-num-seqs=2'], { LIGHT_TOKENS_PER_SECOND: '500' });
  const loads = ['chat/completions', 'completions'].flatMap((path) =>
    [true, false].map((stream) => startLoad({ url: `${url}/v1/${path}`, model: MODEL, tokens: 10, stream })),
  );
  await eventually(() => expect(Math.min(...loads.map((load) => load.report().requests))).toBeGreaterThan(3));
  for (const load of loads) expect(await load.stop()).toMatchObject({ failed: 0, failures: {} });
});

test('the program asks until SIGTERM, and prints one line of JSON', async () => {
  const { at, connections } = await misbehaving();
  const args = ['test/real/load/main.ts', `--url=${at('good')}`, '--model=tiny', `--tokens=${TOKENS}`];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const printed = text(child.stdout);
  const exit = once(child, 'exit');
  await eventually(() => expect(connections()).toBeGreaterThan(5));
  child.kill('SIGTERM');
  expect(await exit).toEqual([0, null]);
  const lines = (await printed).trimEnd().split('\n');
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ failed: 0 });
});

test('the program ends by itself after some seconds, and refuses flags that it does not know', async () => {
  const { at } = await misbehaving();
  const program = (...args: readonly string[]) => run(process.execPath, ['test/real/load/main.ts', ...args]);
  const { code, stdout } = await program(`--url=${at('unavailable')}`, '--model=tiny', '--seconds=0.2');
  expect(code).toBe(0);
  expect((JSON.parse(stdout) as Report).failures['status 503']).toBeGreaterThan(0);
  expect((await program('--model=tiny')).stderr).toContain('--url and --model must be given\nusage: load');
  expect(await program('--nothing')).toMatchObject({ code: 2, stderr: expect.stringContaining("'--nothing'") });
  const workers = await program(`--url=${at('good')}`, '--model=tiny', '--workers=x');
  expect(workers.stderr).toContain('--workers is "x"; give a number above 0');
});
