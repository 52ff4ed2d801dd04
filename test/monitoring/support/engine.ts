import { once } from 'node:events';
import { createServer } from 'node:http';
import { onTestFinished } from 'vitest';
import { loopbackOf } from '../../../cluster/index.ts';
import type { KubeClient } from '../../../operator/kube/client/client.ts';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';
import type { KubeObject } from '../../../operator/kube/client/types.ts';
import { eventually } from '../../cluster/support/eventually.ts';
import type { ServingUnderTest } from '../../cluster/support/serving.ts';

/** Where vLLM listens by default. */
const PORT = 8000;

interface ServerPod extends KubeObject {
  readonly status?: { readonly podIP?: string };
}

/** Vllm's metrics, as far as we read them: requests come all the time, and some are always running. */
const metricsOf = (running: number, answered: number): string => `
vllm:num_requests_running{model_name="llama",engine="0"} ${running}
vllm:num_requests_waiting{model_name="llama",engine="0"} 1
vllm:kv_cache_usage_perc{model_name="llama",engine="0"} 0.5
${histogram('vllm:time_to_first_token_seconds', answered)}
${histogram('vllm:inter_token_latency_seconds', answered)}
`;

const histogram = (name: string, count: number): string =>
  ['0.1', '1', '+Inf'].map((le) => `${name}_bucket{model_name="llama",engine="0",le="${le}"} ${count}`).join('\n');

/** Has the pod of a service answer as an engine that always has so many requests in flight. */
export async function serveEngine(admin: KubeClient, serving: ServingUnderTest, running: number): Promise<void> {
  const labelSelector = `app.kubernetes.io/instance=${serving.name},app.kubernetes.io/component=server`;
  const ip = await eventually(async () => {
    const { items } = await admin.list(TYPES.pod, { namespace: serving.namespace, labelSelector });
    const [pod] = items as readonly ServerPod[];
    if (pod?.status?.podIP === undefined) throw new Error(`${serving.name} has no server`);
    return pod.status.podIP;
  });
  let answered = 0;
  const server = createServer((_, response) => {
    answered += 10;
    response.setHeader('content-type', 'text/plain; version=0.0.4').end(metricsOf(running, answered));
  }).listen(PORT, loopbackOf(ip));
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
}
