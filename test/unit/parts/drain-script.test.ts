import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { once } from 'node:events';
import { networkInterfaces } from 'node:os';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { drainByMetrics } from '../../../constructs/parts/pod/termination.ts';
import { run } from '../../support/run.ts';

const METRICS = ['vllm:num_requests_running', 'vllm:num_requests_waiting'];

/** An address of the pod itself, and how an URL has it. */
const LOOPBACK = { address: '127.0.0.1', host: '127.0.0.1' };
const LOOPBACK_6 = { address: '::1', host: '[::1]' };

/** Runs the hook of a pod that stops against a server that gives these metrics, the last ones forever. */
const drain = (seconds: number, ...pages: readonly string[]) => drainAt(LOOPBACK, seconds, pages);

/** The same for a server that listens on one address alone. */
async function drainAt(
  { address, host }: typeof LOOPBACK,
  seconds: number,
  pages: readonly string[],
): Promise<{ asked: number; seconds: number }> {
  let asked = 0;
  const server = createServer((_, response) => {
    response.end(pages[Math.min(asked, pages.length - 1)]);
    asked += 1;
  }).listen(0, address);
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  if (pages.length === 0) server.close();
  const before = performance.now();
  const ended = await run(...commandOf(port, seconds, host));
  server.close();
  expect(ended).toEqual({ code: 0, stdout: '', stderr: '' });
  return { asked, seconds: (performance.now() - before) / 1000 };
}

/** The command of the hook, which here need not wait for proxies to learn that the pod leaves. */
function commandOf(port: number, seconds: number, host = LOOPBACK.host): readonly [string, readonly string[]] {
  const hook = drainByMetrics({ port, path: '/metrics', metrics: METRICS }, host, seconds).preStop;
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

/** Not every machine has addresses of IPv6. */
const ofIpv6 = [LOOPBACK_6].filter(({ address }) =>
  Object.values(networkInterfaces()).some((addresses) => addresses?.some((each) => each.address === address)),
);

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

  test.each(ofIpv6)('waits for a server that listens on $address alone', async (place) => {
    const { asked } = await drainAt(place, 30, [page(1, 0), page(0, 0)]);
    expect(asked).toBe(3);
  });

  test('does not wait for a server that is gone', async () => {
    expect(await drain(60)).toMatchObject({ asked: 0, seconds: expect.toSatisfy((value: number) => value < 10) });
  });
});

/** A server that still starts: process 1 of its container heeds no SIGTERM, and ends once its engine does. */
const STARTING = `
import signal, subprocess, sys
signal.signal(signal.SIGTERM, signal.SIG_IGN)
engine = subprocess.Popen(["sleep", "600"])
print("starts", flush=True)
sys.exit(engine.wait() != 0)
`;

/** One that listens on another address than the hook asks, as by arguments of its user. */
const listening = (port: number) => `
import signal, socket
signal.signal(signal.SIGTERM, signal.SIG_IGN)
server = socket.create_server(("127.0.0.2", ${port}))
print("listens", flush=True)
signal.pause()
`;

/** Processes of one's own, as in a container, take rights that not every machine gives. */
const isolated = pythons.filter(() => spawnSync('unshare', ['--pid', '--fork', '--mount-proc', 'true']).status === 0);

/** Runs a program as process 1 of a container, and the hook as a state does: put into it from outside. */
async function stopped(program: string, source: string, port: number) {
  const args = ['--pid', '--fork', '--kill-child', '--mount-proc', program, '-c', source];
  const container = spawn('unshare', args, { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void container.kill('SIGKILL'));
  const code = once(container, 'exit').then(([exitCode]) => exitCode as number);
  await once(container.stdout, 'data');
  const [first = ''] = readFileSync(`/proc/${container.pid}/task/${container.pid}/children`, 'utf8').split(' ');
  const [hook, hookArgs] = commandOf(port, 600);
  const ended = await run('nsenter', ['--target', first, '--pid', '--mount', hook, ...hookArgs]);
  return { container, code, ended };
}

async function unusedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

test.each(isolated)('a server that still starts, and heeds no SIGTERM, is ended by the hook (%s)', async (program) => {
  const { code } = await stopped(program, STARTING, await unusedPort());
  expect(await code).toBe(1);
});

test.each(isolated)('one that listens where it is not asked is left to end by itself (%s)', async (program) => {
  const port = await unusedPort();
  const { container, ended } = await stopped(program, listening(port), port);
  expect(ended).toEqual({ code: 0, stdout: '', stderr: '' });
  expect(container.exitCode).toBeNull();
});
