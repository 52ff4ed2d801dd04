import type { Backend } from '../parts/exposure.ts';
import { networkPolicy } from '../parts/isolation.ts';
import { rollingUpdate } from '../parts/rollout.ts';
import type { Manifest } from '../workload.ts';
import { agentSelector, ownMetadata, SERVICE_PORT, serviceNameOf } from './blueprint.ts';
import type { Blueprint } from './blueprint.ts';
import { egressOf } from './egress.ts';
import { podTemplate, ROLLOUT_SECONDS } from './pods.ts';

/** Lets requests in; lets out what is declared, and what follows from the model, the MCP servers and the queue. */
export const agentNetworkPolicy = (blueprint: Blueprint): Manifest =>
  networkPolicy(ownMetadata(blueprint), agentSelector(blueprint.name), {
    ingressPorts: ['http'],
    egress: egressOf(blueprint),
  });

export const deployment = (blueprint: Blueprint, replicas: number | undefined): Manifest => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: ownMetadata(blueprint),
  spec: {
    ...(replicas !== undefined && { replicas }),
    selector: { matchLabels: agentSelector(blueprint.name) },
    strategy: rollingUpdate({}, false),
    progressDeadlineSeconds: ROLLOUT_SECONDS,
    template: podTemplate(blueprint),
  },
});

export const service = (blueprint: Blueprint): Manifest => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { ...ownMetadata(blueprint), name: serviceNameOf(blueprint.name, blueprint.naming) },
  spec: {
    selector: agentSelector(blueprint.name),
    ports: [{ name: 'http', port: SERVICE_PORT, targetPort: 'http', protocol: 'TCP' }],
  },
});

export const backendOf = ({ name, naming }: Blueprint): Backend => ({
  name: serviceNameOf(name, naming),
  port: SERVICE_PORT,
});
