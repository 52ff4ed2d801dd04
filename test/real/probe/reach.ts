import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** How far each address is reached; `HOST:PORT` by itself. */
export type Reached = Readonly<Record<string, 'open' | 'closed'>>;

/** Packets that are dropped get no answer. */
const PATIENCE_MILLISECONDS = 1_000;

/** Between two rounds. */
const PAUSE_MILLISECONDS = 250;

/** Connects to each address, `HOST:PORT`, at the same time. A name without an address is closed. */
export async function reach(targets: readonly string[]): Promise<Reached> {
  const found = await Promise.all(targets.map(async (target) => [target, await tryOne(target)] as const));
  return Object.fromEntries(found);
}

/** Connects again and again, for some seconds. */
export async function* reachFor(targets: readonly string[], seconds: number): AsyncGenerator<Reached> {
  const end = performance.now() + seconds * 1_000;
  do {
    yield await reach(targets);
    await sleep(PAUSE_MILLISECONDS);
  } while (performance.now() < end);
}

function tryOne(target: string): Promise<'open' | 'closed'> {
  const { hostname, port } = new URL(`tcp://${target}`);
  const { promise, resolve } = Promise.withResolvers<'open' | 'closed'>();
  const socket = connect({ host: hostname, port: Number(port), timeout: PATIENCE_MILLISECONDS });
  socket.once('connect', () => resolve('open'));
  for (const event of ['error', 'timeout']) socket.once(event, () => resolve('closed'));
  return promise.finally(() => socket.destroy());
}
