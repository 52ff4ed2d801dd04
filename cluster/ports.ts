import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the range from which Linux takes the ports of outgoing connections, so that none of those takes one of ours. */
const LOWEST = 20_000;
const HIGHEST = 32_000;

/** Whether a port of 127.0.0.1 can be listened on. */
async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  server.listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}

/** Those that this process was given: a port that nobody listens on yet is free, and yet somebody's. */
const given = new Set<number>();

/**
 * A free port of 127.0.0.1, another one at each call.
 *
 * @param preferred - is taken if it is free: the port of an earlier run
 */
export async function freePort(preferred?: number): Promise<number> {
  let port = preferred ?? randomInt(LOWEST, HIGHEST);
  while ((port !== preferred && given.has(port)) || !(await isFree(port))) {
    port = randomInt(LOWEST, HIGHEST);
  }
  given.add(port);
  return port;
}
