import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { QueryRunner } from '../../../operator/engine/queries/query-runner.ts';
import type { Query, Answer } from '../../../operator/engine/api/queries.ts';
import { systemClock } from '../../../operator/engine/queue/clock.ts';
import { Resolver } from '../../../operator/engine/queries/resolver.ts';
import type { Resource } from '../../../operator/engine/api/resource.ts';
import { LIMITS } from '../../../operator/engine/queries/lookups/limits.ts';
import { Lookups } from '../../../operator/engine/queries/lookups/lookups.ts';
import type { ObservedPod } from '../../../operator/engine/api/observed.ts';

const MEBIBYTE = 2 ** 20;

const resource = (namespace: string, name: string): Resource => ({
  apiVersion: 'v1',
  kind: 'Widget',
  metadata: { name, namespace, uid: `${namespace}-${name}`, resourceVersion: '1', creationTimestamp: '' },
  spec: {},
});

/** Pods' metrics ports on one server: that of the victim answers, the others send 8 MiB and hold on. */
async function metricsPorts(): Promise<{ readonly port: number; readonly sent: { bytes: number } }> {
  const sent = { bytes: 0 };
  const piece = Buffer.from(`other{a="${'b'.repeat(1_000)}"} 1\n`.repeat(MEBIBYTE / 1_000));
  const server = createServer((request, response) => {
    if (request.url === '/victim') return void response.end('running 3\n');
    for (let count = 0; count < 8; count += 1) {
      response.write(piece);
      sent.bytes += piece.length;
    }
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, sent };
}

/** The engine's look-ups as an operator has them, with an API server that takes 5 ms for each Secret. */
function engine() {
  const gets = { attacker: 0, victim: 0 };
  const client = {
    find: async (_: unknown, { namespace }: { readonly namespace?: string }) => {
      gets[namespace as keyof typeof gets] += 1;
      await sleep(5);
      return undefined;
    },
    list: () => Promise.reject(new Error('nobody asks for lists')),
    openLog: () => Promise.reject(new Error('nobody asks for logs')),
  };
  const runner = new QueryRunner({
    client,
    isServed: () => Promise.resolve(false),
    pod: () => ({ ip: '127.0.0.1' }) as ObservedPod,
    now: () => Date.now(),
  });
  onTestFinished(() => runner.close());
  const lookups = new Lookups({ clock: systemClock });
  /** One for each kind, as controllers have them. */
  const resolver = () => {
    const one = new Resolver({
      clock: systemClock,
      enqueue: () => undefined,
      answer: async (query, about, signal) => {
        if (query.type === 'computation' || query.type === 'ask') throw new Error('nothing is to be computed here');
        return lookups.run(query, about, signal, (count) => runner.answer(query, about, { signal, count }));
      },
    });
    onTestFinished(() => one.stop());
    return one;
  };
  return { resolver, gets };
}

test('90 pods that send without an end, and ten resources of 1,408 references, keep no other namespace waiting', async () => {
  const { port, sent } = await metricsPorts();
  const { resolver, gets } = engine();
  const [servings, others] = [resolver(), resolver()];
  const pod = (name: string, path: string): Query => ({
    id: name,
    type: 'podMetrics',
    pod: name,
    port,
    path,
    metrics: ['running'],
    everySeconds: 2,
  });
  const secret = (name: string): Query => ({ id: name, type: 'secret', name, everySeconds: 60 });
  const began = performance.now();
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const before = process.memoryUsage().arrayBuffers;
  let most = 0;
  const meter = setInterval(() => (most = Math.max(most, process.memoryUsage().arrayBuffers - before)), 5);
  onTestFinished(() => clearInterval(meter));

  servings.want(
    'attacker/retired',
    Array.from({ length: 90 }, (_, index) => pod(`p${index}`, '/attacker')),
    resource('attacker', 'retired'),
  );
  for (let index = 0; index < 10; index += 1) {
    others.want(
      `attacker/many-${index}`,
      Array.from({ length: 1_408 }, (_, key) => secret(`s${key}`)),
      resource('attacker', `many-${index}`),
    );
  }
  await sleep(200);
  const asked = performance.now();
  servings.want('victim/llama', [pod('p', '/victim'), secret('token')], resource('victim', 'llama'));
  await vi.waitFor(() => expect(Object.keys(servings.of('victim/llama'))).toHaveLength(2), { timeout: 5_000 });
  const waited = performance.now() - asked;
  const known: Readonly<Record<string, Answer>> = servings.of('victim/llama');
  expect(known['p']).toMatchObject({ type: 'podMetrics', values: { running: 3 } });
  expect(known['token']).toMatchObject({ type: 'secret', exists: false });
  expect(waited).toBeLessThan(2_000);

  await vi.waitFor(() => expect(Object.keys(servings.of('attacker/retired'))).toHaveLength(90), { timeout: 50_000 });
  expect(sent.bytes).toBeGreaterThan(90 * 8 * MEBIBYTE);
  expect(most).toBeLessThan(128 * MEBIBYTE);
  const { burst, perSecond } = LIMITS.objects;
  expect(gets.attacker).toBeLessThanOrEqual(burst + (perSecond * (performance.now() - began)) / 1_000 + 1);
  expect(delay.max / 1e6).toBeLessThan(1_000);
  // On a machine that has much to do, some are too late for that.
  const reported = Object.values(servings.of('attacker/retired'));
  expect(reported.every(({ type }) => type === 'unknown')).toBe(true);
  const message = `http://127.0.0.1:${port}/attacker answered more than 1048576 bytes`;
  expect(reported).toContainEqual(expect.objectContaining({ message }));
});
