import { AgentService } from '../../constructs/agent-service/agent-service.ts';
import { agentService as schema } from '../../constructs/agent-service/kind.ts';
import { defineKind } from '../../operator/index.ts';

/** What somebody writes who has a construct, and nothing to decide: the kind of the same objects as the other subjects make. */
export const Agent = defineKind({
  schema,
  children: [
    'v1/ServiceAccount',
    'v1/ConfigMap',
    'v1/Service',
    'apps/v1/Deployment',
    'networking.k8s.io/v1/NetworkPolicy',
  ],
  reconcile: ({ ready }) => ({ status: { phase: ready ? 'Running' : 'Pending' } }),
  construct: (scope, { name, namespace, resource }) =>
    new AgentService(scope, 'agent', { name, namespace, spec: resource.spec, state: {} }),
});
