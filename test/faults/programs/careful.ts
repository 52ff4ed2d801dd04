/** A small operator of the engine: a widget is a ConfigMap, a Deployment and a Service. */
import { runOperator } from '../../../operator/operator.ts';
import { TRUNNION } from '../../../operator/name.ts';
import { widget } from '../../support/widget.ts';

const ending = new AbortController();
process.once('SIGTERM', () => ending.abort());

await runOperator({
  connection: { from: 'kubeconfig' },
  identity: TRUNNION,
  kinds: [widget],
  namespace: process.env['WATCH_NAMESPACE'] ?? 'default',
  host: '127.0.0.1',
  port: Number(process.env['PORT']),
  signal: ending.signal,
});
