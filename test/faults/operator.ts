/**
 * The operator as it runs in a pod, where a folder is what Kubernetes mounts: `operator.ts FOLDER PORT NAMESPACE`. It is
 * started again and again, so it is spared the command line, and a kubeconfig that a process of its own would load.
 */
import { TRUNNION } from '../../operator/trunnion.ts';
import { loopbackOf } from '../../cluster/nodes.ts';
import { kinds } from '../../compat/kinds/index.ts';
import { runOperator } from '../../operator/operator.ts';

const [directory = '', port = '', namespace = ''] = process.argv.slice(2);
const ending = new AbortController();
process.once('SIGTERM', () => ending.abort());

await runOperator({
  connection: { from: 'cluster', directory, host: '127.0.0.1', port },
  identity: TRUNNION,
  kinds,
  namespace,
  host: '127.0.0.1',
  port: 0,
  podAddress: loopbackOf,
  signal: ending.signal,
});
