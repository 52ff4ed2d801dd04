import { startLws } from '../../lws/support/lws.ts';
import { startOnNode } from '../../real/support/extensions.ts';
import type { Testbed } from '../../real/support/testbed.ts';

/** In the network of the node, where nobody else listens on it. */
const PORT = 9_443;

/** Runs LeaderWorkerSet's own controller in the network of the real node, where the API server is, too. */
export async function startLwsOnNode(testbed: Testbed): Promise<void> {
  await startLws(testbed.cluster, (line) => console.error(line), {
    port: PORT,
    isHere: false,
    start: (name, command) => startOnNode(testbed, name, command),
  });
}
