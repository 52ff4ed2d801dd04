/**
 * Renews the lease in a thread and on connections of its own, so that a main thread that is busy for some seconds
 * doesn't lose it. A main thread that is stuck for longer must lose it, since it can't do a leader's work: it shows
 * that it is alive by writing the time into shared memory.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { KubeClient, connect } from '../client/index.ts';
import { Elector } from './election.ts';
import { clock, type LeaseThread, SharedState } from './lease-state.ts';

const { connection, lease, identity, timing, userAgent, memory } = workerData as LeaseThread;
const state = new SharedState(memory);
const client = new KubeClient({ connection: connect(connection), userAgent });

const elector = new Elector({
  client,
  lease,
  identity,
  timing,
  now: clock,
  alive: () => clock() - state.aliveAt < timing.renewMs,
  leadUntil: (until) => (state.leadUntil = until),
  changed: (leading, reason) => parentPort?.postMessage({ leading, reason }),
});

parentPort?.once('message', () => elector.stop());
await elector.run();
await client.close();
