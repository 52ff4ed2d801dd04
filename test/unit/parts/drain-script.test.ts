import { spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { drainByMetrics } from '../../../constructs/parts/termination.ts';
import { run } from '../../support/run.ts';

const METRICS = ['vllm:num_requests_running', 'vllm:num_requests_waiting'];

/** Runs the hook of a pod that stops against a server that gives these metrics, the last ones for ever. */
async function drain(seconds: number, ...pages: readonly string[]): Promise<{ asked: number; seconds: number }> {
  let asked = 0;
  const server = createServer((_, response) => {
    response.end(pages[Math.min(asked, pages.length - 1)]);
    asked += 1;
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  if (pages.length === 0) server.close();
  const before = performance.now();
  const ended = await run(...commandOf(port, seconds));
  server.close();
  expect(ended).toEqual({ code: 0, stdout: '', stderr: '' });
  return { asked, seconds: (performance.now() - before) / 1000 };
}

/** The command of the hook, which here need not wait for proxies to learn that the pod leaves. */
function commandOf(port: number, seconds: number): readonly [string, readonly string[]] {
  const hook = drainByMetrics({ port, path: '/metrics', metrics: METRICS }, seconds).preStop;
  const [program = '', ...args] = hook && 'exec' in hook ? (hook.exec?.command ?? []) : [];
  return [program, args.with(3, '0')];
}

const page = (running: number, waiting: number): string => `
# HELP vllm:num_requests_running Number of requests in model execution batches.
# TYPE vllm:num_requests_running gauge
vllm:num_requests_running{engine="0",model_name="a b"} ${running.toFixed(1)}
vllm:num_requests_waiting{engine="0",model_name="a b"} ${waiting.toFixed(1)}
vllm:num_requests_running_total{engine="0"} 7.0
`;

test('the hook of a pod asks the pod itself', () => {
  const [program, args] = commandOf(8000, 120);
  expect([program, ...args.toSpliced(1, 1)]).toEqual([
    'python3',
    '-c',
    'http://127.0.0.1:8000/metrics',
    '0',
    '120',
    ...METRICS,
  ]);
});

/** The hook runs in the image of an engine, which has a Python; here it is tried where the machine has one. */
const pythons = ['python3'].filter((program) => spawnSync(program, ['--version']).status === 0);

describe.concurrent.each(pythons)('a pod that stops, by %s,', () => {
  test('waits until two looks in a row find nothing in flight', async () => {
    const { asked } = await drain(30, page(1, 2), page(0, 1), page(0, 0), page(1, 0), page(0, 0));
    expect(asked).toBe(6);
  });

  test('waits no longer than it may', async () => {
    const { seconds } = await drain(2, page(1, 0));
    expect(seconds).toBeGreaterThanOrEqual(2);
    expect(seconds).toBeLessThan(10);
  });

  test('does not take metrics that are not there for none in flight', async () => {
    expect((await drain(2, 'vllm:num_requests_running_total 0.0\n')).seconds).toBeGreaterThanOrEqual(2);
  });

  test('does not wait for a server that is gone', async () => {
    expect(await drain(60)).toMatchObject({ asked: 0, seconds: expect.toSatisfy((value: number) => value < 10) });
  });
});
