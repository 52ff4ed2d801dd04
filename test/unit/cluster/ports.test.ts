import { createServer } from 'node:net';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { freePort } from '../../../cluster/ports.ts';

test('a port is given once, though nobody listens on it yet', async () => {
  const ports: number[] = [];
  // Of 12,000 ports, 300 picks at random hold one twice with a probability of 97 %.
  while (ports.length < 300) ports.push(await freePort());
  expect(new Set(ports).size).toBe(ports.length);
});

test('the port of an earlier run is given again where it is free, and another one where it is taken', async () => {
  const earlier = await freePort();
  expect(await freePort(earlier)).toBe(earlier);
  const server = createServer().listen(earlier, '127.0.0.1');
  await once(server, 'listening');
  expect(await freePort(earlier)).not.toBe(earlier);
  server.close();
});
