import { podRestarts, servingRestarts } from '../parts/objects/index.ts';
import { restarts, keepsPods, type RestartTable } from '../schema/restarts.ts';

const READ_AT_START = 'The agent reads it from its environment or its configuration when it starts.';

/** Whether a change of a field restarts the pods of the agent. */
export const agentServiceRestarts: RestartTable = {
  'spec.image': restarts('Part of the pod.'),
  'spec.model': restarts(READ_AT_START),
  'spec.modelRef': restarts(
    `${READ_AT_START} What it refers to may be changed without a restart where its endpoint and served name stay.`,
  ),
  'spec.temperature': restarts(READ_AT_START),
  'spec.maxTokens': restarts(READ_AT_START),
  'spec.tools': restarts(READ_AT_START),
  'spec.mcpServers': restarts(READ_AT_START),
  'spec.mcpServers[].targetPort': keepsPods('Changes the NetworkPolicy, which holds at once for pods that run.'),
  'spec.credentials': restarts('A process gets its environment when it starts.'),
  'spec.healthPath': restarts('Probes are part of the pod.'),
  ...servingRestarts,
  ...podRestarts,
};
