import type { Manifest } from '../../constructs/workload.ts';
import { METRICS_PORT, PORT } from './deployment.ts';

/** The Service by which an operator's metrics are scraped. */
export const service = (metadata: Manifest['metadata'], selector: Readonly<Record<string, string>>): Manifest => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata,
  spec: {
    selector,
    ports: [{ name: METRICS_PORT, port: PORT, protocol: 'TCP', targetPort: METRICS_PORT }],
  },
});
