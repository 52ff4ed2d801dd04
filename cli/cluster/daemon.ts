/**
 * The process that holds a cluster in the background. `trunnion cluster up` starts it, detached, and listens over IPC
 * until it is ready; from then on it answers on its socket, until it is asked to stop.
 */
import { rmSync } from 'node:fs';
import { startCluster } from '../../cluster/index.ts';
import { describe } from '../errors.ts';
import { type Reply, serve } from './control.ts';
import { type Order, type Report, socketOf } from './order.ts';

const argument = process.argv[2];
if (argument === undefined) throw new Error('the daemon takes its order as an argument: run trunnion cluster up');
const order: Order = JSON.parse(argument);

/** Tells anyone who ran `cluster up`. */
function report(message: Report): void {
  if (process.connected) process.send?.(message);
}

/** Anyone who ran `cluster up` has gone before it was ready; what was started so far ends with this process. */
const abandon = () => process.exit(1);

async function hold(): Promise<void> {
  process.once('disconnect', abandon);
  const { dir, nodes, gpusPerNode, realNode } = order;
  const cluster = await startCluster({ dir, nodes, gpusPerNode, realNode, log: (line) => report({ line }) });
  const startedAt = new Date().toISOString();
  const status = (): Reply => ({
    pid: process.pid,
    url: cluster.url,
    kubeconfig: cluster.kubeconfig,
    kubectl: cluster.binaries.kubectl,
    nodes,
    gpusPerNode,
    realNode,
    startedAt,
    components: Object.keys(cluster.processes),
  });

  // One of a process that was killed.
  rmSync(socketOf(dir), { force: true });
  const server = await serve(socketOf(dir), async (request) => {
    const answer = status();
    if (request.do === 'load') await cluster.loadImage(request.file);
    if (request.do === 'stop') await stop();
    return answer;
  });
  const stop = async () => {
    server.close();
    await cluster.stop();
  };
  const quit = () => void stop().finally(() => process.exit());
  process.once('SIGTERM', quit);
  process.once('SIGINT', quit);

  process.off('disconnect', abandon);
  report({ ready: status() });
}

try {
  await hold();
} catch (error) {
  process.exitCode = 1;
  report({ failed: describe(error) });
} finally {
  if (process.connected) process.disconnect();
}
