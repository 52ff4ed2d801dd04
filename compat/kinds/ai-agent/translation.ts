import { agentService } from '../../../constructs/agent-service/kind.ts';
import type { AgentServiceSpecInput } from '../../../constructs/agent-service/spec.ts';
import type { AgentServiceStatus } from '../../../constructs/agent-service/status.ts';
import { agentService as kind } from '../../../operator/kinds/agent-service/index.ts';
import { sameFields } from '../same-fields.ts';
import { BASELINE, CPU_PERCENT, MOST_REPLICAS, OPEN_EGRESS } from '../serving.ts';
import type { Translation } from '../translation.ts';
import { SCALED_CPU } from './rules.ts';
import { aiAgent } from './schema.ts';
import type { AIAgentSpec, AIAgentStatus } from './schema.ts';

/** As long as Kubernetes gives any pod to stop: an image that does not mind SIGTERM would hold an update up. */
const DRAIN_SECONDS = 30;

/** Our phases in the words of the users of AIAgent, to whom all that is not as it should be yet is Scaling. */
const PHASES = {
  Pending: 'Scaling',
  Running: 'Running',
  Scaling: 'Scaling',
  Updating: 'Scaling',
  Stopped: 'Running',
  Error: 'Error',
} as const satisfies Record<NonNullable<AgentServiceStatus['phase']>, AIAgentStatus['phase']>;

/** An AIAgent is an AgentService. */
export const translation: Translation<AIAgentSpec, AgentServiceStatus> = {
  theirs: aiAgent,
  ours: agentService,
  kind,
  naming: 'AIAgent',
  equivalentOf: ({ spec }) => ({ spec: specOf(spec) }),
  origins: {},
  wordsOf: ({ status: { phase = 'Pending', readyReplicas } }): AIAgentStatus => ({
    phase: PHASES[phase],
    readyReplicas: readyReplicas ?? 0,
  }),
};

function specOf(spec: AIAgentSpec): Partial<AgentServiceSpecInput> {
  const { image, model, temperature, maxTokens, tools, replicas, autoscaling, resources } = spec;
  const isScaled = autoscaling?.enabled === true;
  const asked = { ...(isScaled && { cpu: SCALED_CPU }), ...resources };
  return {
    ...(image !== undefined && { image }),
    model,
    temperature,
    maxTokens,
    ...(tools && { tools: [...new Set(tools)] }),
    ...(isScaled ? { autoscaling: scalingOf(autoscaling, replicas) } : { replicas }),
    ...(Object.keys(asked).length > 0 && { resources: asked }),
    ...sameFields(spec, ['expose']),
    drain: { timeoutSeconds: DRAIN_SECONDS },
    ...BASELINE,
    ...OPEN_EGRESS,
  };
}

function scalingOf(
  autoscaling: NonNullable<AIAgentSpec['autoscaling']>,
  replicas: number,
): NonNullable<AgentServiceSpecInput['autoscaling']> {
  const { minReplicas = 1, maxReplicas, targets = { cpuPercent: CPU_PERCENT } } = autoscaling;
  return {
    minReplicas,
    maxReplicas: maxReplicas ?? Math.max(MOST_REPLICAS, replicas, minReplicas),
    targets,
    ...sameFields(autoscaling, ['queue']),
  };
}
