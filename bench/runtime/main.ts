/** An operator as others build theirs, for the bench. */
import { parseArgs } from 'node:util';
import { createLogger, operate } from '../../operator/index.ts';
import { Agent } from './kind.ts';

const text = { type: 'string' } as const;
const { values } = parseArgs({
  allowPositionals: true,
  options: { kubeconfig: text, host: text, port: text, namespace: text },
});
const { kubeconfig, host, port, namespace } = values;

await operate({
  name: 'bench-operator',
  kinds: [Agent],
  port: Number(port),
  log: createLogger('error'),
  ...(kubeconfig !== undefined && { connection: { from: 'kubeconfig', path: kubeconfig } }),
  ...(host !== undefined && { host }),
  ...(namespace !== undefined && { namespace }),
});
