import type { AgentServiceSpecInput, AgentServiceStatus } from '../../../constructs/index.ts';
import type { KubeClient } from '../../../operator/kube/client/client.ts';
import { ours, ResourceUnderTest } from './resource.ts';

export const agentServiceType = ours('AgentService', 'agentservices');

/** A spec that a cluster of simulated nodes can run. */
export const agentSpec = {
  image: 'registry.example.com/support-agent:2.0.0',
  model: 'gpt-4o',
  resources: { cpu: '100m', memory: '64Mi' },
  replicas: 1,
} satisfies AgentServiceSpecInput;

/** One AgentService of a test, and how it is doing. */
export class AgentUnderTest extends ResourceUnderTest<AgentServiceSpecInput, AgentServiceStatus> {
  constructor(admin: KubeClient, namespace: string, name = 'support-agent') {
    super(admin, agentServiceType, namespace, name);
  }
}
