/**
 * A program that plays the metrics ports of pods: `metrics-server.ts PORT`, told addresses by its parent. Each address is
 * hostile in a way of its own. It is a process of its own, so that it keeps nobody else waiting.
 */
import { createServer, type ServerResponse } from 'node:http';
import { loopbackOf } from '../../../cluster/nodes.ts';

const MEBIBYTE = 2 ** 20;
const SAMPLE = 'vllm:num_requests_running{model_name="a"} 1\n';
const SAMPLES = Buffer.from(SAMPLE.repeat(MEBIBYTE / SAMPLE.length));
const LABEL = Buffer.from(`vllm:num_requests_running{a="${'x'.repeat(7 * MEBIBYTE)}`);
const COMMENTS = Buffer.from('#'.repeat(MEBIBYTE));

/** Sends so many pieces, and holds on. */
const holding =
  (piece: Buffer, count: number) =>
  (response: ServerResponse): void => {
    for (let sent = 0; sent < count; sent += 1) response.write(piece);
  };

/** Sends with no end, as fast as it is read. */
function endless(response: ServerResponse): void {
  const more = (): void => {
    while (!response.destroyed && response.write(SAMPLES));
    if (!response.destroyed) response.once('drain', more);
  };
  more();
}

function drip(response: ServerResponse): void {
  const timer = setInterval(() => response.write('v'), 500);
  response.once('close', () => clearInterval(timer));
}

const WAYS: readonly ((response: ServerResponse) => void)[] = [
  holding(SAMPLES, 8),
  holding(SAMPLES, 8),
  endless,
  holding(LABEL, 1),
  holding(COMMENTS, 8),
  drip,
  () => undefined,
  (response) => response.end('vllm:num_requests_running{a="\\'.repeat(20_000)),
  (response) => response.end(SAMPLE.replace('1\n', `${'9'.repeat(100_000)}\n`)),
];

const port = Number(process.argv[2]);
process.on('message', (addresses: readonly string[]) => {
  for (const [index, address] of addresses.entries()) {
    const way = WAYS[index % WAYS.length];
    const server = createServer((_, response) => way?.(response));
    server.on('error', (error) => process.send?.(String(error)));
    server.listen(port, loopbackOf(address));
  }
});
process.on('disconnect', () => process.exit());
