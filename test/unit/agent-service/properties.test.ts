import { AgentService } from '../../../constructs/agent-service/agent-service.ts';
import { agentServiceArbitrary } from '../../support/arbitrary-agent-service.ts';
import { describeConstruct } from '../../support/construct-properties.ts';

describeConstruct(
  agentServiceArbitrary,
  (scope, spec) => new AgentService(scope, 'agent', { name: 'support-agent', namespace: 'agents', spec }),
);
