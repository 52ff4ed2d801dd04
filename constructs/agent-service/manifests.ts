import type { Backend } from '../parts/network/index.ts';
import { networkPolicy } from '../parts/network/index.ts';
import { rollingUpdate } from '../parts/scaling/index.ts';
import type { Manifest } from '../workload.ts';
import { agentSelector, ownMetadata, SERVICE_PORT, serviceNameOf } from './render-input.ts';
import type { RenderInput } from './render-input.ts';
import { egressOf } from './egress.ts';
import { podTemplate, ROLLOUT_SECONDS } from './pods.ts';

/** Lets requests in; lets out what is declared, and what follows from the model, the MCP servers and the queue. */
export const agentNetworkPolicy = (input: RenderInput): Manifest =>
  networkPolicy(ownMetadata(input), agentSelector(input.name), {
    ingressPorts: ['http'],
    egress: egressOf(input),
  });

export const deployment = (input: RenderInput, replicas: number | undefined): Manifest => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: ownMetadata(input),
  spec: {
    ...(replicas !== undefined && { replicas }),
    selector: { matchLabels: agentSelector(input.name) },
    strategy: rollingUpdate({}, false),
    progressDeadlineSeconds: ROLLOUT_SECONDS,
    template: podTemplate(input),
  },
});

export const service = (input: RenderInput): Manifest => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { ...ownMetadata(input), name: serviceNameOf(input.name, input.naming) },
  spec: {
    selector: agentSelector(input.name),
    ports: [{ name: 'http', port: SERVICE_PORT, targetPort: 'http', protocol: 'TCP' }],
  },
});

export const backendOf = ({ name, naming }: RenderInput): Backend => ({
  name: serviceNameOf(name, naming),
  port: SERVICE_PORT,
});
